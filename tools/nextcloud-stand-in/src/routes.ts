// Creates an area from a table of routes, and reads request bodies.

import type { Area, Call, Reply } from "./area.ts"
import { decodeSegment } from "./decode-segment.ts"
import { emptyReply, jsonType } from "./replies.ts"

export type Groups = Readonly<Record<string, string>>

/** Paths are compared as sent, without /index.php; named groups of a pattern are passed decoded. */
export type Route = readonly [
  method: string,
  path: string | RegExp,
  answer: (call: Call, groups: Groups) => Reply | Promise<Reply>,
]

/** Creates an area from routes. A known path with another method gets 405, as in Nextcloud. */
export function createArea(routes: readonly Route[]): Area {
  return (call) => {
    const routesOfPath = routes.flatMap(([method, path, answer]) => {
      const groups = match(path, call.path)
      return groups === undefined ? [] : [{ method, answer, groups }]
    })
    const routeMethod = call.method === "HEAD" ? "GET" : call.method
    const route = routesOfPath.find(({ method }) => method === routeMethod)
    if (route !== undefined) return route.answer(call, route.groups)
    if (routesOfPath.length === 0) return undefined
    return call.path.startsWith("/ocs/") ? { status: 405, headers: jsonType } : emptyReply(405)
  }
}

function match(pattern: string | RegExp, path: string): Groups | undefined {
  if (typeof pattern === "string") return pattern === path ? {} : undefined
  const result = pattern.exec(path)
  if (result === null) return undefined
  const namedGroups = Object.entries(result.groups ?? {}).filter(([, value]) => value !== undefined)
  return Object.fromEntries(namedGroups.map(([name, value]) => [name, decodeSegment(value)]))
}

/** Returns a pattern that matches this path, which is a part of a pattern itself, in both versions of OCS. */
export const inOcs = (path: string): RegExp => new RegExp(`^/ocs/v[12]\\.php${path}$`)

/** The fields of the query and of the body, which is flat JSON or a form. The body's fields take precedence. */
export function fieldsOf({ headers, body, query }: Call): ReadonlyMap<string, string> {
  const text = new TextDecoder().decode(body)
  if (!headers.get("content-type")?.startsWith("application/json")) {
    return new Map([...query, ...new URLSearchParams(text)])
  }
  const value = parseJson(text)
  const fieldEntries = typeof value === "object" && value !== null ? Object.entries(value) : []
  return new Map([
    ...query,
    ...fieldEntries.map(([name, content]): [string, string] => [name, content === null ? "" : String(content)]),
  ])
}

/** The body as JSON; undefined when it is not JSON. */
export function jsonOf({ body }: Call): unknown {
  return parseJson(new TextDecoder().decode(body))
}

/** The text as JSON; undefined when it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
