// The tool that deletes a file or folder. The person sees the loss first, and only what they saw is deleted.

import { filesPath } from "../../api/dav.ts"
import { nextcloudError } from "../../api/error.ts"
import type { Nextcloud } from "../../api/nextcloud.ts"
import { flag, object, text } from "../../schema.ts"
import { defineTool } from "../../tool.ts"
import { sendDavWrite } from "./dav-write.ts"
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
  requestsNote: "Asking about a folder takes one more, to count its files.",
  notRecorded: "How a shared folder differs from its content (is-mount-root).",
  confirm: {
    verb: "Delete",
    async readLoss({ path: filePath }, nextcloud) {
      assertBelowTop(filePath)
      const activity = `looking at ${normalizePath(filePath)}`
      const { item, file } = await findFile(nextcloud, filePath, activity)
      const { owner, shared } = sharingOf(item)
      const loss = await lossOf(nextcloud, file, activity)
      if (isInsideShare(item, filePath)) {
        const ownerText = `It is in a folder that belongs to ${owner ?? "somebody else"}`
        const sharedDetails = `${ownerText}: it is deleted for them and for everyone who has that folder.`
        return { ...loss, details: [...(loss.details ?? []), sharedDetails] }
      }
      if (owner !== undefined)
        return { ...loss, details: [`${owner} shares it with you: they keep it, and it disappears from your files.`] }
      const sharedDetails = shared === undefined ? [] : ["The people you share it with lose it too."]
      return { ...loss, details: [...(loss.details ?? []), ...sharedDetails] }
    },
  },
  async run({ path: filePath }, nextcloud, { loss }) {
    const activity = `deleting ${normalizePath(filePath)}`
    assertBelowTop(filePath)
    const { item, file } = await findFile(nextcloud, filePath, activity)
    if (loss?.guard !== undefined && loss.guard !== file.etag)
      throw nextcloudError("conflict", { activity, current: file, advice: "Read it again before deleting it." })
    // The server compares etags of files only, not of folders.
    const headers: Record<string, string> = file.kind === "file" ? { "if-match": `"${file.etag}"` } : {}
    const address = filesPath(await nextcloud.userId(), filePath)
    await sendDavWrite(nextcloud, { method: "DELETE", path: address, headers, activity })
    const hasTrash = (await nextcloud.capabilities()).of("files")?.maybeFlag("undelete") ?? false
    return {
      deleted: file.path,
      in_trash: hasTrash && (isInsideShare(item, filePath) || sharingOf(item).owner === undefined),
    }
  },
})

function assertBelowTop(filePath: string): void {
  if (normalizePath(filePath) !== "/") return
  const advice = "Delete its content one by one."
  throw nextcloudError("invalid", { activity: "deleting /", because: "the top folder cannot be deleted", advice })
}

async function findFile(nextcloud: Nextcloud, filePath: string, activity: string) {
  const item = await find(nextcloud, filePath, activity, sharedProps)
  return { item, file: fileOf(nextcloud, item, activity) }
}

export const removingTools = [deleteResource]
