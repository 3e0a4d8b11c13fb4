// PROPFIND for resources that only look like a folder of files: trash, versions, uploads, comments, tags.

import type { Call, Reply } from "../area.ts"
import { dav, type Xml, xml } from "../xml.ts"
import { davHeader, isReply, multistatus, type PropertyName, type Response } from "./answers.ts"
import { bodyOf, depthOf, rootOf } from "./dav-request.ts"
import { emptyXml, propstats, requestedNamesIn } from "./properties.ts"

export interface Item {
  /** Below the server's own path, not encoded. */
  readonly path: string
  readonly properties: Readonly<Record<PropertyName, Xml | undefined>>
  /** The properties returned when the client names none; default: all. */
  readonly defaultProperties?: readonly PropertyName[]
}

/** The resource itself and, unless the depth is 0, its content. */
export function listing(call: Call, self: Item, listItems: () => readonly Item[]): Reply {
  const body = bodyOf(call)
  if (isReply(body)) return body
  const items = depthOf(call) === 0 ? [self] : [self, ...listItems()]
  const requestedNames = requestedNamesIn(body.xml)
  return multistatus(
    items.map((item) => itemResponse(call, item, requestedNames)),
    { vary: "Brief,Prefer", dav: davHeader },
  )
}

export function itemResponse(call: Call, item: Item, requestedNames: readonly PropertyName[] | undefined): Response {
  const { path, properties, defaultProperties = Object.keys(properties) as PropertyName[] } = item
  return {
    href: `${rootOf(call)}${path}`,
    propstats: propstats(requestedNames, defaultProperties, (name) => properties[name]),
  }
}

export function collection(path: string, extraProperties: Item["properties"] = {}): Item {
  return { path, properties: { [davName("resourcetype")]: xml`<d:collection/>`, ...extraProperties } }
}

export const davName = (name: string): PropertyName => `{${dav}}${name}`

/** The text as XML. Undefined stays undefined, and "" becomes an empty element. */
export function value(content: string | number | boolean | undefined): Xml | undefined {
  if (content === undefined) return undefined
  return content === "" ? emptyXml : xml`${String(content)}`
}
