// Matches resource URIs against templates such as `nc://files/{+path}`, and builds them. Variables are encoded, except
// slashes in {+path}.

import type { ResourceRow } from "./table.ts"
import { resources } from "./table.ts"

export interface ResourceMatch {
  readonly row: ResourceRow
  readonly variables: Readonly<Record<string, string>>
}

const patterns = resources.map((row) => ({ row, pattern: toPattern(row.uri) }))

export const isTemplate = ({ uri }: Pick<ResourceRow, "uri">): boolean => uri.includes("{")

export function findResource(uri: string): ResourceMatch | undefined {
  for (const { row, pattern } of patterns) {
    const match = pattern.exec(uri)
    if (match === null) continue
    const variables = decodeGroups(match.groups ?? {})
    return variables === undefined ? undefined : { row, variables }
  }
  return undefined
}

function toPattern(uri: string): RegExp {
  const text = uri.replace(/[.*+?^$()|[\]\\]/g, (character) => (character === "+" ? "+" : `\\${character}`))
  const pattern = text.replace(/\{\+(\w+)\}/g, "(?<$1>.+)").replace(/\{(\w+)\}/g, "(?<$1>[^/]+)")
  return new RegExp(`^${pattern}$`)
}

function decodeGroups(groups: Readonly<Record<string, string>>): Record<string, string> | undefined {
  try {
    return Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value)]))
  } catch {
    return undefined
  }
}
