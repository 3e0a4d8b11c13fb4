// The connection to one server: opened on first use, and reopened after a loss. Caches the server's protocol revision.

import type { ClientOptions, ElicitResult, PriorDiscovery, ProtocolEra, Transport } from "@modelcontextprotocol/client"
import { Client } from "@modelcontextprotocol/client"
import type { ElicitParams } from "./answer.ts"
import { limitMessages, messageLimits } from "./gate.ts"
import type { ConnectOptions, Settings } from "./settings.ts"

/** An open connection. */
export interface OpenConnection {
  readonly client: Client
  readonly era: ProtocolEra
}

export interface Connector {
  /** Returns the open connection, or opens one. */
  open(): Promise<OpenConnection>
  /** Closes a broken connection, so that the next `open` opens a new one. */
  drop(connection: OpenConnection): Promise<void>
  close(): Promise<void>
}

/** The handlers of the messages that the server sends on its own initiative. */
export interface ServerMessages {
  /**
   * Answers a question that a server of revision 2025-11-25 pushes. The signal is aborted when the server no longer
   * wants the answer.
   */
  onQuestion(params: ElicitParams, signal: AbortSignal): Promise<ElicitResult>
  /** Called when the server notifies that the person has finished on the page of this link. */
  onCompleted(id: string): void
}

export interface ConnectionParts extends Pick<ConnectOptions, "transport" | "revision" | "onToolsChanged"> {
  readonly settings: Settings
  readonly incoming: ServerMessages
}

export function createConnector(parts: ConnectionParts): Connector {
  let opening: Promise<OpenConnection> | undefined
  let prior: PriorDiscovery | undefined

  const connect = async (): Promise<OpenConnection> => {
    const client = createClient(parts)
    const connection = await connectClient(client, limitMessages(await parts.transport()), {
      connectMs: parts.settings.limits.connectMs,
      prior,
    })
    prior = priorOf(client)
    return connection
  }
  const open = (): Promise<OpenConnection> => {
    if (opening !== undefined) return opening
    const connecting = connect()
    const clear = (): void => {
      if (opening === connecting) opening = undefined
    }
    opening = connecting
    connecting.then(
      ({ client }) => (client.onclose = clear),
      () => {
        prior = undefined
        clear()
      },
    )
    return connecting
  }
  return {
    open,
    async drop(connection) {
      const current = opening
      // Before the connection is closed: a process may take seconds to end, and the next call must not wait for that.
      if ((await current?.catch(() => undefined)) === connection && opening === current) opening = undefined
      await connection.client.close()
    },
    async close() {
      const connection = await opening?.catch(() => undefined)
      await connection?.client.close()
    },
  }
}

export interface ConnectionStart {
  readonly connectMs: number
  readonly prior: PriorDiscovery | undefined
}

export async function connectClient(
  client: Client,
  transport: Transport,
  { connectMs, prior }: ConnectionStart,
): Promise<OpenConnection> {
  try {
    await client.connect(transport, { timeout: connectMs, ...(prior === undefined ? {} : { prior }) })
  } catch (error) {
    await client.close()
    throw error
  }
  return { client, era: client.getProtocolEra() ?? "legacy" }
}

export function priorOf(client: Client): PriorDiscovery | undefined {
  const discover = client.getDiscoverResult()
  if (discover !== undefined) return { kind: "modern", discover }
  return client.getProtocolEra() === "legacy" ? { kind: "legacy" } : undefined
}

/** Creates a client that declares forms and links, and never answers an elicitation itself. */
export function createClient({
  settings,
  revision,
  incoming,
  onToolsChanged,
}: Omit<ConnectionParts, "transport">): Client {
  const mode = revision === undefined ? "auto" : revision === "2026-07-28" ? { pin: revision } : "legacy"
  const changes: Pick<ClientOptions, "listChanged"> =
    onToolsChanged === undefined
      ? {}
      : { listChanged: { tools: { autoRefresh: false, onChanged: () => onToolsChanged() } } }
  const client = new Client(settings.client, {
    capabilities: { elicitation: { form: {}, url: {} } },
    versionNegotiation: { mode },
    inputRequired: { autoFulfill: false },
    listMaxPages: messageLimits.pages,
    ...changes,
  })
  client.setRequestHandler("elicitation/create", ({ params }, { mcpReq }) => incoming.onQuestion(params, mcpReq.signal))
  client.setNotificationHandler("notifications/elicitation/complete", ({ params }) =>
    incoming.onCompleted(params.elicitationId),
  )
  return client
}
