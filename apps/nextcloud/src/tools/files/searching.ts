// Tools that find files by their properties in one SEARCH (RFC 5323), and set favourites.

import type { DavItem } from "../../api/dav.ts"
import { davMessage, davSend, encodePath, filesPath, multistatus } from "../../api/dav.ts"
import { nextcloudError } from "../../api/error.ts"
import type { Nextcloud } from "../../api/nextcloud.ts"
import { offsetIn, paging, toCursor } from "../../page.ts"
import { flag, integer, list, object, optional, text } from "../../schema.ts"
import { defineTool } from "../../tool.ts"
import type { Xml } from "../../xml.ts"
import { toDocument, xml } from "../../xml.ts"
import { fileFields, fileOf, fileProps, nameOf, normalizePath, path } from "./item.ts"

const searchFiles = defineTool({
  name: "nc_files_search_files",
  title: "Search files",
  description: "Files and folders at any depth that match all filters, newest first. Not by their content.",
  scopes: ["files.read"],
  effect: "read",
  input: object({
    name: optional(text("Part of it, or with *: “*.pdf”")),
    type: optional(text("“image”, “application/pdf”, “folder”")),
    folder: optional(text("Only below it")),
    favorites: optional(flag("Only these")),
    modified_after: optional(text("Date or time")),
    modified_before: optional(text()),
    min_size: optional(integer("Bytes")),
    max_size: optional(integer()),
    ...paging,
  }),
  output: object({ files: list(object(fileFields)), next_cursor: optional(text()) }),
  notRecorded: "Favourites, times and a folder below the top as conditions. The server does not report the total.",
  async run({ folder = "/", limit = 50, cursor, ...wanted }, nextcloud) {
    const doing = "searching files"
    const offset = offsetIn(cursor)
    // One extra result shows whether there are more.
    const matches = await search(nextcloud, { folder, where: whereOf(wanted, doing), limit: limit + 1, offset, doing })
    const more = matches.length > limit ? { next_cursor: toCursor(offset + limit) } : {}
    const files = matches.slice(0, limit).map((item) => fileOf(nextcloud, item, doing))
    return { files: files.filter(({ path: at }) => fits(nameOf(at), wanted.name)), ...more }
  },
})

export interface Search {
  readonly folder: string
  readonly where: Xml
  readonly limit: number
  readonly offset?: number
  readonly doing: string
}

export async function search(nextcloud: Nextcloud, asked: Search): Promise<readonly DavItem[]> {
  const { folder, where, limit, offset = 0, doing } = asked
  const at = normalizePath(folder)
  assertInside(at)
  // Not encoded, because Nextcloud expects the scope of a search like this.
  const scope = `/files/${await nextcloud.userId()}${at === "/" ? "" : at}`
  const parts = [
    xml`<d:select><d:prop>${fileProps}</d:prop></d:select>`,
    xml`<d:from><d:scope><d:href>${scope}</d:href><d:depth>infinity</d:depth></d:scope></d:from>`,
    xml`<d:where>${where}</d:where>`,
    xml`<d:orderby><d:order><d:prop><d:getlastmodified/></d:prop><d:descending/></d:order></d:orderby>`,
    xml`<d:limit><d:nresults>${limit}</d:nresults>${offset === 0 ? [] : [firstResult(offset)]}</d:limit>`,
  ]
  const body = toDocument("d:searchrequest", xml`<d:basicsearch>${parts}</d:basicsearch>`)
  const answer = await davSend(nextcloud, { method: "SEARCH", path: "/remote.php/dav/", body, doing, accept: [500] })
  if (answer.status === 500) {
    const detail = davMessage(answer.text()) ?? ""
    // Nextcloud's message for a scope that is not a folder of this person contains “directories”.
    if (!detail.includes("directories")) throw nextcloudError("failed", { status: 500, doing, detail })
    const advice = "Check `folder` with nc_files_list_directory."
    throw nextcloudError("not_found", { status: 500, doing, because: `${at} is not a folder`, advice })
  }
  return multistatus(answer, doing)
}

/** Refuses dot segments: a path that cannot be an address cannot be a scope either. */
const assertInside = (at: string): void => void encodePath(at)

const firstResult = (offset: number): Xml =>
  xml`<sd:firstresult xmlns:sd="https://github.com/icewind1991/SearchDAV/ns">${offset}</sd:firstresult>`

interface FileFilter {
  readonly name?: string | undefined
  readonly type?: string | undefined
  readonly favorites?: boolean | undefined
  readonly modified_after?: string | undefined
  readonly modified_before?: string | undefined
  readonly min_size?: number | undefined
  readonly max_size?: number | undefined
}

export const onlyFiles = xml`<d:not><d:is-collection/></d:not>`

function whereOf(wanted: FileFilter, doing: string): Xml {
  const { name, type, favorites, modified_after: after, modified_before: before, min_size: min, max_size: max } = wanted
  const like = (prop: Xml, value: string): Xml =>
    xml`<d:like><d:prop>${prop}</d:prop><d:literal>${value}</d:literal></d:like>`
  const modified = xml`<d:prop><d:getlastmodified/></d:prop>`
  const size = xml`<d:prop><oc:size/></d:prop>`
  const kind = type === undefined ? undefined : typePattern(type, doing)
  const all = [
    ...(name === undefined ? [] : [like(xml`<d:displayname/>`, patternOf(name))]),
    ...(kind === undefined ? [] : [kind === "folder" ? xml`<d:is-collection/>` : like(xml`<d:getcontenttype/>`, kind)]),
    ...(favorites === true ? [xml`<d:eq><d:prop><oc:favorite/></d:prop><d:literal>yes</d:literal></d:eq>`] : []),
    ...(after === undefined ? [] : [xml`<d:gte>${modified}<d:literal>${timeOf(after, doing)}</d:literal></d:gte>`]),
    ...(before === undefined ? [] : [xml`<d:lt>${modified}<d:literal>${timeOf(before, doing)}</d:literal></d:lt>`]),
    ...(min === undefined ? [] : [xml`<d:gte>${size}<d:literal>${min}</d:literal></d:gte>`]),
    ...(max === undefined ? [] : [xml`<d:lte>${size}<d:literal>${max}</d:literal></d:lte>`]),
  ]
  const [first] = all
  if (first === undefined) return like(xml`<d:displayname/>`, "%")
  return all.length === 1 ? first : xml`<d:and>${all}</d:and>`
}

const patternOf = (name: string): string => {
  const text = name.trim().normalize("NFC")
  return text.includes("*") ? text.replaceAll("*", "%") : `%${text}%`
}

/**
 * The pattern for a media type: “image” and “image/*” match every picture, “image/png” only that type. The server
 * supports no other patterns.
 */
function typePattern(type: string, doing: string): string | undefined {
  const kind = type.trim().toLowerCase()
  if (kind === "folder" || /^[^*%/]+\/[^*%/]+$/.test(kind)) return kind
  if (/^\*?(\/\*)?$/.test(kind)) return undefined
  const [, group] = /^([^*%/]+)(?:\/\*?)?$/.exec(kind) ?? []
  if (group !== undefined) return `${group}/%`
  const advice = "Write it as “image”, “image/*”, “image/png” or “folder”."
  throw nextcloudError("invalid", { doing, because: `“${type}” is not a type that can be searched for`, advice })
}

/** Whether a result really contains the name: % and _ are wildcards to the server. */
function fits(fileName: string, name: string | undefined): boolean {
  if (name === undefined || !/[%_]/.test(name)) return true
  const words = name.trim().normalize("NFC").toLowerCase().split("*")
  return words.every((word) => fileName.normalize("NFC").toLowerCase().includes(word))
}

function timeOf(dateText: string, doing: string): string {
  const time = Date.parse(dateText)
  if (/^\s*\d{4}-\d{2}-\d{2}/.test(dateText) && !Number.isNaN(time))
    return new Date(time).toISOString().replace(/\.\d+Z$/, "+00:00")
  const advice = "Write it as 2026-11-15 or 2026-11-15T09:00:00Z."
  throw nextcloudError("invalid", { doing, because: `“${dateText}” is not a date`, advice })
}

const setFavorite = defineTool({
  name: "nc_files_set_favorite",
  title: "Mark as favourite",
  description: "Marks a file or folder as a favourite, or removes the mark.",
  scopes: ["files.write"],
  effect: "set",
  input: object({ path, favorite: flag() }),
  output: object({ path: text(), favorite: flag() }),
  async run({ path: at, favorite }, nextcloud) {
    const doing = `marking ${normalizePath(at)}`
    const value = xml`<d:set><d:prop><oc:favorite>${favorite ? 1 : 0}</oc:favorite></d:prop></d:set>`
    const body = toDocument("d:propertyupdate", value)
    const address = filesPath(await nextcloud.userId(), at)
    const answer = await davSend(nextcloud, { method: "PROPPATCH", path: address, body, doing, repeatable: true })
    const [outcome] = multistatus(answer, doing)
    if (outcome === undefined || outcome.props.children.length === 0)
      throw nextcloudError("forbidden", { doing, because: "Nextcloud did not accept the change" })
    return { path: normalizePath(at), favorite }
  },
})

export const searchingTools = [searchFiles, setFavorite]
