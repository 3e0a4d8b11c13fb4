// Evaluates If-Match and related headers, and the If header, which names etags.

import type { Reply } from "../area.ts"
import { precondition } from "./answers.ts"
import { type DavRequest, destinationOf } from "./dav-request.ts"
import { httpDate } from "./properties.ts"
import { type Entry, isMissing } from "./store.ts"

/** The refusal because of a condition; undefined when the request may proceed. */
export function findFailedCondition(request: DavRequest, entry: Entry | undefined): Reply | undefined {
  return ifMatch(request, entry) ?? ifNoneMatch(request, entry) ?? ifModified(request, entry) ?? ifLists(request)
}

function ifMatch({ call }: DavRequest, entry: Entry | undefined): Reply | undefined {
  const header = call.headers.get("if-match")
  if (header === null) return undefined
  if (entry === undefined) {
    return precondition("If-Match", "An If-Match header was specified and the resource did not exist")
  }
  if (listsEtag(header, entry)) return undefined
  const message = "An If-Match header was specified, but none of the specified ETags matched."
  return withHeaders(precondition("If-Match", message), { etag: quotedEtag(entry) })
}

function ifNoneMatch({ call }: DavRequest, entry: Entry | undefined): Reply | undefined {
  const header = call.headers.get("if-none-match")
  if (header === null || entry === undefined || !listsEtag(header, entry)) return undefined
  if (call.method === "GET" || call.method === "HEAD") return { status: 304, headers: { etag: quotedEtag(entry) } }
  const message = "An If-None-Match header was specified, but the ETag matched (or * was specified)."
  return precondition("If-None-Match", message)
}

function ifModified({ call }: DavRequest, entry: Entry | undefined): Reply | undefined {
  const modifiedSince = Date.parse(call.headers.get("if-modified-since") ?? "")
  const unmodifiedSince = Date.parse(call.headers.get("if-unmodified-since") ?? "")
  const isRead = call.method === "GET" || call.method === "HEAD"
  if (entry === undefined) return undefined
  const modifiedMs = entry.node.mtime * 1000
  if (isRead && !call.headers.has("if-none-match") && modifiedMs <= modifiedSince) {
    return { status: 304, headers: { "last-modified": httpDate(entry.node.mtime) } }
  }
  if (!(modifiedMs > unmodifiedSince)) return undefined
  const message =
    "An If-Unmodified-Since header was specified, but the entity has been changed since the specified date."
  return precondition("If-Unmodified-Since", message)
}

/**
 * The If header of RFC 4918 §10.4, `</a> (["etag"]) (Not ["other"])`: of the lists after each resource, at least one must
 * hold. Without a resource, the first lists are about the request's own.
 */
function ifLists(request: DavRequest): Reply | undefined {
  const header = request.call.headers.get("if") ?? ""
  const resources: { readonly path: string; readonly lists: string[] }[] = []
  for (const [, uri, list = ""] of header.matchAll(/(?:<([^>]*)>\s*)?\(([^)]*)\)/g)) {
    const lastResource = resources.at(-1)
    if (uri === undefined && lastResource !== undefined) lastResource.lists.push(list)
    else resources.push({ path: uri === undefined ? request.path : pathOf(request, uri), lists: [list] })
  }
  const isMet = resources.every(({ path, lists }) => {
    const entry = request.view.entryAt(path)
    return lists.some((list) => isListMet(list, isMissing(entry) ? undefined : quotedEtag(entry)))
  })
  return isMet ? undefined : precondition("If", "None of the tokens and or ETags from the If header matched")
}

function pathOf({ call }: DavRequest, uri: string): string {
  return destinationOf({ ...call, headers: new Headers({ destination: uri }) })?.path ?? "/"
}

/** Whether every condition of a list holds: an etag must be the current one. Lock tokens never match. */
function isListMet(list: string, currentEtag: string | undefined): boolean {
  return [...list.matchAll(/(not\s+)?(?:<[^>]*>|\[([^\]]*)\])/gi)].every(([, not, etag]) => {
    const isMatch = etag !== undefined && etag === currentEtag
    return isMatch === (not === undefined)
  })
}

const quotedEtag = ({ node }: Entry): string => `"${node.etag}"`

function listsEtag(header: string, entry: Entry): boolean {
  return header.split(",").some((one) => one.trim() === "*" || one.trim() === quotedEtag(entry))
}

const withHeaders = (reply: Reply, headers: Readonly<Record<string, string>>): Reply => ({
  ...reply,
  headers: { ...reply.headers, ...headers },
})
