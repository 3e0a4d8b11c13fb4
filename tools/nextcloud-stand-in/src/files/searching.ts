// SEARCH with basicsearch (RFC 5323, as Nextcloud supports it) and REPORT with oc:filter-files.

import type { Call, Reply } from "../area.ts"
import { davError, htmlType, xmlType } from "../replies.ts"
import { childOf, childrenOf, dav, type Element, nc, oc, parseXml, textOf } from "../xml.ts"
import * as answer from "./answers.ts"
import { bodyOf, type DavRequest, davRequestOf, type Method, resourceOf } from "./dav-request.ts"
import { decodePath } from "./names.ts"
import { mimeOf, sizeOf } from "./node.ts"
import { fileResponse, requestedNamesIn } from "./properties.ts"
import { type Entry, everyEntry, isMissing, stateOf } from "./store.ts"

const searchType = { "content-type": 'application/xml; charset="utf-8"' }

export function search(call: Call, user: string): Reply {
  const query = parseSearch(call)
  if (query === undefined) {
    const body = "Parse error: Extra content at the end of the document\n on line 1, column 1"
    return { status: 400, headers: htmlType, body }
  }
  const scope = childOf(childOf(query, dav, "from"), dav, "scope")
  const href = textOf(scope, dav, "href")?.trim() ?? ""
  const [, owner, path] = /^(?:.*\/remote\.php\/dav)?\/?files\/([^/]+)(\/.*)?$/.exec(href) ?? []
  // A path alone is taken literally; only a complete URL is percent-encoded.
  const toPlainPath = (part: string): string | undefined =>
    decodePath(href.includes("://") ? part : encodeURIComponent(part))
  if (owner === undefined || toPlainPath(owner) !== `/${user}`) return onlyFolders()
  const request = davRequestOf(call, user, toPlainPath(path ?? "/") ?? "/")
  const folder = request.view.entryAt(request.path)
  if (isMissing(folder)) return answer.notLocated(folder.missing)
  if (!folder.node.folder) return onlyFolders()
  const condition = childOf(query, dav, "where")?.children[0]
  if (!usesKnownFields(condition)) {
    return {
      status: 400,
      headers: searchType,
      body: "requested search property is not a valid property for this scope",
    }
  }
  const pattern = unknownType(condition)
  if (pattern !== undefined) return davError(500, "InvalidArgumentException", onlyTypes(pattern))
  const [, ...descendants] = everyEntry(request.view, folder)
  const matches = descendants.filter((entry) => condition === undefined || holds(condition, entry, user))
  return results(request, query, matches)
}

function parseSearch(call: Call): Element | undefined {
  try {
    return childOf(parseXml(new TextDecoder().decode(call.body)), dav, "basicsearch")
  } catch {
    return undefined
  }
}

function results(request: DavRequest, query: Element, matches: readonly Entry[]): Reply {
  const limit = childOf(query, dav, "limit")
  const offset = Number(limit?.children.find(({ name }) => name === "firstresult")?.text ?? 0)
  const maxCount = Number(textOf(limit, dav, "nresults") ?? Number.POSITIVE_INFINITY)
  const orders = childrenOf(childOf(query, dav, "orderby"), dav, "order")
  const sortedEntries = matches.toSorted((a, b) => compare(orders, a, b, request.user)).slice(offset, offset + maxCount)
  const requestedNames = requestedNamesIn(childOf(query, dav, "select"))
  return answer.multistatus(
    sortedEntries.map((entry) => fileResponse(resourceOf(request, entry), requestedNames)),
    searchType,
  )
}

function onlyFolders(): Reply {
  return davError(500, "InvalidArgumentException", "Search is only supported on directories")
}

type Field = (entry: Entry, user: string) => string | number

/** The fields for searching and sorting. */
const fields: Readonly<Record<string, Field>> = {
  [`{${dav}}displayname`]: ({ path }) => path.slice(path.lastIndexOf("/") + 1),
  [`{${dav}}getcontenttype`]: ({ node }) => mimeOf(node),
  [`{${dav}}getlastmodified`]: ({ node }) => node.mtime,
  [`{${dav}}creationdate`]: ({ node }) => node.created,
  [`{${nc}}upload_time`]: ({ node }) => node.uploaded,
  [`{${oc}}size`]: ({ node }) => sizeOf(node),
  [`{${oc}}fileid`]: ({ node }) => node.id,
  [`{${oc}}favorite`]: ({ node }, user) => (node.favouriteOf.has(user) ? "yes" : "no"),
  [`{${oc}}owner-id`]: ({ node }) => node.owner,
}

function fieldOf(element: Element | undefined): Field | undefined {
  const property = childOf(element, dav, "prop")?.children[0]
  return property === undefined ? undefined : fields[`{${property.space}}${property.name}`]
}

const combinators: ReadonlySet<string> = new Set(["and", "or", "not"])

function usesKnownFields(condition: Element | undefined): boolean {
  if (condition === undefined || condition.name === "is-collection") return true
  return combinators.has(condition.name) ? condition.children.every(usesKnownFields) : fieldOf(condition) !== undefined
}

const isType = (condition: Element): boolean =>
  condition.name === "like" && childOf(childOf(condition, dav, "prop"), dav, "getcontenttype") !== undefined

/**
 * The first type in the query that has another form than “image/png” or “image/%”; undefined when all are supported.
 */
function unknownType(condition: Element | undefined): string | undefined {
  if (condition === undefined) return undefined
  if (!isType(condition)) return condition.children.map(unknownType).find((type) => type !== undefined)
  const pattern = textOf(condition, dav, "literal") ?? ""
  return pattern.includes("%") && !/.\/%/.test(pattern) ? pattern : undefined
}

const onlyTypes = (pattern: string): string =>
  `Unsupported query value for mimetype: ${pattern}, only values in the format "mime/type" or "mime/%" are supported`

function holds(condition: Element, entry: Entry, user: string): boolean {
  switch (condition.name) {
    case "and":
      return condition.children.every((one) => holds(one, entry, user))
    case "or":
      return condition.children.some((one) => holds(one, entry, user))
    case "not":
      return !condition.children.some((one) => holds(one, entry, user))
    case "is-collection":
      return entry.node.folder
    default:
      if (isType(condition)) return isOfType(mimeOf(entry.node), textOf(condition, dav, "literal") ?? "")
      return fieldMatches(
        condition.name,
        fieldOf(condition)?.(entry, user) ?? "",
        textOf(condition, dav, "literal") ?? "",
      )
  }
}

function isOfType(type: string, pattern: string): boolean {
  const [, group] = /^(.+)\/%/.exec(pattern) ?? []
  return group === undefined ? type === pattern : type.startsWith(`${group}/`)
}

function fieldMatches(operator: string, actual: string | number, literal: string): boolean {
  if (operator === "like") return likePattern(literal).test(String(actual))
  if (typeof actual === "string") return operator === "eq" && actual === literal
  const expectedNumber = toNumber(literal)
  const order = {
    eq: actual === expectedNumber,
    gt: actual > expectedNumber,
    gte: actual >= expectedNumber,
    lt: actual < expectedNumber,
  }
  return { ...order, lte: actual <= expectedNumber }[operator] ?? false
}

/** The value of a number, of true or false, or of a time such as 2026-11-15T09:00:00+00:00; 0 for other texts. */
function toNumber(literal: string): number {
  if (literal === "true") return 1
  if (literal === "false") return 0
  const number = Number(literal)
  if (!Number.isNaN(number)) return number
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)$/.test(literal)
  return isTime ? Math.floor(Date.parse(literal) / 1000) : 0
}

function likePattern(pattern: string): RegExp {
  const escapedPattern = pattern.normalize("NFC").replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
  return new RegExp(`^${escapedPattern.replaceAll("%", ".*").replaceAll("_", ".")}$`, "isu")
}

function compare(orders: readonly Element[], a: Entry, b: Entry, user: string): number {
  for (const order of orders) {
    const field = fieldOf(order)
    const [one, other] = [field?.(a, user) ?? 0, field?.(b, user) ?? 0]
    const isDescending = childOf(order, dav, "descending") !== undefined
    if (one !== other) return one < other === isDescending ? 1 : -1
  }
  return 0
}

/** The report oc:filter-files: finds favourites, files that have all requested tags, or files that are both. */
export const filterFiles: Method = (request) => {
  const { call, view, path, user, world } = request
  const body = bodyOf(call)
  if (answer.isReply(body)) return body
  if (body.xml?.name !== "filter-files") {
    return davError(415, "Sabre\\DAV\\Exception\\ReportNotSupported", "", { xml: "  <d:supported-report/>\n" })
  }
  const folder = view.entryAt(path)
  if (isMissing(folder)) return answer.notLocated(folder.missing)
  const rules = childOf(body.xml, oc, "filter-rules")
  const favourite = textOf(rules, oc, "favorite")
  const tags = childrenOf(rules, oc, "systemtag").map(({ text }) => Number(text))
  if (favourite === undefined && tags.length === 0) {
    return answer.badRequest("Missing filter-rule block in request")
  }
  if (!tags.every((id) => stateOf(world).tags.some((tag) => tag.id === id))) {
    return davError(412, "Sabre\\DAV\\Exception\\PreconditionFailed", "Cannot filter by non-existing tag")
  }
  const matches = everyEntry(view, folder).filter(
    ({ node }) => (favourite !== "1" || node.favouriteOf.has(user)) && tags.every((id) => node.tags.has(id)),
  )
  const requestedNames = requestedNamesIn(body.xml)
  return answer.multistatus(
    matches.map((entry) => fileResponse(resourceOf(request, entry), requestedNames)),
    xmlType,
  )
}
