// Describes what is lost when a file or folder is deleted: its path, the number of files, their size.

import type { Nextcloud } from "../../api/nextcloud.ts"
import { pluralize } from "../../pluralize.ts"
import type { Loss } from "../../tool.ts"
import type { FileFacts } from "./item.ts"
import { bytesInWords } from "./item.ts"
import { isFileCondition, search } from "./searching.ts"

const mostCounted = 1_000

/** Describes the loss of a file or folder. For a folder, one request counts its files. */
export async function lossOf(
  nextcloud: Nextcloud,
  file: FileFacts,
  activity: string,
): Promise<Loss & { readonly guard: string }> {
  const { kind, path, size, etag } = file
  const contents =
    kind === "file" ? bytesInWords(size) : `${await filesIn(nextcloud, path, activity)}, ${bytesInWords(size)}`
  return { what: `the ${kind} “${path}”`, details: [contents, await readTrashAdvice(nextcloud)], guard: etag }
}

async function filesIn(nextcloud: Nextcloud, folder: string, activity: string): Promise<string> {
  const { length } = await search(nextcloud, { folder, condition: isFileCondition, limit: mostCounted + 1, activity })
  if (length > mostCounted) return `more than ${mostCounted} files`
  return pluralize(length, "file")
}

async function readTrashAdvice(nextcloud: Nextcloud): Promise<string> {
  const hasTrash = (await nextcloud.capabilities()).of("files")?.maybeFlag("undelete") ?? false
  return hasTrash ? "It can be restored from the trash." : "There is no trash on this server: it is gone for good."
}
