// Tools that list, read and restore earlier versions of a file. Restoring saves the current version first, so nothing
// is lost.

import type { Capabilities } from "../../api/capabilities.ts"
import type { DavItem } from "../../api/dav.ts"
import { filesPath, propfind } from "../../api/dav.ts"
import { nextcloudError } from "../../api/error.ts"
import type { Nextcloud } from "../../api/nextcloud.ts"
import { pageFields, paging, toPage } from "../../page.ts"
import { flag, integer, list, object, optional, text } from "../../schema.ts"
import { defineTool, withContent, withOfferTest } from "../../tool.ts"
import { dav, nc, textOf, xml } from "../../xml.ts"
import { readContent } from "../files/content.ts"
import { sendDavWrite } from "../files/dav-write.ts"
import type { FileFacts } from "../files/item.ts"
import { bytesInWords, fileOf, find, folderLink, nameOf, normalizePath, path, readerOf } from "../files/item.ts"
import { blocksOf, contentFields, offset } from "../files/reading.ts"

const hasVersions = (capabilities: Capabilities): boolean => capabilities.of("files")?.maybeFlag("versioning") ?? false

const versionFields = {
  version: text(),
  modified: text(),
  size: integer(),
  current: flag(),
  label: optional(text()),
  author: optional(text()),
}

const version = text("As listed", { pattern: "^[0-9]+$" })

const props = xml`<d:getlastmodified/><d:getcontentlength/><nc:version-label/><nc:version-author/>`

async function fileAt(nextcloud: Nextcloud, filePath: string, activity: string): Promise<FileFacts> {
  const file = fileOf(nextcloud, await find(nextcloud, filePath, activity), activity)
  if (file.kind === "file") return file
  throw nextcloudError("invalid", { activity, because: "it is a folder", advice: "Only files have versions." })
}

const versionsPath = async (nextcloud: Nextcloud, subpath: string): Promise<string> =>
  `/remote.php/dav/versions/${encodeURIComponent(await nextcloud.userId())}/${subpath}`

/** The path of a version's content. The server lists the current version too, but its content is the file itself. */
const contentPath = async (nextcloud: Nextcloud, file: FileFacts, stamp: string): Promise<string> =>
  Date.parse(file.modified) === Number(stamp) * 1_000
    ? filesPath(await nextcloud.userId(), file.path)
    : versionsPath(nextcloud, `versions/${file.id}/${stamp}`)

function versionOf(item: DavItem, file: FileFacts, activity: string) {
  const { number, time } = readerOf(item, activity)
  const modified = time(dav, "getlastmodified")
  const label = textOf(item.props, nc, "version-label")
  const author = textOf(item.props, nc, "version-author")
  return {
    version: nameOf(item.href),
    modified,
    size: number(dav, "getcontentlength"),
    current: modified === file.modified,
    ...(label === undefined || label === "" ? {} : { label }),
    ...(author === undefined || author === "" ? {} : { author }),
  }
}

const listVersions = defineTool({
  name: "nc_files_list_versions",
  title: "List versions of a file",
  description: "A file's versions, newest first; includes the current one.",
  scopes: ["files.read"],
  effect: "read",
  input: object({ path, ...paging }),
  output: object({ versions: list(object(versionFields)), ...pageFields }),
  requests: 2,
  notRecorded: "Labels and authors.",
  async run({ path: filePath, ...page }, nextcloud) {
    const activity = `listing the versions of ${normalizePath(filePath)}`
    const file = await fileAt(nextcloud, filePath, activity)
    const address = await versionsPath(nextcloud, `versions/${file.id}`)
    const [, ...children] = await propfind(nextcloud, { path: address, props, depth: 1, activity })
    const all = children.map((item) => versionOf(item, file, activity))
    const { items, facts } = toPage(
      all.toSorted((a, b) => b.modified.localeCompare(a.modified)),
      page,
    )
    return { versions: items, ...facts }
  },
})

const readVersion = defineTool({
  name: "nc_files_read_version",
  title: "Read a version",
  description: "Content of an earlier version of a file.",
  scopes: ["files.read"],
  effect: "read",
  input: object({ path, version, offset }),
  output: object({ path: text(), version: text(), ...contentFields, url: text() }),
  requests: 2,
  source: "documented",
  async run({ path: filePath, version: stamp, offset: startOffset }, nextcloud, { signal }) {
    const activity = `reading the version ${stamp} of ${normalizePath(filePath)}`
    const file = await fileAt(nextcloud, filePath, activity)
    const address = await contentPath(nextcloud, file, stamp)
    const alternative = `Tell the user to open its versions in the web interface: ${folderLink(nextcloud, filePath)}`
    const request = { address, name: nameOf(filePath), offset: startOffset, activity, alternative, signal }
    const content = await readContent(nextcloud, request)
    const { type, size, text: part } = content
    const output = { path: normalizePath(filePath), version: stamp, type, size, ...part, url: file.url }
    return withContent(output, blocksOf(content, `${nextcloud.url}${address}`))
  },
})

const restoreVersion = defineTool({
  name: "nc_files_restore_version",
  title: "Restore a version",
  description: "Restores an earlier version; the current one is kept as a version.",
  scopes: ["files.write"],
  effect: "change",
  input: object({ path, version }),
  output: object({ path: text(), restored: text("The version"), url: text() }),
  requests: 2,
  source: "documented",
  confirm: {
    policy: "once",
    requests: 2,
    verb: "Go back to an earlier version of",
    async readLoss({ path: filePath, version: stamp }, nextcloud) {
      const activity = `reading the version ${stamp} of ${normalizePath(filePath)}`
      const file = await fileAt(nextcloud, filePath, activity)
      const address = await versionsPath(nextcloud, `versions/${file.id}/${stamp}`)
      const [item] = await propfind(nextcloud, { path: address, props, activity })
      if (item === undefined) throw nextcloudError("malformed", { activity, detail: "an empty multistatus" })
      const { modified, size } = versionOf(item, file, activity)
      return {
        what: `the file “${file.path}”`,
        details: [
          `The file becomes what it was on ${modified} (${bytesInWords(size)}).`,
          `The current content (${bytesInWords(file.size)}, ${file.modified}) is kept as a version.`,
        ],
        guard: file.etag,
      }
    },
  },
  async run({ path: filePath, version: stamp }, nextcloud, { loss }) {
    const activity = `restoring the version ${stamp} of ${normalizePath(filePath)}`
    const file = await fileAt(nextcloud, filePath, activity)
    if (loss?.guard !== undefined && loss.guard !== file.etag)
      throw nextcloudError("conflict", { activity, current: file })
    const address = await versionsPath(nextcloud, `versions/${file.id}/${stamp}`)
    const headers = { destination: `${nextcloud.url}${await versionsPath(nextcloud, "restore/target")}` }
    await sendDavWrite(nextcloud, { method: "MOVE", path: address, headers, activity })
    return { path: file.path, restored: stamp, url: file.url }
  },
})

export const versionTools = withOfferTest(hasVersions, [listVersions, readVersion, restoreVersion])
