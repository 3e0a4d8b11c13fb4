// Which agent answers when a request names none: the one of the configuration, or the only one there is.

import type { AgentsConfig } from "./definition.ts"

/** The agent that answers when a message names none. */
export function defaultAgent({ agents, default: chosen }: AgentsConfig): string | undefined {
  const names = Object.keys(agents)
  return chosen ?? (names.length === 1 ? names[0] : undefined)
}
