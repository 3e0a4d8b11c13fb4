// An area as a table of routes, and how to read what was sent.

import type { Area, Call, Reply } from "./area.ts"
import { decoded } from "./decoded.ts"
import { empty, jsonType } from "./replies.ts"

export type Groups = Readonly<Record<string, string>>

/** A path is compared as it was sent, without /index.php; named groups of a pattern are handed over decoded. */
export type Route = readonly [
  method: string,
  path: string | RegExp,
  answer: (call: Call, groups: Groups) => Reply | Promise<Reply>,
]

/** What has a path here but not with this method is 405, as in Nextcloud. */
export function createArea(routes: readonly Route[]): Area {
  return (call) => {
    const here = routes.flatMap(([method, path, answer]) => {
      const groups = match(path, call.path)
      return groups === undefined ? [] : [{ method, answer, groups }]
    })
    const asked = call.method === "HEAD" ? "GET" : call.method
    const found = here.find(({ method }) => method === asked)
    if (found !== undefined) return found.answer(call, found.groups)
    if (here.length === 0) return undefined
    return call.path.startsWith("/ocs/") ? { status: 405, headers: jsonType } : empty(405)
  }
}

function match(pattern: string | RegExp, path: string): Groups | undefined {
  if (typeof pattern === "string") return pattern === path ? {} : undefined
  const found = pattern.exec(path)
  if (found === null) return undefined
  const named = Object.entries(found.groups ?? {}).filter(([, value]) => value !== undefined)
  return Object.fromEntries(named.map(([name, value]) => [name, decoded(value)]))
}

/** Of both versions of OCS. */
export const inOcs = (path: string): RegExp => new RegExp(`^/ocs/v[12]\\.php${path}$`)

/** Of a form or of flat JSON. What is no such thing has no fields. */
export function fieldsOf({ headers, body, query }: Call): ReadonlyMap<string, string> {
  const text = new TextDecoder().decode(body)
  if (!headers.get("content-type")?.startsWith("application/json")) {
    return new Map([...query, ...new URLSearchParams(text)])
  }
  const value = parseJson(text)
  const flat = typeof value === "object" && value !== null ? Object.entries(value) : []
  return new Map([...query, ...flat.map(([name, one]): [string, string] => [name, one === null ? "" : String(one)])])
}

/** Undefined when it is no JSON. */
export function jsonOf({ body }: Call): unknown {
  return parseJson(new TextDecoder().decode(body))
}

/** Undefined when it is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
