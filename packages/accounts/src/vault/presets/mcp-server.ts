// A foreign MCP server with OAuth of its own. https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization

import type { McpServerProvider } from "@holdpoint/hub/internal"
import { defineProvider } from "./define.ts"

/** What `mcpServer` needs to know. Only `id` and `url` are needed for most servers. */
type McpServerOptions = Pick<McpServerProvider, "resource" | "issuer" | "registration" | "scopeWords" | "timeoutMs"> & {
  readonly id: string
  /** The address that MCP clients are given. */
  readonly url: string
  /** The name that people know; by default the host. */
  readonly name?: string
  /** A client that was registered by hand. One with a secret needs `issuer` too: the secret goes nowhere else. */
  readonly client?: { readonly id: string; readonly secret?: string }
  /** The scopes to request; by default those that the server names. */
  readonly scopes?: readonly string[]
}

/** Fifteen minutes, because an MCP server may ask a person before it answers. */
const usualTimeoutMs = 15 * 60_000

/**
 * Accounts at a foreign MCP server, such as those of Linear or Notion. Its authorization server is found when the first
 * person connects; we are known there by a client id metadata document, by `client`, or by `registration`.
 */
export function mcpServer(options: McpServerOptions): McpServerProvider {
  const { id, url, name, client, scopes, timeoutMs = usualTimeoutMs, ...rest } = options
  const address = URL.parse(url)
  const secret = client?.secret
  const authentication = secret === undefined ? ({ method: "none" } as const) : ({ method: "basic", secret } as const)
  return defineProvider({
    kind: "mcp_server",
    ...{ id, name: name ?? address?.host ?? id, api: [address?.origin ?? url], server: url, timeoutMs },
    ...(client === undefined ? {} : { client: { id: client.id, authentication } }),
    ...(scopes === undefined ? {} : { baseScopes: scopes }),
    ...rest,
  })
}
