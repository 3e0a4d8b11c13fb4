// PROPFIND and PROPPATCH in a folder of files.

import { childrenOf, dav, type Element, nc, oc } from "../xml.ts"
import { davHeader, isReply, multistatus, notLocated, type PropertyName, type Propstat } from "./answers.ts"
import { bodyOf, type DavRequest, depthOf, type Method, resourceOf } from "./dav-request.ts"
import { askedFor, fileProperties, fileResponse } from "./properties.ts"
import { type Entry, everyEntry, isMissing } from "./store.ts"

export const propfind: Method = (request) => {
  const { call, view, path } = request
  const body = bodyOf(call)
  if (isReply(body)) return body
  const headers = { vary: "Brief,Prefer", dav: davHeader }
  const entry = view.at(path)
  if (isMissing(entry)) {
    const reply = notLocated(entry.missing)
    return { ...reply, headers: { ...reply.headers, ...headers } }
  }
  const asked = askedFor(body.xml)
  return multistatus(
    within(request, entry).map((one) => fileResponse(resourceOf(request, one), asked)),
    headers,
  )
}

function within({ call, view }: DavRequest, entry: Entry): readonly Entry[] {
  const depth = depthOf(call)
  if (depth === 0) return [entry]
  return depth === 1 ? [entry, ...view.in(entry)] : everyEntry(view, entry)
}

export const proppatch: Method = (request) => {
  const { call, view, path } = request
  const body = bodyOf(call)
  if (isReply(body)) return body
  const entry = view.at(path)
  if (isMissing(entry)) return notLocated(entry.missing)
  const changes = changesIn(body.xml)
  const refused = changes.filter(([name]) => isReadOnly(name))
  if (refused.length === 0) for (const [name, value] of changes) set(request, entry, name, value)
  const { href } = fileResponse(resourceOf(request, entry), [])
  return multistatus([{ href, propstats: outcome(changes, refused) }], { vary: "Brief,Prefer" })
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
export function outcome(changes: readonly Change[], refused: readonly Change[]): readonly Propstat[] {
  const named = (some: readonly Change[]) => some.map(([name]) => [name, undefined] as const)
  if (refused.length === 0) return [{ status: "200 OK", properties: named(changes) }]
  return [
    { status: "403 Forbidden", properties: named(refused) },
    { status: "424 Failed Dependency", properties: named(changes.filter((one) => !refused.includes(one))) },
  ]
}

type Setter = (request: DavRequest, entry: Entry, value: string | undefined) => void

const setModified: Setter = (_, { node }, value) => {
  const at = Number(value)
  node.mtime = Number.isFinite(at) ? at : Math.floor(Date.parse(value ?? "") / 1000) || node.mtime
}

const setters: Readonly<Record<PropertyName, Setter>> = {
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
