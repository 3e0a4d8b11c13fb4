// Offers remote A2A agents as tools: one tool per agent, which gives it a task. The account is looked up before the
// agent is called.

import type { A2aAgentConfig, AgentsConfig } from "@holdpoint/agents"
import type { Lister, RemoteTools, RunningRun } from "@holdpoint/agents/internal"
import {
  createAccounts,
  createCatalogue,
  personKey,
  taskSchema,
  toMissingAccountError,
} from "@holdpoint/agents/internal"
import { isHoldpointError } from "@holdpoint/hub"
import type { Fetch } from "@holdpoint/hub/internal"
import type { Site } from "@holdpoint/server"
import { openTasks } from "../../client/open-tasks.ts"
import type { A2aPeer } from "../../client/peer.ts"
import { connectA2a } from "../../client/peer.ts"
import { descriptionOf } from "./description.ts"
import { toToolOutput } from "./output.ts"

/** The maximum number of cached remote agents. */
const maxPeers = 200
/** How long the stored card is used after a failed request before the next try. */
const retryMs = 60_000

export function createA2aTools(site: Site, config: Pick<AgentsConfig, "a2aAgents">): RemoteTools {
  const { vault, addresses, report, runtime } = site
  const agents = config.a2aAgents ?? {}
  const accounts = createAccounts({ vault, addresses })
  const catalogue = createCatalogue(site)
  const peers = new Map<string, A2aPeer>()
  const failedAt = new Map<string, number>()
  let isClosed = false

  const fetchFor =
    (agent: A2aAgentConfig, run: RunningRun): Fetch =>
    async (address, init) => {
      const handle = await accounts.find(agent, run)
      if (handle === undefined) throw toMissingAccountError()
      return handle.fetch(address, init)
    }
  const peerOf = (name: string, agent: A2aAgentConfig, run: RunningRun): A2aPeer => {
    const { credentialScope, title = name, url, headers } = agent
    const key = JSON.stringify([name, credentialScope === "user" ? personKey(run.person) : run.tenant])
    const peer =
      peers.get(key) ??
      connectA2a({
        ...{ name: title, url, runtime },
        ...(headers === undefined ? {} : { headers }),
        ...(credentialScope === "none" ? {} : { fetch: fetchFor(agent, run) }),
      })
    if (isClosed) peer.close()
    // Moves the agent to the end: the first one is the least recently used.
    peers.delete(key)
    peers.set(key, peer)
    const [oldest] = peers.keys()
    if (peers.size > maxPeers && oldest !== undefined) peers.delete(oldest)
    return peer
  }
  /** The description on the agent's card: the current card, or the last one that was read. */
  const describe = async (name: string, peer: A2aPeer): Promise<Description> => {
    const key = `a2a:${name}`
    const isFailing = runtime.now() < (failedAt.get(name) ?? 0) + retryMs
    const listing = await catalogue
      .toolsOf(key, {}, isFailing ? undefined : listerOf(name, peer))
      .catch((error: unknown) => {
        failedAt.set(name, runtime.now())
        if (!isAccountMissing(error)) report(`reading the card of ${name}`, error)
        return catalogue.toolsOf(key, {}, undefined)
      })
    return { text: listing?.tools[0]?.description, isAccepted: listing?.isAccepted ?? true }
  }

  return {
    close() {
      isClosed = true
      for (const peer of peers.values()) peer.close()
    },
    async stop(ask, run) {
      if (Object.keys(agents).length === 0) return
      for (const task of await openTasks(ask)) {
        const [name, agent] = Object.entries(agents).find(([, { url }]) => url === task.agent) ?? []
        if (name !== undefined && agent !== undefined) await peerOf(name, agent, run).cancel(ask, task)
      }
    },
    async toolsOf(name, run) {
      const agent = agents[name]
      if (agent === undefined) return []
      const peer = peerOf(name, agent, run)
      const { title = name } = agent
      const { text, isAccepted } = await describe(name, peer)
      const description = text ?? `Gives a task to the agent “${title}” and returns its reply.`
      return [
        {
          name,
          title,
          description,
          inputSchema: taskSchema,
          foreign: { isAccepted },
          recall: (output) => accounts.recall(agent, run, output),
          run: (running) =>
            accounts.call(agent, { ...running, run }, async () => {
              const { ask, signal } = running.context
              const { task } = running.call.input as { readonly task: string }
              return toToolOutput(await peer.send(ask, { text: task, signal }))
            }),
        },
      ]
    },
  }
}

interface Description {
  readonly text: string | undefined
  /** Whether the card is one that was accepted. */
  readonly isAccepted: boolean
}

/** Lists the agent as a single tool, described by its card. */
const listerOf = (name: string, peer: A2aPeer): Lister => ({
  listTools: async () => [{ name, description: descriptionOf(await peer.card()), inputSchema: { type: "object" } }],
})

/** Whether the card needs an account that is not connected yet. */
const isAccountMissing = (error: unknown): boolean => isHoldpointError(error) && error.code === "connection_needed"
