// Evaluates If-Match and related headers, and the If header, which names etags.

import type { Reply } from "../area.ts"
import { precondition } from "./answers.ts"
import { type DavRequest, destinationOf } from "./dav-request.ts"
import { httpDate } from "./properties.ts"
import { type Entry, isMissing } from "./store.ts"

/** The refusal because of a condition; undefined when the request may proceed. */
export function refusedBy(request: DavRequest, entry: Entry | undefined): Reply | undefined {
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
 * The If header of RFC 4918 §10.4, `</a> (["etag"])`: each etag must be the named resource's. Lock tokens never match.
 */
function ifLists(request: DavRequest): Reply | undefined {
  const header = request.call.headers.get("if") ?? ""
  const isUnmet = [...header.matchAll(/(?:<([^>]*)>\s*)?\(([^)]*)\)/g)].some(([, uri, list = ""]) => {
    const headers = new Headers({ destination: uri ?? "" })
    const path = uri === undefined ? request.path : destinationOf({ ...request.call, headers })?.path
    const entry = request.view.entryAt(path ?? "/")
    const etags = [...list.matchAll(/\[([^\]]*)\]/g)].map(([, etag = ""]) => etag)
    return list.includes("<") || !etags.every((etag) => !isMissing(entry) && etag === quotedEtag(entry))
  })
  return isUnmet ? precondition("If", "None of the tokens and or ETags from the If header matched") : undefined
}

const quotedEtag = ({ node }: Entry): string => `"${node.etag}"`

function listsEtag(header: string, entry: Entry): boolean {
  return header.split(",").some((one) => one.trim() === "*" || one.trim() === quotedEtag(entry))
}

const withHeaders = (reply: Reply, headers: Readonly<Record<string, string>>): Reply => ({
  ...reply,
  headers: { ...reply.headers, ...headers },
})
