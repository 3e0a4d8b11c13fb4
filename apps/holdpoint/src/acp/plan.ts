// Reads what `holdpoint acp` needs: the settings, and the agent that --agent names.

import { dirname, join, resolve } from "node:path"
import type { AgentsConfig } from "@holdpoint/agents"
import { readAgents } from "@holdpoint/agents"
import type { Call } from "../command.ts"
import { readSettings, type Settings } from "../config.ts"
import { isLoopback } from "../loopback.ts"
import { didYouMean, wrongUse } from "../wrong-use.ts"

export interface Plan {
  readonly settings: Settings
  readonly config: AgentsConfig
  /** The name of the agent. */
  readonly agent: string
}

export async function readPlan({ io, args }: Call): Promise<Plan> {
  const file = args.one("config")
  const folder = file === undefined ? io.cwd : dirname(resolve(io.cwd, file))
  // The database is beside the settings, because editors start the command in any folder. With a shared database, a
  // process with other settings would resume the replies of these agents.
  const settings = await readSettings(io, args, { database: join(folder, ".holdpoint", "holdpoint.db") })
  if (settings.agents === undefined)
    throw wrongUse(
      "The settings have no agents.",
      `Write the section “agents” in holdpoint.config.ts${file === undefined ? ", or name the file with --config FILE" : ""}.`,
    )
  const config = readAgents(settings.agents)
  assertLocalCallback(settings)
  return { settings, config, agent: agentOf(config, args.one("agent")) }
}

function agentOf({ agents, default: defaultAgent }: AgentsConfig, requestedAgent: string | undefined): string {
  const names = Object.keys(agents)
  const list = `There are: ${names.join(", ")}.`
  const agent = requestedAgent ?? defaultAgent ?? (names.length === 1 ? names[0] : undefined)
  if (agent === undefined) throw wrongUse("Which agent? The settings have several.", `Write --agent NAME. ${list}`)
  if (Object.hasOwn(agents, agent)) return agent
  throw wrongUse(`There is no agent “${agent}”.`, didYouMean(agent, names, list))
}

function assertLocalCallback({ pages: { callbackUrl } }: Settings): void {
  if (callbackUrl === undefined || isLoopback(callbackUrl)) return
  throw wrongUse(
    `The callback URL is ${callbackUrl}, but a sign-in that begins in an editor must return to this machine.`,
    "Set callbackUrl to an address such as http://127.0.0.1:4650/oauth/callback, and register it with the provider.",
  )
}
