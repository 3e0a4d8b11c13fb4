// The tool that creates a folder together with its missing parents.

import { davMessage, filesPath } from "../../api/dav.ts"
import { nextcloudError } from "../../api/error.ts"
import type { Nextcloud } from "../../api/nextcloud.ts"
import { list, object, text } from "../../schema.ts"
import { defineTool } from "../../tool.ts"
import { folderOf, folderPage, look, normalizePath, path } from "./item.ts"

const createDirectory = defineTool({
  name: "nc_files_create_directory",
  title: "Create a folder",
  description: "Creates a folder and its missing parents. An existing one stays as it is.",
  scopes: ["files.write"],
  effect: "set",
  input: object({ path }),
  output: object({ path: text(), created: list(text(), "All new folders"), url: text() }),
  requestsNote: "Two more for each missing parent folder; one more if the folder already exists.",
  async run({ path: at }, nextcloud) {
    const created = await make(nextcloud, normalizePath(at), normalizePath(at))
    return { path: normalizePath(at), created, url: folderPage(nextcloud, at) }
  },
})

/** Creates a folder and its missing parents. Returns those that were created. */
async function make(nextcloud: Nextcloud, at: string, wanted: string): Promise<readonly string[]> {
  const doing = `creating the folder ${wanted}`
  const address = filesPath(await nextcloud.userId(), at)
  const answer = await nextcloud.send({ method: "MKCOL", path: address, doing, accept: [405, 409] })
  if (answer.status === 405) return existing(nextcloud, at, doing)
  if (answer.status === 201) return [at]
  if (answer.status !== 409) throw nextcloudError("malformed", { status: answer.status, doing, detail: "not created" })
  const parent = folderOf(at)
  if (parent === "/") {
    const detail = davMessage(answer.text())
    throw nextcloudError("conflict", { status: 409, doing, ...(detail === undefined ? {} : { detail }) })
  }
  const above = await make(nextcloud, parent, wanted)
  if (above.length === 0) throw nextcloudError("conflict", { status: 409, doing })
  return [...above, ...(await make(nextcloud, at, wanted))]
}

async function existing(nextcloud: Nextcloud, at: string, doing: string): Promise<readonly string[]> {
  const item = await look(nextcloud, at, doing)
  if (item === undefined || item.kind === "folder") return []
  const advice = "A file has this name. Choose another."
  throw nextcloudError("conflict", { status: 405, doing, because: `${at} is a file`, advice, current: item })
}

export const folderTools = [createDirectory]
