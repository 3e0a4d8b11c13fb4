// The connections to MCP servers: one connection for all people if they share the credentials, or else one per person.
// Above a maximum, the least recently used connections are closed.

import type { Site } from "@holdpoint/sdk/compose"
import type { Mcp } from "@holdpoint/sdk/mcp"
import type { McpPeer } from "@holdpoint/sdk/mcp-client"
import { connectMcp, inProcess } from "@holdpoint/sdk/mcp-client"
import { personKey } from "../conversations.ts"
import type { McpServerConfig } from "../definition.ts"
import type { RunningRun } from "../runs.ts"
import type { Accounts } from "./accounts.ts"
import { openTransport } from "./transport.ts"

export interface Peers {
  /** The connection to the server for this run. */
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

export function createPeers({ servers, site, accounts, onToolsChanged }: PeersParts): Peers {
  const peers = new Map<string, McpPeer>()
  const inProcessServers = new Map<string, Mcp>()

  const serverOf = (name: string): McpServerConfig => {
    const server = servers[name]
    if (server === undefined) throw new Error(`There is no MCP server “${name}” in the configuration any more.`)
    return server
  }
  const keyOf = (name: string, { person }: RunningRun): string => {
    const { credentialScope } = serverOf(name)
    return JSON.stringify([name, credentialScope === "user" ? personKey(person) : person.tenant])
  }
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
      ...{ name: title, transport: () => openTransport(server, account), runtime: site.runtime },
      ...("url" in server ? { address: server.url } : {}),
      onToolsChanged: () => onToolsChanged(name),
    })
  }
  const drop = async (key: string): Promise<void> => {
    const peer = peers.get(key)
    peers.delete(key)
    await peer?.close()
  }
  const dropOldest = (): void => {
    const [oldest] = peers.keys()
    if (peers.size > maxPeers && oldest !== undefined)
      drop(oldest).catch((error: unknown) => site.report("closing a connection to an MCP server", error))
  }

  return {
    peerOf(name, run) {
      if ("mcp" in serverOf(name)) return open(name, run)
      const key = keyOf(name, run)
      const peer = peers.get(key) ?? open(name, run)
      // Moves the connection to the end: the first one is the least recently used.
      peers.delete(key)
      peers.set(key, peer)
      dropOldest()
      return peer
    },
    renew: (name, run) => drop(keyOf(name, run)),
    async close() {
      await Promise.allSettled([
        ...[...peers.values()].map((peer) => peer.close()),
        ...[...inProcessServers.values()].map((mcp) => mcp.close()),
      ])
    },
  }
}
