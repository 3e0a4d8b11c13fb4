// The tool that creates a folder together with its missing parents.

import { davMessage, filesPath } from "../../api/dav.ts"
import { nextcloudError } from "../../api/error.ts"
import type { Nextcloud } from "../../api/nextcloud.ts"
import { list, object, text } from "../../schema.ts"
import { defineTool } from "../../tool.ts"
import { findFacts, folderOf, folderPage, normalizePath, path } from "./item.ts"

const createDirectory = defineTool({
  name: "nc_files_create_directory",
  title: "Create a folder",
  description: "Creates a folder and its missing parents. An existing one is unchanged.",
  scopes: ["files.write"],
  effect: "set",
  input: object({ path }),
  output: object({ path: text(), created: list(text(), "All new folders"), url: text() }),
  requestsNote: "Two more for each missing parent folder; one more if the folder already exists.",
  async run({ path: filePath }, nextcloud) {
    const createdFolders = await createWithParents(nextcloud, normalizePath(filePath), normalizePath(filePath))
    return { path: normalizePath(filePath), created: createdFolders, url: folderPage(nextcloud, filePath) }
  },
})

/** Creates a folder and its missing parents. Returns those that were created. */
async function createWithParents(
  nextcloud: Nextcloud,
  filePath: string,
  requestedFolder: string,
): Promise<readonly string[]> {
  const activity = `creating the folder ${requestedFolder}`
  const address = filesPath(await nextcloud.userId(), filePath)
  const answer = await nextcloud.send({ method: "MKCOL", path: address, activity, accept: [405, 409] })
  if (answer.status === 405) return assertExistingFolder(nextcloud, filePath, activity)
  if (answer.status === 201) return [filePath]
  if (answer.status !== 409)
    throw nextcloudError("malformed", { status: answer.status, activity, detail: "not created" })
  const parent = folderOf(filePath)
  if (parent === "/") {
    const detail = davMessage(answer.text())
    throw nextcloudError("conflict", { status: 409, activity, ...(detail === undefined ? {} : { detail }) })
  }
  const createdParents = await createWithParents(nextcloud, parent, requestedFolder)
  if (createdParents.length === 0) throw nextcloudError("conflict", { status: 409, activity })
  return [...createdParents, ...(await createWithParents(nextcloud, filePath, requestedFolder))]
}

async function assertExistingFolder(
  nextcloud: Nextcloud,
  filePath: string,
  activity: string,
): Promise<readonly string[]> {
  const item = await findFacts(nextcloud, filePath, activity)
  if (item === undefined || item.kind === "folder") return []
  const advice = "A file has this name. Choose another."
  throw nextcloudError("conflict", { status: 405, activity, because: `${filePath} is a file`, advice, current: item })
}

export const folderTools = [createDirectory]
