// If-Match and its kin, judged against what is there; and the If header, with which locks are passed and etags named.

import type { Reply } from "../area.ts"
import { locked, precondition } from "./answers.ts"
import type { Lock } from "./node.ts"
import { destinationOf, type Place } from "./place.ts"
import { httpDate } from "./properties.ts"
import { isMissing, type Spot, seconds } from "./store.ts"

/** Undefined: nothing speaks against it. */
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

/** RFC 4918 §10.4: of each resource named, one list must hold: `</a> (["etag"]) (<token>)`. */
function ifLists(place: Place): Reply | undefined {
  const lists = listsOf(place)
  const wrong = lists.some(({ spot, etags, tokens }) => {
    const tokenHeld = tokens.every((token) => spot?.node.lock?.token === token)
    return !tokenHeld || !etags.every((etag) => spot !== undefined && etag === quoted(spot))
  })
  if (!wrong) return undefined
  return precondition("If", "None of the tokens and or ETags from the If header matched")
}

interface List {
  readonly spot: Spot | undefined
  readonly etags: readonly string[]
  readonly tokens: readonly string[]
}

function listsOf(place: Place): readonly List[] {
  const header = place.call.headers.get("if") ?? ""
  return [...header.matchAll(/(?:<([^>]*)>\s*)?\(([^)]*)\)/g)].map(([, uri, list = ""]) => {
    const headers = new Headers({ destination: uri ?? "" })
    const path = uri === undefined ? place.path : destinationOf({ ...place.call, headers })?.path
    const spot = place.view.at(path ?? "/")
    const etags = [...list.matchAll(/\[([^\]]*)\]/g)].map(([, etag = ""]) => etag)
    const tokens = [...list.matchAll(/<([^>]*)>/g)].map(([, token = ""]) => token)
    return { spot: isMissing(spot) ? undefined : spot, etags, tokens }
  })
}

/** Undefined: it may be changed by this one. */
export function lockedFor(place: Place, spot: Spot): Reply | undefined {
  const lock = spot.node.lock
  if (lock === undefined || hasRunOut(lock, place)) return undefined
  const held = lock.kind === "person" ? lock.owner === place.user : presented(place).includes(lock.token)
  return held ? undefined : locked(`files/${place.view.user}${spot.path}`)
}

/** 0 is for ever. */
function hasRunOut({ since, timeout }: Lock, { world }: Place): boolean {
  return timeout > 0 && since + timeout <= seconds(world)
}

function presented(place: Place): readonly string[] {
  return listsOf(place).flatMap(({ tokens }) => tokens)
}

const quoted = ({ node }: Spot): string => `"${node.etag}"`

function names(header: string, spot: Spot): boolean {
  return header.split(",").some((one) => one.trim() === "*" || one.trim() === quoted(spot))
}

const withHeaders = (reply: Reply, headers: Readonly<Record<string, string>>): Reply => ({
  ...reply,
  headers: { ...reply.headers, ...headers },
})
