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
  description: "Files and folders at any depth that match all filters, newest first. Does not search their content.",
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
  async run({ folder = "/", limit = 50, cursor, ...filter }, nextcloud) {
    const activity = "searching files"
    const offset = offsetIn(cursor)
    // One extra result shows whether there are more.
    const matches = await search(nextcloud, {
      folder,
      condition: conditionOf(filter, activity),
      limit: limit + 1,
      offset,
      activity,
    })
    const cursorFields = matches.length > limit ? { next_cursor: toCursor(offset + limit) } : {}
    const files = matches.slice(0, limit).map((item) => fileOf(nextcloud, item, activity))
    return { files: files.filter(({ path: filePath }) => fits(nameOf(filePath), filter.name)), ...cursorFields }
  },
})

export interface Search {
  readonly folder: string
  readonly condition: Xml
  readonly limit: number
  readonly offset?: number
  readonly activity: string
}

export async function search(nextcloud: Nextcloud, request: Search): Promise<readonly DavItem[]> {
  const { folder, condition, limit, offset = 0, activity } = request
  const folderPath = normalizePath(folder)
  assertInside(folderPath)
  // The path is not percent-encoded, because Nextcloud expects the scope of a search unencoded.
  const scope = `/files/${await nextcloud.userId()}${folderPath === "/" ? "" : folderPath}`
  const parts = [
    xml`<d:select><d:prop>${fileProps}</d:prop></d:select>`,
    xml`<d:from><d:scope><d:href>${scope}</d:href><d:depth>infinity</d:depth></d:scope></d:from>`,
    xml`<d:where>${condition}</d:where>`,
    xml`<d:orderby><d:order><d:prop><d:getlastmodified/></d:prop><d:descending/></d:order></d:orderby>`,
    xml`<d:limit><d:nresults>${limit}</d:nresults>${offset === 0 ? [] : [firstResult(offset)]}</d:limit>`,
  ]
  const body = toDocument("d:searchrequest", xml`<d:basicsearch>${parts}</d:basicsearch>`)
  const answer = await davSend(nextcloud, { method: "SEARCH", path: "/remote.php/dav/", body, activity, accept: [500] })
  if (answer.status === 500) {
    const detail = davMessage(answer.text()) ?? ""
    // Nextcloud's message for a scope that is not a folder of this person contains “directories”.
    if (!detail.includes("directories")) throw nextcloudError("failed", { status: 500, activity, detail })
    const advice = "Check `folder` with nc_files_list_directory."
    throw nextcloudError("not_found", { status: 500, activity, because: `${folderPath} is not a folder`, advice })
  }
  return multistatus(answer, activity)
}

/** Throws for a path that cannot be an address, such as one with dot segments: it cannot be a scope either. */
const assertInside = (filePath: string): void => void encodePath(filePath)

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

export const isFileCondition = xml`<d:not><d:is-collection/></d:not>`

function conditionOf(filter: FileFilter, activity: string): Xml {
  const {
    name,
    type,
    favorites,
    modified_after: modifiedAfter,
    modified_before: modifiedBefore,
    min_size: minSize,
    max_size: maxSize,
  } = filter
  const likeCondition = (prop: Xml, value: string): Xml =>
    xml`<d:like><d:prop>${prop}</d:prop><d:literal>${value}</d:literal></d:like>`
  const modified = xml`<d:prop><d:getlastmodified/></d:prop>`
  const size = xml`<d:prop><oc:size/></d:prop>`
  const kind = type === undefined ? undefined : typePattern(type, activity)
  const all = [
    ...(name === undefined ? [] : [likeCondition(xml`<d:displayname/>`, patternOf(name))]),
    ...(kind === undefined
      ? []
      : [kind === "folder" ? xml`<d:is-collection/>` : likeCondition(xml`<d:getcontenttype/>`, kind)]),
    ...(favorites === true ? [xml`<d:eq><d:prop><oc:favorite/></d:prop><d:literal>yes</d:literal></d:eq>`] : []),
    ...(modifiedAfter === undefined
      ? []
      : [xml`<d:gte>${modified}<d:literal>${timeOf(modifiedAfter, activity)}</d:literal></d:gte>`]),
    ...(modifiedBefore === undefined
      ? []
      : [xml`<d:lt>${modified}<d:literal>${timeOf(modifiedBefore, activity)}</d:literal></d:lt>`]),
    ...(minSize === undefined ? [] : [xml`<d:gte>${size}<d:literal>${minSize}</d:literal></d:gte>`]),
    ...(maxSize === undefined ? [] : [xml`<d:lte>${size}<d:literal>${maxSize}</d:literal></d:lte>`]),
  ]
  const [firstCondition] = all
  if (firstCondition === undefined) return likeCondition(xml`<d:displayname/>`, "%")
  return all.length === 1 ? firstCondition : xml`<d:and>${all}</d:and>`
}

const patternOf = (name: string): string => {
  const text = name.trim().normalize("NFC")
  return text.includes("*") ? text.replaceAll("*", "%") : `%${text}%`
}

/**
 * The pattern for a media type: “image” and “image/*” match every picture, “image/png” only that type. Undefined for
 * “*”. The server supports no other patterns.
 */
function typePattern(type: string, activity: string): string | undefined {
  const kind = type.trim().toLowerCase()
  if (kind === "folder" || /^[^*%/]+\/[^*%/]+$/.test(kind)) return kind
  if (/^\*?(\/\*)?$/.test(kind)) return undefined
  const [, group] = /^([^*%/]+)(?:\/\*?)?$/.exec(kind) ?? []
  if (group !== undefined) return `${group}/%`
  const advice = "Write it as “image”, “image/*”, “image/png” or “folder”."
  throw nextcloudError("invalid", { activity, because: `“${type}” is not a type that can be searched for`, advice })
}

/** Whether a result really contains the name: % and _ are wildcards to the server. */
function fits(fileName: string, name: string | undefined): boolean {
  if (name === undefined || !/[%_]/.test(name)) return true
  const words = name.trim().normalize("NFC").toLowerCase().split("*")
  return words.every((word) => fileName.normalize("NFC").toLowerCase().includes(word))
}

function timeOf(dateText: string, activity: string): string {
  const time = Date.parse(dateText)
  if (/^\s*\d{4}-\d{2}-\d{2}/.test(dateText) && !Number.isNaN(time))
    return new Date(time).toISOString().replace(/\.\d+Z$/, "+00:00")
  const advice = "Write it as 2026-11-15 or 2026-11-15T09:00:00Z."
  throw nextcloudError("invalid", { activity, because: `“${dateText}” is not a date`, advice })
}

const setFavorite = defineTool({
  name: "nc_files_set_favorite",
  title: "Mark as favourite",
  description: "Marks a file or folder as a favourite, or removes the mark.",
  scopes: ["files.write"],
  effect: "set",
  input: object({ path, favorite: flag() }),
  output: object({ path: text(), favorite: flag() }),
  async run({ path: filePath, favorite }, nextcloud) {
    const activity = `marking ${normalizePath(filePath)}`
    const value = xml`<d:set><d:prop><oc:favorite>${favorite ? 1 : 0}</oc:favorite></d:prop></d:set>`
    const body = toDocument("d:propertyupdate", value)
    const address = filesPath(await nextcloud.userId(), filePath)
    const answer = await davSend(nextcloud, { method: "PROPPATCH", path: address, body, activity, repeatable: true })
    const [outcome] = multistatus(answer, activity)
    if (outcome === undefined || outcome.props.children.length === 0)
      throw nextcloudError("forbidden", { activity, because: "Nextcloud did not accept the change" })
    return { path: normalizePath(filePath), favorite }
  },
})

export const searchingTools = [searchFiles, setFavorite]
