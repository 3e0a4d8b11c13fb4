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
  /** The server asks. `withdrawn` aborts when the server withdraws its question. */
  asked(params: ElicitParams, withdrawn: AbortSignal): Promise<ElicitResult>
  /** The server reports that a page is done. Servers need not. */
  completed(elicitation: string): void
  toolsChanged(): void
}

export async function connect({ revision, declaration }: Profile, host: Host): Promise<Client> {
  const { capabilities, name } = declaration
  const client = new Client({ name, version: "1" }, { capabilities, ...revision.options })
  if (capabilities.elicitation !== undefined)
    client.setRequestHandler("elicitation/create", ({ params }, { mcpReq }) => host.asked(params, mcpReq.signal))
  client.setNotificationHandler("notifications/elicitation/complete", ({ params }) =>
    host.completed(params.elicitationId),
  )
  client.setNotificationHandler("notifications/tools/list_changed", () => host.toolsChanged())
  const address = new URL("/try/mcp", location.href)
  // The timeout leaves time for a sign-in on the way.
  await client.connect(new StreamableHTTPClientTransport(address, { fetch: host.fetch }), { timeout: 10 * 60_000 })
  return client
}
