// Requests that every collection handles in the same way: conditions, PROPFIND, PROPPATCH, and downloads.

import type { Call, Reply } from "../area.ts"
import { childOf, childrenOf, dav, type Element, parseXml, xml } from "../xml.ts"
import {
  answerFor,
  element,
  failure,
  hrefOf,
  multistatus,
  nameOf,
  type PropertyName,
  propstat,
  type Resource,
} from "./answers.ts"
import type { Item } from "./store.ts"

export const textOfBody = (call: Call): string => new TextDecoder().decode(call.body)

/** The XML document of the request; a reply when it is not XML. */
export function documentOf(call: Call): Element | Reply {
  try {
    return parseXml(textOfBody(call))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return failure(500, "Sabre\\Xml\\LibXMLException", reason)
  }
}

export function isReply(value: Element | Reply): value is Reply {
  return "status" in value
}

/** The properties that the request names; undefined for the default properties. */
export function requestedNamesIn(document: Element | undefined): readonly PropertyName[] | undefined {
  const prop = childOf(document, dav, "prop")
  return prop?.children.map(nameOf)
}

/** Responds with all resources, or with the first one if the Depth header is 0. */
export function propfind(
  call: Call,
  resources: () => readonly Resource[],
  headers: Readonly<Record<string, string>> = {},
): Reply {
  const document = call.body.length === 0 ? undefined : documentOf(call)
  if (document !== undefined && isReply(document)) return document
  const targets = call.headers.get("depth") === "0" ? resources().slice(0, 1) : resources()
  const requestedNames = requestedNamesIn(document)
  return multistatus(
    targets.map((one) => answerFor(call, one, requestedNames)),
    headers,
  )
}

/** The properties that a PROPPATCH, MKCOL or MKCALENDAR sets. */
export function propertiesToSet(document: Element): ReadonlyMap<PropertyName, Element> {
  const properties = childrenOf(document, dav, "set").flatMap((set) => childOf(set, dav, "prop")?.children ?? [])
  return new Map(properties.map((property) => [nameOf(property), property]))
}

function removals(document: Element): readonly PropertyName[] {
  return childrenOf(document, dav, "remove")
    .flatMap((set) => childOf(set, dav, "prop")?.children ?? [])
    .map(nameOf)
}

const isProtected = (name: PropertyName): boolean =>
  /\}(?:getetag|getctag|resourcetype|sync-token|getlastmodified|getcontentlength|owner)$/.test(name)

/** Applies all changes or none, as the standard requires. Calls `change` with each value, undefined for a removal. */
export function proppatch(
  call: Call,
  path: string,
  change: (name: PropertyName, value: Element | undefined) => void,
): Reply {
  const document = documentOf(call)
  if (isReply(document)) return document
  const set = propertiesToSet(document)
  const names = [...set.keys(), ...removals(document)]
  const protectedNames = names.filter(isProtected)
  const allowed = names.filter((name) => !isProtected(name))
  if (protectedNames.length === 0) for (const name of names) change(name, set.get(name))
  const stats = [
    ...(protectedNames.length > 0
      ? [
          propstat(
            "403 Forbidden",
            protectedNames.map((name) => element(name)),
          ),
        ]
      : []),
    ...(allowed.length > 0
      ? [
          propstat(
            protectedNames.length > 0 ? "424 Failed Dependency" : "200 OK",
            allowed.map((name) => element(name)),
          ),
        ]
      : []),
  ]
  return multistatus([xml`<d:response><d:href>${hrefOf(call, path).replace(/\/$/, "")}</d:href>${stats}</d:response>`])
}

/** The refusal because of If-Match or If-None-Match; undefined when the request may proceed. */
export function findFailedCondition(call: Call, item: Item | undefined): Reply | undefined {
  const match = call.headers.get("if-match")
  if (match !== null && !(item !== undefined && listsEtag(match, item))) {
    const message =
      item === undefined
        ? "An If-Match header was specified and the resource did not exist"
        : "An If-Match header was specified, but none of the specified ETags matched."
    return precondition("If-Match", message, item)
  }
  const noneMatch = call.headers.get("if-none-match")
  if (noneMatch === null || item === undefined || !listsEtag(noneMatch, item)) return undefined
  if (call.method === "GET" || call.method === "HEAD") return { status: 304, headers: { etag: `"${item.etag}"` } }
  const message = "An If-None-Match header was specified, but the ETag matched (or * was specified)."
  return precondition("If-None-Match", message, undefined)
}

function listsEtag(list: string, item: Item): boolean {
  return list.split(",").some((one) => one.trim() === "*" || one.trim().replace(/^(?:W\/)?"|"$/g, "") === item.etag)
}

function precondition(header: string, message: string, item: Item | undefined): Reply {
  const headers = item === undefined ? {} : { etag: `"${item.etag}"` }
  return failure(412, "PreconditionFailed", message, { xml: `  <s:header>${header}</s:header>\n`, headers })
}

export function etagOf(item: Item): Readonly<Record<string, string>> {
  return { etag: `"${item.etag}"`, "oc-etag": `"${item.etag}"` }
}

export function download(call: Call, item: Item, type: string): Reply {
  const name = encodeURIComponent(item.name)
  return (
    findFailedCondition(call, item) ?? {
      status: 200,
      headers: {
        "content-type": type,
        "last-modified": new Date(item.modified).toUTCString(),
        ...etagOf(item),
        "content-disposition": `attachment; filename*=UTF-8''${name}; filename="${item.name.replace(/[^ -~]/g, "-")}"`,
      },
      body: item.text,
    }
  )
}

export const toToken = (number: number): string => `http://sabre.io/ns/sync/${number}`
