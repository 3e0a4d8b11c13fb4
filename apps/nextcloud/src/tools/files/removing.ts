// The tool that deletes: the loss is shown first, and only that is deleted.

import { filesPath } from "../../api/dav.ts"
import { nextcloudError } from "../../api/error.ts"
import type { Nextcloud } from "../../api/nextcloud.ts"
import { flag, object, text } from "../../schema.ts"
import { defineTool } from "../../tool.ts"
import { change } from "./change.ts"
import { lossOf } from "./deletion-loss.ts"
import { fileOf, find, isInsideShare, normalizePath, path, sharedProps, sharingOf } from "./item.ts"

const deleteResource = defineTool({
  name: "nc_files_delete_resource",
  title: "Delete a file or folder",
  description: "Moves a file, or a folder with everything in it, to the trash.",
  scopes: ["files.write"],
  effect: "remove",
  input: object({ path }),
  output: object({ deleted: text("Its path"), in_trash: flag() }),
  requests: 2,
  requestsNote: "The question about a folder takes one more, which counts the files in it.",
  notRecorded: "How a shared folder differs from its content (is-mount-root).",
  confirm: {
    verb: "Delete",
    async readLoss({ path: at }, nextcloud) {
      assertBelowTop(at)
      const doing = `looking at ${normalizePath(at)}`
      const { item, file } = await findFile(nextcloud, at, doing)
      const { owner, shared } = sharingOf(item)
      const loss = await lossOf(nextcloud, file, doing)
      if (isInsideShare(item, at)) {
        const whose = `It is in a folder of ${owner ?? "somebody else"}`
        const others = `${whose}: it is deleted for them and for everyone who has that folder.`
        return { ...loss, details: [...(loss.details ?? []), others] }
      }
      if (owner !== undefined)
        return { ...loss, details: [`${owner} shares it with you: they keep it, and it disappears from your files.`] }
      const others = shared === undefined ? [] : ["The people you share it with lose it too."]
      return { ...loss, details: [...(loss.details ?? []), ...others] }
    },
  },
  async run({ path: at }, nextcloud, { loss }) {
    const doing = `deleting ${normalizePath(at)}`
    assertBelowTop(at)
    const { item, file } = await findFile(nextcloud, at, doing)
    if (loss?.guard !== undefined && loss.guard !== file.etag)
      throw nextcloudError("conflict", { doing, current: file, advice: "Read it again before deleting it." })
    // The server compares etags of files only, not of folders.
    const headers: Record<string, string> = file.kind === "file" ? { "if-match": `"${file.etag}"` } : {}
    const address = filesPath(await nextcloud.userId(), at)
    await change(nextcloud, { method: "DELETE", path: address, headers, doing })
    const hasTrash = (await nextcloud.capabilities()).of("files")?.maybeFlag("undelete") ?? false
    return {
      deleted: file.path,
      in_trash: hasTrash && (isInsideShare(item, at) || sharingOf(item).owner === undefined),
    }
  },
})

function assertBelowTop(at: string): void {
  if (normalizePath(at) !== "/") return
  const advice = "Delete its content one by one."
  throw nextcloudError("invalid", { doing: "deleting /", because: "the top folder cannot be deleted", advice })
}

async function findFile(nextcloud: Nextcloud, at: string, doing: string) {
  const item = await find(nextcloud, at, doing, sharedProps)
  return { item, file: fileOf(nextcloud, item, doing) }
}

export const removingTools = [deleteResource]
