// The table of all properties of files and folders, and the PROPFIND response made from it.

import type { World } from "../world.ts"
import { dav, type Element, nc, oc, type Xml, xml } from "../xml.ts"
import type { PropertyName, Propstat, Response } from "./answers.ts"
import { type FileNode, hasPreview, mimeOf, sizeOf } from "./node.ts"
import { type Entry, homeOf, rights, shareTypes, stateOf } from "./store.ts"

/** A resource as one user sees it, with its address. */
export interface FileResource {
  readonly world: World
  /** The viewing user. */
  readonly user: string
  readonly entry: Entry
  /** The address of the view's folder: `/remote.php/dav/files/alice`. */
  readonly base: string
  /** The server's own path, for other addresses. */
  readonly root: string
}

/** The function for each property's value, which returns undefined when the resource lacks the property. */
export type Properties<T> = Readonly<Record<PropertyName, (resource: T) => Xml | undefined>>

const davName = (name: string): PropertyName => `{${dav}}${name}`
const ocName = (name: string): PropertyName => `{${oc}}${name}`
const ncName = (name: string): PropertyName => `{${nc}}${name}`

const text = (value: string | number | boolean): Xml => xml`${String(value)}`
export const emptyXml = xml``
const fileValue = ({ entry }: FileResource, value: (node: FileNode) => Xml | undefined): Xml | undefined =>
  entry.node.folder ? undefined : value(entry.node)
const folderValue = ({ entry }: FileResource, value: (node: FileNode) => Xml): Xml | undefined =>
  entry.node.folder ? value(entry.node) : undefined

export const httpDate = (timestamp: number): string => new Date(timestamp * 1000).toUTCString()

export function instanceFileId(id: number): string {
  return `${String(id).padStart(8, "0")}ocsqgs47ig7d`
}

export const fileProperties: Properties<FileResource> = {
  [davName("getlastmodified")]: ({ entry }) => text(httpDate(entry.node.mtime)),
  [davName("getcontentlength")]: (resource) => fileValue(resource, (node) => text(sizeOf(node))),
  [davName("resourcetype")]: ({ entry }) => (entry.node.folder ? xml`<d:collection/>` : emptyXml),
  [davName("quota-used-bytes")]: (resource) => folderValue(resource, (node) => text(sizeOf(node))),
  [davName("quota-available-bytes")]: (resource) =>
    folderValue(resource, () => text(freeFor(resource.world, resource.entry.node.owner))),
  [davName("getetag")]: ({ entry }) => text(`"${entry.node.etag}"`),
  [davName("getcontenttype")]: (resource) => fileValue(resource, (node) => text(mimeOf(node))),
  [davName("displayname")]: ({ entry, base }) => text(entry.path === "/" ? lastSegment(base) : lastSegment(entry.path)),
  [davName("creationdate")]: ({ entry }) => text(new Date(entry.node.created * 1000).toISOString()),
  [davName("current-user-principal")]: ({ root, user }) =>
    xml`<d:href>${root}/remote.php/dav/principals/users/${user}/</d:href>`,
  [ocName("id")]: ({ entry }) => text(instanceFileId(entry.node.id)),
  [ocName("fileid")]: ({ entry }) => text(entry.node.id),
  [ocName("size")]: ({ entry }) => text(sizeOf(entry.node)),
  [ocName("permissions")]: ({ entry }) => text(permissionsOf(entry)),
  [ocName("share-permissions")]: ({ entry }) => text(entry.permissions),
  [ocName("favorite")]: ({ entry, user }) => text(entry.node.favouriteOf.has(user) ? 1 : 0),
  [ocName("owner-id")]: ({ entry }) => text(entry.node.owner),
  [ocName("owner-display-name")]: ({ world, entry }) => text(displayName(world, entry.node.owner)),
  [ocName("share-types")]: shareTypesOf,
  [ocName("checksums")]: ({ entry }) =>
    entry.node.checksum === "" ? undefined : xml`<oc:checksum>${entry.node.checksum}</oc:checksum>`,
  [ocName("tags")]: () => emptyXml,
  [ocName("comments-unread")]: (resource) => text(commentsOn(resource, (actor) => actor !== resource.user)),
  [ocName("comments-count")]: (resource) => text(commentsOn(resource, () => true)),
  [ocName("comments-href")]: ({ root, entry }) => text(`${root}/remote.php/dav/comments/files/${entry.node.id}`),
  [ncName("has-preview")]: ({ entry }) => text(hasPreview(entry.node)),
  [ncName("mount-type")]: ({ entry }) => text(entry.share === undefined ? "" : "shared"),
  [ncName("is-mount-root")]: ({ entry }) => text(entry.mounted || entry.path === "/"),
  [ncName("contained-folder-count")]: (resource) => folderValue(resource, (node) => text(count(node, true))),
  [ncName("contained-file-count")]: (resource) => folderValue(resource, (node) => text(count(node, false))),
  [ncName("creation_time")]: ({ entry }) => text(entry.node.created),
  [ncName("upload_time")]: (resource) => fileValue(resource, (node) => text(node.uploaded)),
  [ncName("note")]: ({ entry }) =>
    entry.share === undefined || entry.share.note === "" ? undefined : text(entry.share.note),
  [ncName("hidden")]: () => text(false),
  // Nothing is ever locked.
  [ncName("lock")]: (resource) => fileValue(resource, () => emptyXml),
  [ncName("sharees")]: shareesOf,
  [ncName("system-tags")]: systemTagsOf,
}

const folderDefaults = [
  "getlastmodified",
  "getcontentlength",
  "resourcetype",
  "quota-used-bytes",
  "quota-available-bytes",
]
/** The properties returned when the client names none. */
export const defaultProperties: readonly PropertyName[] = [...folderDefaults, "getetag", "getcontenttype"].map(davName)

/** The properties that a PROPFIND names; undefined for the default ones, also for `propname`. */
export function requestedNamesIn(body: Element | undefined): readonly PropertyName[] | undefined {
  const prop = body?.children.find((child) => child.space === dav && child.name === "prop")
  return prop?.children.map((child): PropertyName => `{${child.space}}${child.name}`)
}

export function fileResponse(resource: FileResource, requestedNames: readonly PropertyName[] | undefined): Response {
  const { entry, base } = resource
  const path = entry.path === "/" ? "/" : `${entry.path}${entry.node.folder ? "/" : ""}`
  const customValue = (name: PropertyName): Xml | undefined => {
    const value = entry.node.custom.get(name)
    return value === undefined ? undefined : xml`${value}`
  }
  const value = (name: PropertyName): Xml | undefined => fileProperties[name]?.(resource) ?? customValue(name)
  return { href: `${base}${path}`, propstats: propstats(requestedNames, defaultProperties, value) }
}

/** The properties that exist, and the names of those that do not. */
export function propstats(
  requestedNames: readonly PropertyName[] | undefined,
  defaultNames: readonly PropertyName[],
  value: (name: PropertyName) => Xml | undefined,
): readonly Propstat[] {
  const values = (requestedNames ?? defaultNames).map((name): [PropertyName, Xml | undefined] => [name, value(name)])
  const foundProperties = values
    .filter(([, one]) => one !== undefined)
    .map(([name, one]) => [name, orEmpty(one)] as const)
  const missingProperties = requestedNames === undefined ? [] : values.filter(([, one]) => one === undefined)
  return [
    { status: "200 OK", properties: foundProperties },
    { status: "404 Not Found", properties: missingProperties },
  ]
}

const orEmpty = (value: Xml | undefined): Xml | undefined => (value === emptyXml ? undefined : value)

/** The free space in bytes. -3 is Nextcloud's value for unlimited. */
export function freeFor(world: World, owner: string): number {
  const quota = world.users.get(owner)?.quota
  return quota === undefined ? -3 : Math.max(0, quota - sizeOf(homeOf(world, owner)))
}

export function displayName(world: World, user: string): string {
  return world.users.get(user)?.displayName ?? user
}

/** The permission letters: S shared, R may be shared, G read, D delete, N rename, V move, W write, CK create. */
function permissionsOf({ node, permissions, share, mounted }: Entry): string {
  const hasRight = (right: number): boolean => (permissions & right) !== 0
  return [
    share === undefined ? "" : "S",
    hasRight(rights.share) ? "R" : "",
    "G",
    hasRight(rights.delete) || mounted ? "D" : "",
    hasRight(rights.update) || mounted ? "NV" : "",
    !node.folder && hasRight(rights.update) ? "W" : "",
    node.folder && hasRight(rights.create) ? "CK" : "",
  ].join("")
}

function shareTypesOf({ world, entry, user }: FileResource): Xml {
  const types = stateOf(world).shares.filter(({ node, owner }) => node === entry.node && owner === user)
  const unique = [...new Set(types.map(({ type }) => type))]
  return unique.length === 0 ? emptyXml : xml`${unique.map((type) => xml`<oc:share-type>${type}</oc:share-type>`)}`
}

function shareesOf({ world, entry, user }: FileResource): Xml {
  const ownShares = stateOf(world).shares.filter(({ node, owner }) => node === entry.node && owner === user)
  const persons = ownShares.filter(({ type }) => type === shareTypes.user || type === shareTypes.group)
  if (persons.length === 0) return emptyXml
  return xml`${persons.map((share) => {
    const name = displayName(world, share.with)
    const shareeXml = xml`<nc:id>${share.with}</nc:id><nc:display-name>${name}</nc:display-name>`
    return xml`<nc:sharee>${shareeXml}<nc:type>${share.type}</nc:type></nc:sharee>`
  })}`
}

function systemTagsOf({ world, entry }: FileResource): Xml {
  const tags = stateOf(world).tags.filter(({ id, visible }) => visible && entry.node.tags.has(id))
  if (tags.length === 0) return emptyXml
  const tagAttributes = xml`oc:can-assign="true" oc:user-assignable="true" oc:user-visible="true"`
  return xml`${tags.map(({ id, name }) => xml`<nc:system-tag oc:id="${id}" ${tagAttributes}>${name}</nc:system-tag>`)}`
}

function commentsOn({ world, entry }: FileResource, isCounted: (actor: string) => boolean): number {
  return stateOf(world).comments.filter(({ fileId, actor }) => fileId === entry.node.id && isCounted(actor)).length
}

function count(node: FileNode, folders: boolean): number {
  return [...node.children.values()].filter(({ folder }) => folder === folders).length
}

const lastSegment = (path: string): string => path.slice(path.lastIndexOf("/") + 1)
