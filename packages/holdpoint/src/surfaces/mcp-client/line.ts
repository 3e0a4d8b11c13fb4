// The connection to one server: opened with its first use, opened again after it was lost. Remembers which revision the
// server speaks.

import type { ClientOptions, ElicitResult, PriorDiscovery, ProtocolEra, Transport } from "@modelcontextprotocol/client"
import { Client } from "@modelcontextprotocol/client"
import type { Asked } from "./answer.ts"
import type { ConnectOptions, Settings } from "./settings.ts"

/** An open connection. */
export interface Line {
  readonly client: Client
  readonly era: ProtocolEra
}

export interface Lines {
  /** Returns the open connection, or opens one. */
  open(): Promise<Line>
  /** Gives up a connection that does not work, so that the next `open` makes another. */
  drop(line: Line): Promise<void>
  close(): Promise<void>
}

/** What the server sends by itself. */
export interface Incoming {
  /** A question of a 2025 server. The signal is aborted when the server no longer wants the answer. */
  onQuestion(asked: Asked, signal: AbortSignal): Promise<ElicitResult>
  /** The server tells that what it sent a person to do is done. */
  onCompleted(id: string): void
}

export interface LineParts extends Pick<ConnectOptions, "transport" | "revision" | "onToolsChanged"> {
  readonly settings: Settings
  readonly incoming: Incoming
}

export function createLines(parts: LineParts): Lines {
  let opening: Promise<Line> | undefined
  let prior: PriorDiscovery | undefined

  const connect = async (): Promise<Line> => {
    const client = createClient(parts)
    const line = await connectClient(client, await parts.transport(), {
      connectMs: parts.settings.limits.connectMs,
      prior,
    })
    prior = priorOf(client)
    return line
  }
  const open = (): Promise<Line> => {
    if (opening !== undefined) return opening
    const made = connect()
    const forget = (): void => {
      if (opening === made) opening = undefined
    }
    opening = made
    made.then(
      ({ client }) => (client.onclose = forget),
      () => {
        prior = undefined
        forget()
      },
    )
    return made
  }
  return {
    open,
    drop: ({ client }) => client.close(),
    async close() {
      const line = await opening?.catch(() => undefined)
      await line?.client.close()
    },
  }
}

export interface Connecting {
  readonly connectMs: number
  readonly prior: PriorDiscovery | undefined
}

export async function connectClient(
  client: Client,
  transport: Transport,
  { connectMs, prior }: Connecting,
): Promise<Line> {
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

/** A client that shows forms and links, and never answers a question by itself. */
export function createClient({ settings, revision, incoming, onToolsChanged }: Omit<LineParts, "transport">): Client {
  const mode = revision === undefined ? "auto" : revision === "2026-07-28" ? { pin: revision } : "legacy"
  const changes: Pick<ClientOptions, "listChanged"> =
    onToolsChanged === undefined
      ? {}
      : { listChanged: { tools: { autoRefresh: false, onChanged: () => onToolsChanged() } } }
  const client = new Client(settings.client, {
    capabilities: { elicitation: { form: {}, url: {} } },
    versionNegotiation: { mode },
    inputRequired: { autoFulfill: false },
    ...changes,
  })
  client.setRequestHandler("elicitation/create", ({ params }, { mcpReq }) => incoming.onQuestion(params, mcpReq.signal))
  client.setNotificationHandler("notifications/elicitation/complete", ({ params }) =>
    incoming.onCompleted(params.elicitationId),
  )
  return client
}
