// Tools that move and copy. An existing target is replaced only on request, and is shown to the person first.

import { davMessage, davSend, filesPath } from "../../api/dav.ts"
import { nextcloudError } from "../../api/error.ts"
import type { NcAnswer, Nextcloud } from "../../api/nextcloud.ts"
import { bare } from "../../etag.ts"
import { flag, integer, object, optional, text } from "../../schema.ts"
import type { Loss, Run, Tool } from "../../tool.ts"
import { defineTool } from "../../tool.ts"
import { lossOf } from "./deletion-loss.ts"
import { look, normalizePath, writtenFileId } from "./item.ts"

const input = object({
  source_path: text(undefined, { least: 1 }),
  destination_path: text("With the new name", { least: 1 }),
  overwrite: optional(flag("Replace an existing target")),
  destination_etag: optional(text("Replace only this version")),
})

interface Input {
  readonly source_path: string
  readonly destination_path: string
  readonly overwrite?: boolean | undefined
  readonly destination_etag?: string | undefined
}

const output = object({ path: text(), id: integer(), replaced: flag(), url: text() })

const confirm = {
  verb: "Replace",
  when: ({ overwrite }: Input) => overwrite === true,
  async readLoss({ source_path, destination_path }: Input, nextcloud: Nextcloud): Promise<Loss> {
    const doing = `reading ${normalizePath(destination_path)}`
    const target = await look(nextcloud, destination_path, doing)
    const by = `with “${normalizePath(source_path)}”`
    if (target === undefined)
      return { what: `“${normalizePath(destination_path)}”, which does not exist yet, ${by}`, guard: "" }
    const loss = await lossOf(nextcloud, target, doing)
    return { ...loss, what: `${loss.what} ${by}` }
  },
} as const

const shared = {
  scopes: ["files.write"],
  effect: "change",
  input,
  output,
  requestsNote:
    "One more with `overwrite`, to compare the target with what was seen; the question about a folder takes one to count.",
  confirm,
} as const

const moveResource = defineTool({
  ...shared,
  name: "nc_files_move_resource",
  title: "Move a file or folder",
  description: "Moves or renames a file or folder with everything in it.",
  run: (input, nextcloud, run) => transfer(nextcloud, { method: "MOVE", doing: "moving", ...input }, run),
})

const copyResource = defineTool({
  ...shared,
  name: "nc_files_copy_resource",
  title: "Copy a file or folder",
  description: "Copies a file or folder with everything in it.",
  run: (input, nextcloud, run) => transfer(nextcloud, { method: "COPY", doing: "copying", ...input }, run),
})

interface Transfer extends Input {
  readonly method: "MOVE" | "COPY"
  readonly doing: string
}

async function transfer(nextcloud: Nextcloud, request: Transfer, { loss }: Pick<Run, "loss">) {
  const { method, source_path, destination_path, overwrite = false, destination_etag } = request
  const doing = `${request.doing} ${normalizePath(source_path)} to ${normalizePath(destination_path)}`
  if (destination_etag !== undefined && !overwrite)
    throw nextcloudError("invalid", { doing, because: "`destination_etag` has no meaning without `overwrite`" })
  const expectedEtags = [loss?.guard, destination_etag].filter((etag) => etag !== undefined).map(bare)
  if (overwrite && expectedEtags.length > 0) {
    const current = await look(nextcloud, destination_path, doing)
    if (expectedEtags.some((etag) => etag !== (current?.etag ?? "")))
      throw nextcloudError("conflict", { doing, current })
  }
  const user = await nextcloud.userId()
  const answer = await davSend(nextcloud, {
    method,
    path: filesPath(user, source_path),
    // The server uses only the path of this address, whatever its host.
    headers: { destination: `${nextcloud.url}${filesPath(user, destination_path)}`, overwrite: overwrite ? "T" : "F" },
    doing,
    accept: [403, 409, 412],
  })
  await refuse(nextcloud, answer, { at: destination_path, doing })
  const id = writtenFileId(answer.headers)
  if (id === undefined) throw nextcloudError("malformed", { status: answer.status, doing, detail: "no id" })
  return { path: normalizePath(destination_path), id, replaced: answer.status === 204, url: nextcloud.link(`/f/${id}`) }
}

async function refuse(
  nextcloud: Nextcloud,
  answer: NcAnswer,
  { at, doing }: { readonly at: string; readonly doing: string },
): Promise<void> {
  const { status } = answer
  const detail = davMessage(answer.text())
  const facts = { status, doing, ...(detail === undefined ? {} : { detail }) }
  if (status === 403) throw nextcloudError("forbidden", facts)
  if (status === 409) {
    const advice =
      "If a folder is missing, create it first with nc_files_create_directory. A folder cannot be put into itself."
    throw nextcloudError("invalid", { ...facts, advice })
  }
  if (status === 412) {
    const advice = "Choose another destination, or set `overwrite`: the user is then asked."
    const current = await look(nextcloud, at, doing)
    throw nextcloudError("conflict", { status, doing, because: `${normalizePath(at)} already exists`, advice, current })
  }
}

export const movingTools: readonly Tool[] = [moveResource, copyResource]
