// The connections to MCP servers: one for each person, even where people share the credentials. On a shared connection,
// the open question of one person would hold up the calls of all others at a server of revision 2025-11-25. Idle
// connections are closed, and their number is bounded.

import { HoldpointError } from "@holdpoint/hub"
import type { Mcp } from "@holdpoint/mcp"
import type { McpPeer } from "@holdpoint/mcp/client"
import { connectMcp, inProcess } from "@holdpoint/mcp/client"
import type { Site } from "@holdpoint/server"
import { personKey } from "../conversations.ts"
import type { McpServerConfig } from "../definition.ts"
import type { RunningRun } from "../runs.ts"
import type { Accounts } from "./accounts.ts"
import { openTransport } from "./transport.ts"

export interface Peers {
  /** The connection to the server for this run. Throws `provider_unavailable` when all connections are in use. */
  peerOf(name: string, run: RunningRun): McpPeer
  /** Closes the person's connection, so that the next call uses new credentials. */
  renew(name: string, run: RunningRun): Promise<void>
  close(): Promise<void>
}

export interface PeersParts {
  readonly servers: Readonly<Record<string, McpServerConfig>>
  readonly site: Site
  readonly accounts: Accounts
  /** Called when a server notifies that its tools have changed. */
  readonly onToolsChanged: (server: string) => void
}

/** The maximum number of open connections. */
const maxPeers = 200
/** After this time without use, a connection is closed. */
const idleMs = 10 * 60_000

interface OpenPeer {
  readonly peer: McpPeer
  readonly usedAt: number
}

export function createPeers({ servers, site, accounts, onToolsChanged }: PeersParts): Peers {
  const { runtime, report } = site
  const peers = new Map<string, OpenPeer>()
  let cancelSweep: (() => void) | undefined
  const inProcessServers = new Map<string, Mcp>()

  const serverOf = (name: string): McpServerConfig => {
    const server = servers[name]
    if (server === undefined) throw new Error(`There is no MCP server “${name}” in the configuration any more.`)
    return server
  }
  const keyOf = (name: string, { person }: RunningRun): string => JSON.stringify([name, personKey(person)])
  const open = (name: string, run: RunningRun): McpPeer => {
    const server = serverOf(name)
    const { credentialScope, title = name } = server
    if ("mcp" in server) {
      const mcp = inProcessServers.get(name) ?? server.mcp(site)
      inProcessServers.set(name, mcp)
      return inProcess(mcp, { name: title, caller: run.person, canAsk: run.canAsk && run.isPerson })
    }
    const account = credentialScope === "none" ? undefined : () => accounts.find(server, run)
    return connectMcp({
      name: title,
      transport: () => openTransport(server, account),
      runtime,
      ...("url" in server ? { address: server.url } : {}),
      onToolsChanged: () => onToolsChanged(name),
    })
  }
  const drop = async (key: string): Promise<void> => {
    const open = peers.get(key)
    peers.delete(key)
    await open?.peer.close()
  }
  const dropIdle = (key: string): void =>
    void drop(key).catch((error: unknown) => report("closing a connection to an MCP server", error))
  /** Closes the least recently used connection that is not in use, when there are too many. */
  const makeRoom = (name: string): void => {
    if (peers.size < maxPeers) return
    const [idle] = [...peers].find(([, { peer }]) => !peer.isBusy()) ?? []
    if (idle === undefined) throw new HoldpointError("provider_unavailable", allInUseWords(name))
    dropIdle(idle)
  }
  const sweep = (): void => {
    cancelSweep = undefined
    for (const [key, { peer, usedAt }] of peers) if (!peer.isBusy() && runtime.now() >= usedAt + idleMs) dropIdle(key)
    sweepLater()
  }
  const sweepLater = (): void => {
    if (peers.size > 0) cancelSweep ??= runtime.after(idleMs, sweep)
  }

  return {
    peerOf(name, run) {
      if ("mcp" in serverOf(name)) return open(name, run)
      const key = keyOf(name, run)
      const existing = peers.get(key)
      if (existing === undefined) makeRoom(name)
      const { peer } = existing ?? { peer: open(name, run) }
      // Moves the connection to the end: the first one is the least recently used.
      peers.delete(key)
      peers.set(key, { peer, usedAt: runtime.now() })
      sweepLater()
      return peer
    },
    renew: (name, run) => drop(keyOf(name, run)),
    async close() {
      cancelSweep?.()
      await Promise.allSettled([
        ...[...peers.values()].map(({ peer }) => peer.close()),
        ...[...inProcessServers.values()].map((mcp) => mcp.close()),
      ])
    },
  }
}

const allInUseWords = (name: string): string =>
  `The MCP server “${name}” was not called: ${maxPeers} connections to MCP servers are in use, which is the maximum. Try again later.`
