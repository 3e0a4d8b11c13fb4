// A file or folder: from WebDAV properties to tool outputs.

import type { DavItem } from "../../api/dav.ts"
import { filesPath, propfind } from "../../api/dav.ts"
import { nextcloudError } from "../../api/error.ts"
import type { Nextcloud } from "../../api/nextcloud.ts"
import { toBareEtag } from "../../etag.ts"
import { flag, integer, list, optional, text } from "../../schema.ts"
import { fromSeconds } from "../../time.ts"
import type { Xml } from "../../xml.ts"
import { childOf, childrenOf, dav, nc, oc, textOf, xml } from "../../xml.ts"

export const path = text("Such as “/Photos/cat.jpg”")

export const fileFields = {
  path: text(),
  kind: text(),
  id: integer(),
  type: optional(text()),
  size: integer(),
  modified: text(),
  etag: text(),
  favorite: flag(),
  url: text(),
}

/** Additional output fields for shared items. */
export const sharedFields = {
  shared: optional(list(text())),
  owner: optional(text("If it belongs to someone else")),
}

/** The properties that `fileOf` needs. */
export const fileProps = xml`${[
  xml`<d:resourcetype/><d:getlastmodified/><d:getetag/><d:getcontenttype/>`,
  xml`<oc:fileid/><oc:size/><oc:favorite/>`,
]}`

export const sharedProps = xml`<oc:share-types/><nc:mount-type/><nc:is-mount-root/><oc:owner-display-name/>`

export interface FileFacts {
  readonly path: string
  readonly kind: "file" | "folder"
  readonly id: number
  readonly type?: string
  readonly size: number
  readonly modified: string
  readonly etag: string
  readonly favorite: boolean
  readonly url: string
}

export function fileOf(nextcloud: Nextcloud, item: DavItem, activity: string): FileFacts {
  const { need, number, time } = readerOf(item, activity)
  const id = number(oc, "fileid")
  const type = textOf(item.props, dav, "getcontenttype")
  return {
    path: pathIn(item.href, activity),
    kind: isFolder(item) ? "folder" : "file",
    id,
    ...(type === undefined || type === "" ? {} : { type }),
    size: number(oc, "size"),
    modified: time(dav, "getlastmodified"),
    etag: toBareEtag(need(dav, "getetag")),
    favorite: textOf(item.props, oc, "favorite") === "1",
    url: nextcloud.link(`/f/${id}`),
  }
}

export function sharingOf({ props }: DavItem): { readonly shared?: readonly string[]; readonly owner?: string } {
  const types = childrenOf(childOf(props, oc, "share-types"), oc, "share-type").map(({ text: type }) => type)
  const isForeign = textOf(props, nc, "mount-type") === "shared"
  const owner = textOf(props, oc, "owner-display-name")
  return {
    ...(types.length === 0 ? {} : { shared: types.map((type) => shareKinds[type] ?? "others") }),
    ...(isForeign && owner !== undefined ? { owner } : {}),
  }
}

/** The kinds of shares by Nextcloud's number. */
export const shareKinds: Readonly<Record<string, string>> = {
  0: "user",
  1: "group",
  3: "link",
  4: "email",
  6: "remote",
  7: "team",
  9: "remote_group",
  10: "conversation",
  12: "deck",
}

/**
 * Whether an item belongs to someone else, inside a folder they share. The shared item itself does not count: deleting
 * it only removes the mount.
 */
export function isInsideShare({ props }: DavItem, filePath: string): boolean {
  if (textOf(props, nc, "mount-type") !== "shared") return false
  const mountRoot = textOf(props, nc, "is-mount-root")
  // Servers before version 28 do not report `is-mount-root`. On these servers, shared items are at the top level.
  return mountRoot === undefined ? folderOf(filePath) !== "/" : mountRoot !== "true"
}

export const isFolder = ({ props }: DavItem): boolean =>
  childOf(childOf(props, dav, "resourcetype"), dav, "collection") !== undefined

/** Reads the item at this path. Throws when there is none. */
export async function find(
  nextcloud: Nextcloud,
  filePath: string,
  activity: string,
  extraProps?: Xml,
): Promise<DavItem> {
  const address = filesPath(await nextcloud.userId(), filePath)
  const [item] = await propfind(nextcloud, {
    path: address,
    props: { xml: fileProps.xml + (extraProps?.xml ?? "") },
    activity,
  })
  if (item === undefined) throw nextcloudError("malformed", { activity, detail: "an empty multistatus" })
  return item
}

/** The id of the file or folder at this path, which it keeps when it is moved. */
export const readFileId = async (nextcloud: Nextcloud, filePath: string, activity: string): Promise<number> =>
  fileOf(nextcloud, await find(nextcloud, filePath, activity), activity).id

/** Reads the item at this path. Undefined when there is none. */
export async function findFacts(
  nextcloud: Nextcloud,
  filePath: string,
  activity: string,
): Promise<FileFacts | undefined> {
  try {
    return fileOf(nextcloud, await find(nextcloud, filePath, activity), activity)
  } catch (error) {
    if (error instanceof Error && "kind" in error && error.kind === "not_found") return undefined
    throw error
  }
}

/** The path of an item, from its href. */
export function pathIn(href: string, activity: string): string {
  const encodedMatch = /\/remote\.php\/dav\/files\/[^/]+(\/.*)?$/.exec(href)
  if (encodedMatch === null)
    throw nextcloudError("malformed", { activity, detail: "an address that does not belong to a file" })
  return normalizePath(decode(encodedMatch[1] ?? "", activity))
}

export function decode(encodedPath: string, activity: string): string {
  try {
    return decodeURIComponent(encodedPath)
  } catch {
    throw nextcloudError("malformed", { activity, detail: "an address that cannot be read" })
  }
}

/** Normalizes a path: “Docs/a.txt/” becomes “/Docs/a.txt”. */
export const normalizePath = (filePath: string): string =>
  `/${filePath
    .split("/")
    .filter((part) => part !== "" && part !== ".")
    .join("/")}`

export const nameOf = (filePath: string): string =>
  normalizePath(filePath).slice(normalizePath(filePath).lastIndexOf("/") + 1)

export const folderOf = (filePath: string): string =>
  normalizePath(filePath).slice(0, normalizePath(filePath).lastIndexOf("/")) || "/"

/**
 * The link to a folder's page. Without the second “files” in it, the web interface may open another list that the
 * person chose as their start.
 */
export const folderPage = (nextcloud: Nextcloud, folder: string): string =>
  nextcloud.link(`/apps/files/files?dir=${encodeURIComponent(normalizePath(folder))}`)

/** The link to the page of the containing folder, for items whose id is not known. */
export const folderLink = (nextcloud: Nextcloud, filePath: string): string => folderPage(nextcloud, folderOf(filePath))

/** The file id in the headers after a write: “00000139ocsqgs47ig7d” is 139. Undefined when there is none. */
export function writtenFileId(headers: Headers): number | undefined {
  const id = Number.parseInt(headers.get("oc-fileid") ?? "", 10)
  return Number.isNaN(id) ? undefined : id
}

export function readerOf({ props }: DavItem, activity: string) {
  const need = (space: string, name: string): string => {
    const value = textOf(props, space, name)
    if (value === undefined) throw nextcloudError("malformed", { activity, detail: `no ${name}` })
    return value
  }
  const number = (space: string, name: string): number => {
    const value = Number(need(space, name))
    if (!Number.isFinite(value)) throw nextcloudError("malformed", { activity, detail: `${name} is not a number` })
    return value
  }
  /** Parses an HTTP date: “Sun, 15 Nov 2026 07:06:05 GMT”. */
  const time = (space: string, name: string): string => {
    const value = Date.parse(need(space, name))
    if (Number.isNaN(value)) throw nextcloudError("malformed", { activity, detail: `${name} is not a time` })
    return fromSeconds(value / 1000)
  }
  return { need, number, time }
}

export function bytesInWords(bytes: number): string {
  if (bytes === 1) return "1 byte"
  const units = ["bytes", "kB", "MB", "GB", "TB"]
  const step = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  return `${step === 0 ? bytes : (bytes / 1000 ** step).toFixed(1)} ${units[step]}`
}
