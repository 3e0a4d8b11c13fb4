// PROPFIND and PROPPATCH in a folder of files.

import { childrenOf, dav, type Element, nc, oc } from "../xml.ts"
import { davHeader, isReply, multistatus, notLocated, type PropertyName, type Propstat } from "./answers.ts"
import { bodyOf, type DavRequest, depthOf, type Method, resourceOf } from "./dav-request.ts"
import { fileProperties, fileResponse, requestedNamesIn } from "./properties.ts"
import { type Entry, everyEntry, isMissing } from "./store.ts"

export const propfind: Method = (request) => {
  const { call, view, path } = request
  const body = bodyOf(call)
  if (isReply(body)) return body
  const headers = { vary: "Brief,Prefer", dav: davHeader }
  const entry = view.entryAt(path)
  if (isMissing(entry)) {
    const reply = notLocated(entry.missing)
    return { ...reply, headers: { ...reply.headers, ...headers } }
  }
  const requestedNames = requestedNamesIn(body.xml)
  return multistatus(
    entriesWithin(request, entry).map((one) => fileResponse(resourceOf(request, one), requestedNames)),
    headers,
  )
}

function entriesWithin({ call, view }: DavRequest, entry: Entry): readonly Entry[] {
  const depth = depthOf(call)
  if (depth === 0) return [entry]
  return depth === 1 ? [entry, ...view.childrenOf(entry)] : everyEntry(view, entry)
}

export const proppatch: Method = (request) => {
  const { call, view, path } = request
  const body = bodyOf(call)
  if (isReply(body)) return body
  const entry = view.entryAt(path)
  if (isMissing(entry)) return notLocated(entry.missing)
  const changes = changesIn(body.xml)
  const refusedChanges = changes.filter(([name]) => isReadOnly(name))
  if (refusedChanges.length === 0) for (const [name, value] of changes) set(request, entry, name, value)
  const { href } = fileResponse(resourceOf(request, entry), [])
  return multistatus([{ href, propstats: outcome(changes, refusedChanges) }], { vary: "Brief,Prefer" })
}

/** A change of a property; the value undefined removes it. */
type Change = readonly [name: PropertyName, value: string | undefined]

/** The changes that a PROPPATCH requests. */
export function changesIn(body: Element | undefined): readonly Change[] {
  return (body?.children ?? []).flatMap((action) =>
    childrenOf(action, dav, "prop").flatMap(({ children }) =>
      children.map((one): Change => [`{${one.space}}${one.name}`, action.name === "remove" ? undefined : one.text]),
    ),
  )
}

/** The result of a PROPPATCH: all changes or none succeed, as RFC 4918 §9.2 requires. */
export function outcome(changes: readonly Change[], refusedChanges: readonly Change[]): readonly Propstat[] {
  const toNames = (listedChanges: readonly Change[]) => listedChanges.map(([name]) => [name, undefined] as const)
  if (refusedChanges.length === 0) return [{ status: "200 OK", properties: toNames(changes) }]
  return [
    { status: "403 Forbidden", properties: toNames(refusedChanges) },
    { status: "424 Failed Dependency", properties: toNames(changes.filter((one) => !refusedChanges.includes(one))) },
  ]
}

type PropertySetter = (request: DavRequest, entry: Entry, value: string | undefined) => void

const setModified: PropertySetter = (_, { node }, value) => {
  const timestamp = Number(value)
  node.mtime = Number.isFinite(timestamp) ? timestamp : Math.floor(Date.parse(value ?? "") / 1000) || node.mtime
}

const setters: Readonly<Record<PropertyName, PropertySetter>> = {
  [`{${oc}}favorite`]: ({ user }, { node }, value) => {
    if (value === "1" || value === "true") node.favouriteOf.add(user)
    else node.favouriteOf.delete(user)
  },
  [`{${dav}}getetag`]: (_, { node }, value) => {
    node.etag = value ?? node.etag
  },
  [`{${dav}}lastmodified`]: setModified,
  [`{${dav}}getlastmodified`]: setModified,
  [`{${nc}}creation_time`]: (_, { node }, value) => {
    node.created = Number(value)
  },
}

function isReadOnly(name: PropertyName): boolean {
  return setters[name] === undefined && name in fileProperties
}

function set(request: DavRequest, entry: Entry, name: PropertyName, value: string | undefined): void {
  const setter = setters[name]
  if (setter !== undefined) setter(request, entry, value)
  else if (value === undefined) entry.node.custom.delete(name)
  else entry.node.custom.set(name, value)
}
