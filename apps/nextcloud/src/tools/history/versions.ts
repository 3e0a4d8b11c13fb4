// Tools that list, read and restore earlier versions of a file. Restoring saves the current version first, so nothing
// is lost.

import type { Capabilities } from "../../api/capabilities.ts"
import type { DavItem } from "../../api/dav.ts"
import { filesPath, propfind } from "../../api/dav.ts"
import { nextcloudError } from "../../api/error.ts"
import type { Nextcloud } from "../../api/nextcloud.ts"
import { pageFields, paging, toPage } from "../../page.ts"
import { flag, integer, list, object, optional, text } from "../../schema.ts"
import { defineTool, offeredIf, withContent } from "../../tool.ts"
import { dav, nc, textOf, xml } from "../../xml.ts"
import { change } from "../files/change.ts"
import { readContent } from "../files/content.ts"
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

async function fileAt(nextcloud: Nextcloud, at: string, doing: string): Promise<FileFacts> {
  const file = fileOf(nextcloud, await find(nextcloud, at, doing), doing)
  if (file.kind === "file") return file
  throw nextcloudError("invalid", { doing, because: "it is a folder", advice: "Only files have versions." })
}

const versionsPath = async (nextcloud: Nextcloud, subpath: string): Promise<string> =>
  `/remote.php/dav/versions/${encodeURIComponent(await nextcloud.userId())}/${subpath}`

/** The path of a version's content. The current version is listed, but its content is the file itself. */
const contentPath = async (nextcloud: Nextcloud, file: FileFacts, stamp: string): Promise<string> =>
  Date.parse(file.modified) === Number(stamp) * 1_000
    ? filesPath(await nextcloud.userId(), file.path)
    : versionsPath(nextcloud, `versions/${file.id}/${stamp}`)

function versionOf(item: DavItem, file: FileFacts, doing: string) {
  const { number, time } = readerOf(item, doing)
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
  description: "The versions of a file, newest first, with the current one.",
  scopes: ["files.read"],
  effect: "read",
  input: object({ path, ...paging }),
  output: object({ versions: list(object(versionFields)), ...pageFields }),
  requests: 2,
  notRecorded: "Labels and authors.",
  async run({ path: at, ...page }, nextcloud) {
    const doing = `listing the versions of ${normalizePath(at)}`
    const file = await fileAt(nextcloud, at, doing)
    const address = await versionsPath(nextcloud, `versions/${file.id}`)
    const [, ...children] = await propfind(nextcloud, { path: address, props, depth: 1, doing })
    const all = children.map((item) => versionOf(item, file, doing))
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
  async run({ path: at, version: stamp, offset: from }, nextcloud, { signal }) {
    const doing = `reading the version ${stamp} of ${normalizePath(at)}`
    const file = await fileAt(nextcloud, at, doing)
    const address = await contentPath(nextcloud, file, stamp)
    const instead = `Tell the user to open its versions in the web interface: ${folderLink(nextcloud, at)}`
    const reading = { at: address, name: nameOf(at), offset: from, doing, instead, signal }
    const content = await readContent(nextcloud, reading)
    const { type, size, text: part } = content
    const output = { path: normalizePath(at), version: stamp, type, size, ...part, url: file.url }
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
    async readLoss({ path: at, version: stamp }, nextcloud) {
      const doing = `reading the version ${stamp} of ${normalizePath(at)}`
      const file = await fileAt(nextcloud, at, doing)
      const address = await versionsPath(nextcloud, `versions/${file.id}/${stamp}`)
      const [item] = await propfind(nextcloud, { path: address, props, doing })
      if (item === undefined) throw nextcloudError("malformed", { doing, detail: "an empty multistatus" })
      const { modified, size } = versionOf(item, file, doing)
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
  async run({ path: at, version: stamp }, nextcloud, { loss }) {
    const doing = `restoring the version ${stamp} of ${normalizePath(at)}`
    const file = await fileAt(nextcloud, at, doing)
    if (loss?.guard !== undefined && loss.guard !== file.etag)
      throw nextcloudError("conflict", { doing, current: file })
    const address = await versionsPath(nextcloud, `versions/${file.id}/${stamp}`)
    const headers = { destination: `${nextcloud.url}${await versionsPath(nextcloud, "restore/target")}` }
    await change(nextcloud, { method: "MOVE", path: address, headers, doing })
    return { path: file.path, restored: stamp, url: file.url }
  },
})

export const versionTools = offeredIf(hasVersions, [listVersions, readVersion, restoreVersion])
