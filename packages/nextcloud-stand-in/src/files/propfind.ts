// PROPFIND and PROPPATCH in a folder of files.

import { childrenOf, dav, type Element, nc, oc } from "../xml.ts"
import { davHeader, isReply, multistatus, notLocated, type PropertyName, type Propstat } from "./answers.ts"
import { bodyOf, depthOf, type Method, type Place, sightOf } from "./place.ts"
import { askedFor, fileProperties, fileResponse } from "./properties.ts"
import { everySpot, isMissing, type Spot } from "./store.ts"

export const propfind: Method = (place) => {
  const { call, view, path } = place
  const body = bodyOf(call)
  if (isReply(body)) return body
  const headers = { vary: "Brief,Prefer", dav: davHeader }
  const spot = view.at(path)
  if (isMissing(spot)) {
    const reply = notLocated(spot.missing)
    return { ...reply, headers: { ...reply.headers, ...headers } }
  }
  const asked = askedFor(body.xml)
  return multistatus(
    within(place, spot).map((one) => fileResponse(sightOf(place, one), asked)),
    headers,
  )
}

function within({ call, view }: Place, spot: Spot): readonly Spot[] {
  const depth = depthOf(call)
  if (depth === 0) return [spot]
  return depth === 1 ? [spot, ...view.in(spot)] : everySpot(view, spot)
}

export const proppatch: Method = (place) => {
  const { call, view, path } = place
  const body = bodyOf(call)
  if (isReply(body)) return body
  const spot = view.at(path)
  if (isMissing(spot)) return notLocated(spot.missing)
  const changes = changesIn(body.xml)
  const refused = changes.filter(([name]) => isReadOnly(name))
  if (refused.length === 0) for (const [name, value] of changes) set(place, spot, name, value)
  const { href } = fileResponse(sightOf(place, spot), [])
  return multistatus([{ href, propstats: outcome(changes, refused) }], { vary: "Brief,Prefer" })
}

/** Undefined removes it. */
type Change = readonly [name: PropertyName, value: string | undefined]

/** The changes that a PROPPATCH requests. */
export function changesIn(body: Element | undefined): readonly Change[] {
  return (body?.children ?? []).flatMap((action) =>
    childrenOf(action, dav, "prop").flatMap(({ children }) =>
      children.map((one): Change => [`{${one.space}}${one.name}`, action.name === "remove" ? undefined : one.text]),
    ),
  )
}

/** All or nothing, as RFC 4918 §9.2 requires. */
export function outcome(changes: readonly Change[], refused: readonly Change[]): readonly Propstat[] {
  const named = (some: readonly Change[]) => some.map(([name]) => [name, undefined] as const)
  if (refused.length === 0) return [{ status: "200 OK", properties: named(changes) }]
  return [
    { status: "403 Forbidden", properties: named(refused) },
    { status: "424 Failed Dependency", properties: named(changes.filter((one) => !refused.includes(one))) },
  ]
}

type Setter = (place: Place, spot: Spot, value: string | undefined) => void

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

function set(place: Place, spot: Spot, name: PropertyName, value: string | undefined): void {
  const setter = setters[name]
  if (setter !== undefined) setter(place, spot, value)
  else if (value === undefined) spot.node.custom.delete(name)
  else spot.node.custom.set(name, value)
}
