// The policy of each tool of an agent, and the names in policies that no tool has. Pure.

import { nearest } from "@holdpoint/hub/forms"
import type { ToolPolicy } from "./definition.ts"
import { seenForm } from "./seen-names.ts"
import type { AvailableTool } from "./tool.ts"

export type Policies = Readonly<Record<string, ToolPolicy>>

/** A tool, and every name under which a policy may mean it. */
export interface NamedTool {
  readonly tool: AvailableTool
  readonly names: readonly string[]
}

/**
 * The policy of a tool: the strictest that names it. A policy for a name that looks like one of its names counts too, but
 * cannot make it looser. A tool that no policy names has the policy of “*”, or the default: tools of foreign
 * servers are asked about. They are also asked about instead of run while their list is not the accepted one, and when
 * they look like another tool of their server.
 */
export function policyOf(policies: Policies, { tool, names }: NamedTool, others: readonly NamedTool[]): ToolPolicy {
  const exact = names.flatMap((name) => ownPolicy(policies, name) ?? [])
  const seenNames = new Set(names.map(seenForm))
  const similar = Object.entries(policies).flatMap(([name, policy]) =>
    name !== "*" && seenNames.has(seenForm(name)) ? [policy] : [],
  )
  const fallback = ownPolicy(policies, "*") ?? (tool.foreign === undefined ? "always" : "ask")
  const policy = strictestOf([...(exact.length > 0 ? exact : [fallback]), ...similar])
  const isHeld = tool.foreign !== undefined && (!tool.foreign.isAccepted || hasTwin(tool, others))
  return isHeld && policy === "always" ? "ask" : policy
}

/** Only own members count: a server may call its tool “toString”. */
const ownPolicy = (policies: Policies, name: string): ToolPolicy | undefined =>
  Object.hasOwn(policies, name) ? policies[name] : undefined

/** Whether another tool of the same server looks like this one. */
const hasTwin = (tool: AvailableTool, others: readonly NamedTool[]): boolean =>
  others.some(
    ({ tool: other }) => other !== tool && other.server === tool.server && seenForm(other.name) === seenForm(tool.name),
  )

const strictestOf = (policies: readonly ToolPolicy[]): ToolPolicy =>
  policies.reduce((strictest, policy) => (strictness(policy) > strictness(strictest) ? policy : strictest))

function strictness(policy: ToolPolicy): number {
  switch (policy) {
    case "never":
      return 3
    case "ask":
      return 2
    case "always":
      return 0
    default:
      return 1
  }
}

/** A name in the policies of an agent that no tool has, and the name that was probably meant. */
export interface UnknownPolicy {
  readonly name: string
  readonly suggestion?: string | undefined
}

/** The names in policies that are neither a name of a tool nor look like one. */
export function unknownPolicies(policies: Policies, names: readonly string[]): readonly UnknownPolicy[] {
  const seenNames = new Set(names.map(seenForm))
  return Object.keys(policies)
    .filter((name) => name !== "*" && !seenNames.has(seenForm(name)))
    .map((name) => ({ name, suggestion: nearest(name, names) }))
}

/** What an agent's tool is called in policies, besides its own name. */
export const prefixedName = ({ server = "tool", name }: Pick<AvailableTool, "server" | "name">): string =>
  `${server}_${name}`
