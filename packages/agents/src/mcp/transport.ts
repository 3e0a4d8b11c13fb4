// Opens the transport to a configured MCP server: over HTTP with the account's credentials, or on stdio to a program
// that gets the credentials in an environment variable.

import { apiLimits, createGuardedFetch, fetchWithinOrigin } from "@holdpoint/fetching/internal"
import { HoldpointError } from "@holdpoint/hub"
import type { ConnectionHandle, Fetch } from "@holdpoint/hub/internal"
import { limitFetch } from "@holdpoint/mcp/client"
import type { Transport } from "@modelcontextprotocol/client"
import type { McpServerConfig } from "../definition.ts"

/** Finds the account of the calls. Over HTTP, called for each request, so that renewed credentials are used at once. */
export type FindAccount = () => Promise<ConnectionHandle | undefined>

/** Opens a transport. `account` is undefined for servers without credentials. */
export async function openTransport(server: McpServerConfig, account: FindAccount | undefined): Promise<Transport> {
  if ("url" in server) return openHttp(server, account)
  if ("command" in server) return openProgram(server, account)
  throw new HoldpointError("invalid_config", "A server of this process has no transport.")
}

/** The timeout of a request. Long, because it includes the time in which the server asks a person. */
const timeoutMs = 15 * 60_000

async function openHttp(server: Extract<McpServerConfig, { url: string }>, account: FindAccount | undefined) {
  const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client")
  const url = new URL(server.url)
  const guarded = createGuardedFetch({ ...apiLimits, allowLoopback: true, alsoAllow: [url.hostname] })
  const fetch: Fetch = async (to, init = {}) => {
    const timed = { ...init, timeoutMs }
    if (account === undefined) return fetchWithinOrigin(guarded, to, timed)
    const handle = await account()
    if (handle === undefined) throw toMissingAccountError()
    return handle.fetch(to, timed)
  }
  return new StreamableHTTPClientTransport(url, {
    fetch: limitFetch(fetch),
    requestInit: { headers: { ...server.headers } },
  })
}

async function openProgram(server: Extract<McpServerConfig, { command: string }>, account: FindAccount | undefined) {
  const { getDefaultEnvironment, StdioClientTransport } = await import("@modelcontextprotocol/client/stdio")
  const { command, args = [], env = {}, credentialVariable } = server
  const handle = await account?.()
  if (account !== undefined && handle === undefined) throw toMissingAccountError()
  const secret =
    handle === undefined || credentialVariable === undefined ? {} : { [credentialVariable]: await secretOf(handle) }
  return new StdioClientTransport({
    command,
    args: [...args],
    env: { ...getDefaultEnvironment(), ...env, ...secret },
  })
}

/** The secret of an account for a program: the token, or the single value that the person entered. */
async function secretOf(handle: ConnectionHandle): Promise<string> {
  const { fields } = await handle.credentials()
  return fields.access_token ?? fields.app_password ?? Object.values(fields)[0] ?? ""
}

export const toMissingAccountError = (): HoldpointError =>
  new HoldpointError("connection_needed", "The account is not connected any more. Connect it again.")
