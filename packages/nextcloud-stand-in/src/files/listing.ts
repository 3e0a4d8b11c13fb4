// PROPFIND for resources that only look like a folder of files: trash, versions, uploads, comments, tags.

import type { Call, Reply } from "../area.ts"
import { dav, type Xml, xml } from "../xml.ts"
import { davHeader, isReply, multistatus, type PropertyName, type Response } from "./answers.ts"
import { bodyOf, depthOf, rootOf } from "./dav-request.ts"
import { askedFor, nothing, propstats } from "./properties.ts"

export interface Item {
  /** Below the server's own path, not encoded. */
  readonly path: string
  readonly properties: Readonly<Record<PropertyName, Xml | undefined>>
  /** The properties returned when the client names none; default: all. */
  readonly usual?: readonly PropertyName[]
}

/** The resource itself and, unless the depth is 0, its content. */
export function listing(call: Call, self: Item, inside: () => readonly Item[]): Reply {
  const body = bodyOf(call)
  if (isReply(body)) return body
  const items = depthOf(call) === 0 ? [self] : [self, ...inside()]
  const asked = askedFor(body.xml)
  return multistatus(
    items.map((item) => itemResponse(call, item, asked)),
    { vary: "Brief,Prefer", dav: davHeader },
  )
}

export function itemResponse(call: Call, item: Item, asked: readonly PropertyName[] | undefined): Response {
  const { path, properties, usual = Object.keys(properties) as PropertyName[] } = item
  return { href: `${rootOf(call)}${path}`, propstats: propstats(asked, usual, (name) => properties[name]) }
}

export function collection(path: string, more: Item["properties"] = {}): Item {
  return { path, properties: { [d("resourcetype")]: xml`<d:collection/>`, ...more } }
}

export const d = (name: string): PropertyName => `{${dav}}${name}`

/** The text as XML. Undefined stays undefined, and "" becomes an empty element. */
export function value(of: string | number | boolean | undefined): Xml | undefined {
  if (of === undefined) return undefined
  return of === "" ? nothing : xml`${String(of)}`
}
