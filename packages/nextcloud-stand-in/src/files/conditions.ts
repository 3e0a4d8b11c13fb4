// Evaluates If-Match and related headers, and the If header, which names etags.

import type { Reply } from "../area.ts"
import { precondition } from "./answers.ts"
import { destinationOf, type Place } from "./place.ts"
import { httpDate } from "./properties.ts"
import { isMissing, type Spot } from "./store.ts"

/** Undefined: the request may proceed. */
export function refusedBy(place: Place, spot: Spot | undefined): Reply | undefined {
  return ifMatch(place, spot) ?? ifNoneMatch(place, spot) ?? ifModified(place, spot) ?? ifLists(place)
}

function ifMatch({ call }: Place, spot: Spot | undefined): Reply | undefined {
  const header = call.headers.get("if-match")
  if (header === null) return undefined
  if (spot === undefined) {
    return precondition("If-Match", "An If-Match header was specified and the resource did not exist")
  }
  if (names(header, spot)) return undefined
  const message = "An If-Match header was specified, but none of the specified ETags matched."
  return withHeaders(precondition("If-Match", message), { etag: quoted(spot) })
}

function ifNoneMatch({ call }: Place, spot: Spot | undefined): Reply | undefined {
  const header = call.headers.get("if-none-match")
  if (header === null || spot === undefined || !names(header, spot)) return undefined
  if (call.method === "GET" || call.method === "HEAD") return { status: 304, headers: { etag: quoted(spot) } }
  const message = "An If-None-Match header was specified, but the ETag matched (or * was specified)."
  return precondition("If-None-Match", message)
}

function ifModified({ call }: Place, spot: Spot | undefined): Reply | undefined {
  const since = Date.parse(call.headers.get("if-modified-since") ?? "")
  const until = Date.parse(call.headers.get("if-unmodified-since") ?? "")
  const reads = call.method === "GET" || call.method === "HEAD"
  if (spot === undefined) return undefined
  const at = spot.node.mtime * 1000
  if (reads && !call.headers.has("if-none-match") && at <= since) {
    return { status: 304, headers: { "last-modified": httpDate(spot.node.mtime) } }
  }
  if (!(at > until)) return undefined
  const message =
    "An If-Unmodified-Since header was specified, but the entity has been changed since the specified date."
  return precondition("If-Unmodified-Since", message)
}

/** RFC 4918 §10.4: each named resource must have one of its listed etags: `</a> (["etag"])`. Lock tokens never match. */
function ifLists(place: Place): Reply | undefined {
  const header = place.call.headers.get("if") ?? ""
  const wrong = [...header.matchAll(/(?:<([^>]*)>\s*)?\(([^)]*)\)/g)].some(([, uri, list = ""]) => {
    const headers = new Headers({ destination: uri ?? "" })
    const path = uri === undefined ? place.path : destinationOf({ ...place.call, headers })?.path
    const spot = place.view.at(path ?? "/")
    const etags = [...list.matchAll(/\[([^\]]*)\]/g)].map(([, etag = ""]) => etag)
    return list.includes("<") || !etags.every((etag) => !isMissing(spot) && etag === quoted(spot))
  })
  return wrong ? precondition("If", "None of the tokens and or ETags from the If header matched") : undefined
}

const quoted = ({ node }: Spot): string => `"${node.etag}"`

function names(header: string, spot: Spot): boolean {
  return header.split(",").some((one) => one.trim() === "*" || one.trim() === quoted(spot))
}

const withHeaders = (reply: Reply, headers: Readonly<Record<string, string>>): Reply => ({
  ...reply,
  headers: { ...reply.headers, ...headers },
})
