// Which agent answers when a request names none: the `default` of the configuration, or its only agent.

import type { AgentsConfig } from "./definition.ts"

/**
 * Returns the name of the agent that answers when a message names none. Undefined when there are several and no
 * default.
 */
export function defaultAgent({ agents, default: chosen }: AgentsConfig): string | undefined {
  const names = Object.keys(agents)
  return chosen ?? (names.length === 1 ? names[0] : undefined)
}
