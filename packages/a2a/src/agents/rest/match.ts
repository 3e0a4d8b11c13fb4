// Finds the route of a path below an agent's address. A path may begin with a tenant. Pure.

export interface RestPath {
  readonly method: "GET" | "POST" | "DELETE"
  /** The path with placeholders: `{…}` matches an id, and may be followed by a verb, such as `{task}:cancel`. */
  readonly path: string
}

export interface MatchedRoute<R extends RestPath> {
  readonly byMethod: ReadonlyMap<string, R>
  readonly ids: Readonly<Record<string, string>>
  readonly tenant: string | undefined
}

/** Finds the routes of a path. A match without a tenant takes precedence: `/tasks/tasks` is the task “tasks”. */
export function matchRoute<R extends RestPath>(routes: readonly R[], path: string): MatchedRoute<R> | undefined {
  const segments = decode(path)
  if (segments === undefined) return undefined
  const [tenant, ...rest] = segments
  return match(routes, segments, undefined) ?? (tenant === "" ? undefined : match(routes, rest, tenant))
}

function match<R extends RestPath>(
  routes: readonly R[],
  segments: readonly string[],
  tenant: string | undefined,
): MatchedRoute<R> | undefined {
  const matches = routes.flatMap((route) => {
    const ids = idsOf(route.path.split("/"), segments)
    return ids === undefined ? [] : [{ route, ids }]
  })
  const first = matches[0]
  if (first === undefined) return undefined
  // The first match wins: routes with a verb come before the route that matches every id.
  const sameRoutes = matches.filter(({ route }) => route.path === first.route.path)
  return { byMethod: new Map(sameRoutes.map(({ route }) => [route.method, route])), ids: first.ids, tenant }
}

function idsOf(pattern: readonly string[], segments: readonly string[]): Readonly<Record<string, string>> | undefined {
  if (pattern.length !== segments.length) return undefined
  const ids: Record<string, string> = {}
  for (const [index, part] of pattern.entries()) {
    const segment = segments[index] ?? ""
    const [, name, verb = ""] = /^\{(\w+)\}(:\w+)?$/.exec(part) ?? []
    if (name === undefined ? part !== segment : !segment.endsWith(verb) || segment.length === verb.length)
      return undefined
    if (name !== undefined) ids[name] = segment.slice(0, segment.length - verb.length)
  }
  return ids
}

/** Splits and decodes a path. Undefined when its encoding is invalid. */
function decode(path: string): readonly string[] | undefined {
  try {
    return path.split("/").slice(1).map(decodeURIComponent)
  } catch {
    return undefined
  }
}
