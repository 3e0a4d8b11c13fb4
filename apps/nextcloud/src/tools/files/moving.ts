// Tools that move and copy. An existing target is replaced only on request, and is shown to the person first.

import { davMessage, davSend, filesPath } from "../../api/dav.ts"
import { nextcloudError } from "../../api/error.ts"
import type { NcAnswer, Nextcloud } from "../../api/nextcloud.ts"
import { toBareEtag } from "../../etag.ts"
import { flag, integer, object, optional, text } from "../../schema.ts"
import type { Loss, RunContext, Tool } from "../../tool.ts"
import { defineTool } from "../../tool.ts"
import { lossOf } from "./deletion-loss.ts"
import { findFacts, normalizePath, writtenFileId } from "./item.ts"

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
    const activity = `reading ${normalizePath(destination_path)}`
    const target = await findFacts(nextcloud, destination_path, activity)
    const replacementText = `with “${normalizePath(source_path)}”`
    if (target === undefined)
      return { what: `“${normalizePath(destination_path)}”, which does not exist yet, ${replacementText}`, guard: "" }
    const loss = await lossOf(nextcloud, target, activity)
    return { ...loss, what: `${loss.what} ${replacementText}` }
  },
} as const

const sharedDefinition = {
  scopes: ["files.write"],
  effect: "change",
  input,
  output,
  requestsNote:
    "One more with `overwrite`, to compare the target with what the user saw; asking about a folder takes one, to count its files.",
  confirm,
} as const

const moveResource = defineTool({
  ...sharedDefinition,
  name: "nc_files_move_resource",
  title: "Move a file or folder",
  description: "Moves or renames a file or folder with everything in it.",
  run: (input, nextcloud, runContext) =>
    transfer(nextcloud, { method: "MOVE", activity: "moving", ...input }, runContext),
})

const copyResource = defineTool({
  ...sharedDefinition,
  name: "nc_files_copy_resource",
  title: "Copy a file or folder",
  description: "Copies a file or folder with everything in it.",
  run: (input, nextcloud, runContext) =>
    transfer(nextcloud, { method: "COPY", activity: "copying", ...input }, runContext),
})

interface Transfer extends Input {
  readonly method: "MOVE" | "COPY"
  readonly activity: string
}

async function transfer(nextcloud: Nextcloud, request: Transfer, { loss }: Pick<RunContext, "loss">) {
  const { method, source_path, destination_path, overwrite = false, destination_etag } = request
  const activity = `${request.activity} ${normalizePath(source_path)} to ${normalizePath(destination_path)}`
  if (destination_etag !== undefined && !overwrite)
    throw nextcloudError("invalid", { activity, because: "`destination_etag` has no meaning without `overwrite`" })
  const expectedEtags = [loss?.guard, destination_etag].filter((etag) => etag !== undefined).map(toBareEtag)
  if (overwrite && expectedEtags.length > 0) {
    const currentItem = await findFacts(nextcloud, destination_path, activity)
    if (expectedEtags.some((etag) => etag !== (currentItem?.etag ?? "")))
      throw nextcloudError("conflict", { activity, current: currentItem })
  }
  const user = await nextcloud.userId()
  const answer = await davSend(nextcloud, {
    method,
    path: filesPath(user, source_path),
    // The server uses only the path of this address, whatever its host.
    headers: { destination: `${nextcloud.url}${filesPath(user, destination_path)}`, overwrite: overwrite ? "T" : "F" },
    activity,
    accept: [403, 409, 412],
  })
  await throwRefusal(nextcloud, answer, { path: destination_path, activity })
  const id = writtenFileId(answer.headers)
  if (id === undefined) throw nextcloudError("malformed", { status: answer.status, activity, detail: "no id" })
  return { path: normalizePath(destination_path), id, replaced: answer.status === 204, url: nextcloud.link(`/f/${id}`) }
}

async function throwRefusal(
  nextcloud: Nextcloud,
  answer: NcAnswer,
  { path, activity }: { readonly path: string; readonly activity: string },
): Promise<void> {
  const { status } = answer
  const detail = davMessage(answer.text())
  const facts = { status, activity, ...(detail === undefined ? {} : { detail }) }
  if (status === 403) throw nextcloudError("forbidden", facts)
  if (status === 409) {
    const advice =
      "If a folder is missing, create it first with nc_files_create_directory. A folder cannot be put into itself."
    throw nextcloudError("invalid", { ...facts, advice })
  }
  if (status === 412) {
    const advice = "Choose another destination, or set `overwrite`: the user is then asked."
    const currentItem = await findFacts(nextcloud, path, activity)
    throw nextcloudError("conflict", {
      status,
      activity,
      because: `${normalizePath(path)} already exists`,
      advice,
      current: currentItem,
    })
  }
}

export const movingTools: readonly Tool[] = [moveResource, copyResource]
