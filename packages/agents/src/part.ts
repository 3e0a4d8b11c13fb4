// The agents of a configuration as a part of a server.

import type { Part } from "@holdpoint/server/parts"
import { type AgentsOptions, createAgents } from "./agents.ts"
import type { AgentsConfig } from "./definition.ts"

/** Serves the agents of a configuration that `readAgents` has checked: pass it to `createHoldpoint` among its `parts`. */
export const agents = (config: AgentsConfig, options?: AgentsOptions): Part => ({
  name: "agents",
  title: "Agents",
  open: () => ({ mount: (site) => createAgents(site, config, options) }),
})
