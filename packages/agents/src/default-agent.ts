// Finds the agent for a request that does not name one: the `default` of the configuration, or its only agent.

import type { AgentsConfig } from "./definition.ts"

/** Returns the name of the default agent. Undefined when there are several agents and no default. */
export function defaultAgent({ agents, default: configuredDefault }: AgentsConfig): string | undefined {
  const names = Object.keys(agents)
  return configuredDefault ?? (names.length === 1 ? names[0] : undefined)
}
