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
export type Properties<T> = Readonly<Record<PropertyName, (of: T) => Xml | undefined>>

const d = (name: string): PropertyName => `{${dav}}${name}`
const o = (name: string): PropertyName => `{${oc}}${name}`
const n = (name: string): PropertyName => `{${nc}}${name}`

const text = (value: string | number | boolean): Xml => xml`${String(value)}`
export const nothing = xml``
const ofFile = ({ entry }: FileResource, value: (node: FileNode) => Xml | undefined): Xml | undefined =>
  entry.node.folder ? undefined : value(entry.node)
const ofFolder = ({ entry }: FileResource, value: (node: FileNode) => Xml): Xml | undefined =>
  entry.node.folder ? value(entry.node) : undefined

export const httpDate = (secondsSince: number): string => new Date(secondsSince * 1000).toUTCString()

export function oneId(id: number): string {
  return `${String(id).padStart(8, "0")}ocsqgs47ig7d`
}

export const fileProperties: Properties<FileResource> = {
  [d("getlastmodified")]: ({ entry }) => text(httpDate(entry.node.mtime)),
  [d("getcontentlength")]: (resource) => ofFile(resource, (node) => text(sizeOf(node))),
  [d("resourcetype")]: ({ entry }) => (entry.node.folder ? xml`<d:collection/>` : nothing),
  [d("quota-used-bytes")]: (resource) => ofFolder(resource, (node) => text(sizeOf(node))),
  [d("quota-available-bytes")]: (resource) =>
    ofFolder(resource, () => text(freeFor(resource.world, resource.entry.node.owner))),
  [d("getetag")]: ({ entry }) => text(`"${entry.node.etag}"`),
  [d("getcontenttype")]: (resource) => ofFile(resource, (node) => text(mimeOf(node))),
  [d("displayname")]: ({ entry, base }) => text(entry.path === "/" ? last(base) : last(entry.path)),
  [d("creationdate")]: ({ entry }) => text(new Date(entry.node.created * 1000).toISOString()),
  [d("current-user-principal")]: ({ root, user }) =>
    xml`<d:href>${root}/remote.php/dav/principals/users/${user}/</d:href>`,
  [o("id")]: ({ entry }) => text(oneId(entry.node.id)),
  [o("fileid")]: ({ entry }) => text(entry.node.id),
  [o("size")]: ({ entry }) => text(sizeOf(entry.node)),
  [o("permissions")]: ({ entry }) => text(permissionsOf(entry)),
  [o("share-permissions")]: ({ entry }) => text(entry.permissions),
  [o("favorite")]: ({ entry, user }) => text(entry.node.favouriteOf.has(user) ? 1 : 0),
  [o("owner-id")]: ({ entry }) => text(entry.node.owner),
  [o("owner-display-name")]: ({ world, entry }) => text(displayName(world, entry.node.owner)),
  [o("share-types")]: shareTypesOf,
  [o("checksums")]: ({ entry }) =>
    entry.node.checksum === "" ? undefined : xml`<oc:checksum>${entry.node.checksum}</oc:checksum>`,
  [o("tags")]: () => nothing,
  [o("comments-unread")]: (resource) => text(commentsOn(resource, (actor) => actor !== resource.user)),
  [o("comments-count")]: (resource) => text(commentsOn(resource, () => true)),
  [o("comments-href")]: ({ root, entry }) => text(`${root}/remote.php/dav/comments/files/${entry.node.id}`),
  [n("has-preview")]: ({ entry }) => text(hasPreview(entry.node)),
  [n("mount-type")]: ({ entry }) => text(entry.share === undefined ? "" : "shared"),
  [n("is-mount-root")]: ({ entry }) => text(entry.mounted || entry.path === "/"),
  [n("contained-folder-count")]: (resource) => ofFolder(resource, (node) => text(count(node, true))),
  [n("contained-file-count")]: (resource) => ofFolder(resource, (node) => text(count(node, false))),
  [n("creation_time")]: ({ entry }) => text(entry.node.created),
  [n("upload_time")]: (resource) => ofFile(resource, (node) => text(node.uploaded)),
  [n("note")]: ({ entry }) =>
    entry.share === undefined || entry.share.note === "" ? undefined : text(entry.share.note),
  [n("hidden")]: () => text(false),
  // Nothing is ever locked.
  [n("lock")]: (resource) => ofFile(resource, () => nothing),
  [n("sharees")]: shareesOf,
  [n("system-tags")]: systemTagsOf,
}

const unasked = ["getlastmodified", "getcontentlength", "resourcetype", "quota-used-bytes", "quota-available-bytes"]
/** The properties returned when the client names none. */
export const usual: readonly PropertyName[] = [...unasked, "getetag", "getcontenttype"].map(d)

/** The properties that a PROPFIND names; undefined for the default ones, also for `propname`. */
export function askedFor(body: Element | undefined): readonly PropertyName[] | undefined {
  const prop = body?.children.find((child) => child.space === dav && child.name === "prop")
  return prop?.children.map((child): PropertyName => `{${child.space}}${child.name}`)
}

export function fileResponse(resource: FileResource, asked: readonly PropertyName[] | undefined): Response {
  const { entry, base } = resource
  const path = entry.path === "/" ? "/" : `${entry.path}${entry.node.folder ? "/" : ""}`
  const custom = (name: PropertyName): Xml | undefined => {
    const value = entry.node.custom.get(name)
    return value === undefined ? undefined : xml`${value}`
  }
  const value = (name: PropertyName): Xml | undefined => fileProperties[name]?.(resource) ?? custom(name)
  return { href: `${base}${path}`, propstats: propstats(asked, usual, value) }
}

/** The properties that exist, and the names of those that do not. */
export function propstats(
  asked: readonly PropertyName[] | undefined,
  otherwise: readonly PropertyName[],
  value: (name: PropertyName) => Xml | undefined,
): readonly Propstat[] {
  const values = (asked ?? otherwise).map((name): [PropertyName, Xml | undefined] => [name, value(name)])
  const there = values.filter(([, one]) => one !== undefined).map(([name, one]) => [name, orEmpty(one)] as const)
  const not = asked === undefined ? [] : values.filter(([, one]) => one === undefined)
  return [
    { status: "200 OK", properties: there },
    { status: "404 Not Found", properties: not },
  ]
}

const orEmpty = (value: Xml | undefined): Xml | undefined => (value === nothing ? undefined : value)

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
  const may = (right: number): boolean => (permissions & right) !== 0
  return [
    share === undefined ? "" : "S",
    may(rights.share) ? "R" : "",
    "G",
    may(rights.delete) || mounted ? "D" : "",
    may(rights.update) || mounted ? "NV" : "",
    !node.folder && may(rights.update) ? "W" : "",
    node.folder && may(rights.create) ? "CK" : "",
  ].join("")
}

function shareTypesOf({ world, entry, user }: FileResource): Xml {
  const types = stateOf(world).shares.filter(({ node, owner }) => node === entry.node && owner === user)
  const unique = [...new Set(types.map(({ type }) => type))]
  return unique.length === 0 ? nothing : xml`${unique.map((type) => xml`<oc:share-type>${type}</oc:share-type>`)}`
}

function shareesOf({ world, entry, user }: FileResource): Xml {
  const mine = stateOf(world).shares.filter(({ node, owner }) => node === entry.node && owner === user)
  const persons = mine.filter(({ type }) => type === shareTypes.user || type === shareTypes.group)
  if (persons.length === 0) return nothing
  return xml`${persons.map((share) => {
    const name = displayName(world, share.with)
    const who = xml`<nc:id>${share.with}</nc:id><nc:display-name>${name}</nc:display-name>`
    return xml`<nc:sharee>${who}<nc:type>${share.type}</nc:type></nc:sharee>`
  })}`
}

function systemTagsOf({ world, entry }: FileResource): Xml {
  const tags = stateOf(world).tags.filter(({ id, visible }) => visible && entry.node.tags.has(id))
  if (tags.length === 0) return nothing
  const may = xml`oc:can-assign="true" oc:user-assignable="true" oc:user-visible="true"`
  return xml`${tags.map(({ id, name }) => xml`<nc:system-tag oc:id="${id}" ${may}>${name}</nc:system-tag>`)}`
}

function commentsOn({ world, entry }: FileResource, by: (actor: string) => boolean): number {
  return stateOf(world).comments.filter(({ fileId, actor }) => fileId === entry.node.id && by(actor)).length
}

function count(node: FileNode, folders: boolean): number {
  return [...node.children.values()].filter(({ folder }) => folder === folders).length
}

const last = (path: string): string => path.slice(path.lastIndexOf("/") + 1)
