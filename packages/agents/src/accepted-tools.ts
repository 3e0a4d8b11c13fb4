// The accepted lists of a foreign server's tools: the first list that is seen, and the lists that somebody accepted
// since. Compares lists for people. Pure.

import { createHash } from "node:crypto"
import { isObject } from "./json.ts"
import type { ListedTool, ToolList } from "./records.ts"

/** The id of the record with the tools of a server. */
export const toolListIdOf = (server: string): string => `tools of ${server}`

export const isAccepted = ({ accepted }: Pick<ToolList, "accepted">, tools: readonly ListedTool[]): boolean =>
  accepted.digests.includes(digestOf(tools))

/** The list as the first accepted one. */
export const acceptFirst = (tools: readonly ListedTool[]): ToolList["accepted"] => ({
  tools,
  digests: [digestOf(tools)],
})

/** The record after somebody has accepted its last list. Lists that were accepted before stay accepted. */
export const acceptLast = (list: ToolList): ToolList => ({
  ...list,
  version: list.version + 1,
  accepted: {
    tools: list.tools,
    digests: [digestOf(list.tools), ...list.accepted.digests].slice(0, mostDigests),
  },
})

/** A server may list different tools to different people, so several lists can be accepted at the same time. */
const mostDigests = 20

/** The digest of a list. Neither the order of the tools nor that of the members of a schema matters. */
export const digestOf = (tools: readonly ListedTool[]): string =>
  createHash("sha256")
    .update(JSON.stringify([...tools].sort(byName), withSortedMembers))
    .digest("base64url")

const byName = (one: ListedTool, other: ListedTool): number => (one.name < other.name ? -1 : 1)

const withSortedMembers = (_key: string, value: unknown): unknown =>
  isObject(value) ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))) : value

export interface ToolDifference {
  readonly name: string
  readonly kind: "added" | "removed" | "changed"
  /** For a changed tool: what changed, before and after. */
  readonly changes: readonly { readonly what: string; readonly before: string; readonly after: string }[]
}

/** What differs between two lists of tools, by name. */
export function differencesOf(before: readonly ListedTool[], after: readonly ListedTool[]): readonly ToolDifference[] {
  const find = (tools: readonly ListedTool[], name: string) => tools.find((tool) => tool.name === name)
  const names = [...new Set([...before, ...after].map(({ name }) => name))].sort()
  return names.flatMap((name): readonly ToolDifference[] => {
    const [old, current] = [find(before, name), find(after, name)]
    if (old === undefined) return [{ name, kind: "added", changes: [] }]
    if (current === undefined) return [{ name, kind: "removed", changes: [] }]
    return digestOf([old]) === digestOf([current]) ? [] : [{ name, kind: "changed", changes: changesOf(old, current) }]
  })
}

function changesOf(before: ListedTool, after: ListedTool): ToolDifference["changes"] {
  const parts = { title: "title", description: "description", inputSchema: "schema", annotations: "hints" } as const
  return Object.entries(parts).flatMap(([member, what]) => {
    const [old, current] = [before, after].map((tool) => textOf(tool[member as keyof typeof parts]))
    return old === current ? [] : [{ what, before: old ?? "", after: current ?? "" }]
  })
}

const textOf = (value: unknown): string =>
  value === undefined ? "(none)" : typeof value === "string" ? value : JSON.stringify(value, withSortedMembers)
