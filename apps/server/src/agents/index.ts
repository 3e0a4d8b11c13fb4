// What `holdpoint serve` needs of agents.

import { runPath } from "./http/callers.ts"

export { createAgents } from "./agents.ts"
export { readAgents } from "./section.ts"

/** The run API as programs are told of it that ask for a token in a person's name. */
export const runResource = {
  resource: runPath,
  name: "The agents of this server",
  scopes: { "agents.run": "Talk to the agents in your name" },
}
