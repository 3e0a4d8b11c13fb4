// Offers the tools of MCP servers to agents. The account is looked up before a server is called.

import type { Site } from "@holdpoint/server"
import type { AgentsConfig, McpServerConfig } from "../definition.ts"
import type { ListedTool } from "../records.ts"
import type { RunningRun } from "../runs.ts"
import type { AvailableTool } from "../tool.ts"
import { textOutput } from "../tool.ts"
import { type Accounts, createAccounts } from "./accounts.ts"
import { createCatalogue } from "./catalogue.ts"
import { toToolOutput } from "./output.ts"
import { createPeers, type Peers } from "./peers.ts"

export interface McpTools {
  /** The tools of a server that this run may use now. */
  toolsOf(server: string, run: RunningRun): Promise<readonly AvailableTool[]>
  close(): Promise<void>
}

export function createMcpTools(site: Site, config: Pick<AgentsConfig, "mcpServers">): McpTools {
  const { vault, addresses, report } = site
  const servers = config.mcpServers ?? {}
  const accounts = createAccounts({ vault, addresses })
  const catalogue = createCatalogue(site)
  const peers = createPeers({ servers, site, accounts, onToolsChanged: catalogue.forget })

  return {
    async toolsOf(name, run) {
      const server = servers[name]
      if (server === undefined) return []
      const serverParts: ServerParts = { name, server, run, accounts, peers }
      const isReachable = server.credentialScope === "none" || (await accounts.find(server, run)) !== undefined
      // A server in this process lists its tools without an account.
      const peer = isReachable || "mcp" in server ? peers.peerOf(name, run) : undefined
      const listing = await catalogue.toolsOf(name, server, peer).catch((error: unknown) => {
        report(`listing the tools of ${name}`, error)
        return catalogue.toolsOf(name, server, undefined)
      })
      const connectionTool = connectTool(serverParts)
      if (listing === undefined) return [connectionTool]
      // A server in this process is code of the operator, like a function.
      const foreign = "mcp" in server ? {} : { foreign: { isAccepted: listing.isAccepted } }
      const hidden = server.credentialScope === "none" ? [] : [{ ...connectionTool, isHidden: true }]
      return [...listing.tools.map((tool) => ({ ...toTool(serverParts, tool), ...foreign })), ...hidden]
    },
    close: () => peers.close(),
  }
}

interface ServerParts {
  readonly name: string
  readonly server: McpServerConfig
  readonly run: RunningRun
  readonly accounts: Accounts
  readonly peers: Peers
}

function toTool({ name, server, run, accounts, peers }: ServerParts, listedTool: ListedTool): AvailableTool {
  const { title, description, inputSchema, annotations } = listedTool
  return {
    ...{ name: listedTool.name, inputSchema, server: name },
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    recall: (output) => accounts.recall(server, run, output),
    run: (running) =>
      accounts.call(server, { ...running, run }, async () => {
        const { call, context } = running
        const result = await peers.peerOf(name, run).callTool(context.ask, {
          ...{
            name: listedTool.name,
            arguments: call.input as Readonly<Record<string, unknown>>,
            signal: context.signal,
          },
          ...(annotations === undefined ? {} : { annotations }),
        })
        return toToolOutput(result)
      }),
  }
}

/** A tool that connects the account of a server. It replaces the server's tools while these are unknown. */
function connectTool(serverParts: ServerParts): AvailableTool {
  const { name, server, run, accounts, peers } = serverParts
  return {
    name: `connect_${name}`,
    inputSchema: { type: "object", properties: {} },
    server: name,
    isPlaceholder: true,
    title: `Connect ${server.title ?? name}`,
    description: `Asks the user to connect ${server.title ?? name}. Its tools can be called afterwards.`,
    recall(output) {
      if (output.type === "text") run.connected++
      else accounts.recall(server, run, output)
    },
    async run(running) {
      const refusal = await accounts.ensureConnected(server, run, running)
      if (refusal !== undefined) return refusal
      await peers.renew(name, run)
      run.connected++
      return textOutput(`${server.title ?? name} is connected. Its tools can be called now.`)
    },
  }
}
