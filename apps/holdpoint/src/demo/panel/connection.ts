// Connects the official MCP client in this page.

import type {
  ElicitRequestFormParams,
  ElicitRequestURLParams,
  ElicitResult,
  FetchLike,
} from "@modelcontextprotocol/client"
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import type { Profile } from "./profiles.ts"

export type ElicitParams = ElicitRequestFormParams | ElicitRequestURLParams

export interface Host {
  readonly fetch: FetchLike
  /** Shows an elicitation and returns the answer. `withdrawn` aborts when the server withdraws it. */
  elicit(params: ElicitParams, withdrawn: AbortSignal): Promise<ElicitResult>
  /** Handles the report that a page is done. Servers may omit this report. */
  completed(elicitation: string): void
  toolsChanged(): void
}

export async function connect({ revision, declaration }: Profile, host: Host): Promise<Client> {
  const { capabilities, name } = declaration
  const client = new Client({ name, version: "1" }, { capabilities, ...revision.options })
  if (capabilities.elicitation !== undefined)
    client.setRequestHandler("elicitation/create", ({ params }, { mcpReq }) => host.elicit(params, mcpReq.signal))
  client.setNotificationHandler("notifications/elicitation/complete", ({ params }) =>
    host.completed(params.elicitationId),
  )
  client.setNotificationHandler("notifications/tools/list_changed", () => host.toolsChanged())
  const address = new URL("/try/mcp", location.href)
  // A sign-in may interrupt the connection, so the timeout is long.
  await client.connect(new StreamableHTTPClientTransport(address, { fetch: host.fetch }), { timeout: 10 * 60_000 })
  return client
}
