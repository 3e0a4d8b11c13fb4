// Socket mode: Slack's events over a WebSocket that this server opens, for servers without a public address. The
// connection is opened with the app's token, so messages are not signed.

import type { Runtime } from "@holdpoint/hub"
import { isObject } from "@holdpoint/hub/internal"
import type { SlackReceiver } from "./receiver.ts"
import type { Json } from "./wire.ts"
import { createSlackFetch, silentLogger } from "./workspaces.ts"

export interface SlackSocketNeeds {
  readonly appToken: string
  readonly apiUrl?: string | undefined
  readonly receiver: SlackReceiver
  readonly runtime: Runtime
  readonly report: (activity: string, error: unknown) => void
}

export interface SlackSocket {
  /** Resolves when the connection is open. The client reconnects automatically. */
  readonly connected: Promise<void>
  close(): Promise<void>
}

interface Envelope {
  readonly type: string
  readonly body: unknown
  readonly ack: (response?: Json) => Promise<void>
}

const retryMs = 10_000

export function openSocket(needs: SlackSocketNeeds): SlackSocket {
  const { appToken, apiUrl, receiver, runtime, report } = needs
  const { promise: connected, resolve } = Promise.withResolvers<void>()
  let isClosed = false
  let cancel: () => void = () => {}
  const pendingWork = new Set<Promise<void>>()

  async function receive({ type, body, ack }: Envelope): Promise<void> {
    if (!isObject(body)) return ack()
    const result = await dispatch(type, body)
    await ack(result?.kind === "accepted" ? result.body : undefined)
  }

  const dispatch = (type: string, body: Json) => {
    if (type === "events_api") return receiver.event(body)
    if (type === "interactive") return receiver.interaction(body)
    return type === "slash_commands" ? receiver.command(new URLSearchParams(body as Record<string, string>)) : undefined
  }

  const opening = (async () => {
    // Imported on use, because only programs with socket mode install this optional package.
    const { SocketModeClient } = await import("@slack/socket-mode")
    const fetch = createSlackFetch(apiUrl)
    const client = new SocketModeClient({
      ...{ appToken, logger: silentLogger },
      clientOptions: {
        ...(apiUrl === undefined ? {} : { slackApiUrl: apiUrl }),
        fetch: (url, init) => fetch(url, init as RequestInit),
        retryConfig: { retries: 0 },
      },
    })
    client.on("slack_event", (envelope: Envelope) => {
      // A failed event is not acknowledged, so that Slack sends it again.
      const work = receive(envelope)
        .catch((error: unknown) => report("receiving an event of Slack", error))
        .finally(() => pendingWork.delete(work))
      pendingWork.add(work)
    })
    const start = (): void => {
      client.start().then(
        () => resolve(),
        (error: unknown) => {
          if (isClosed) return
          report("connecting to Slack", error)
          cancel = runtime.after(retryMs, start)
        },
      )
    }
    if (!isClosed) start()
    return client
  })()
  opening.catch((error: unknown) => report("connecting to Slack", error))

  return {
    connected,
    async close() {
      isClosed = true
      cancel()
      const client = await opening.catch(() => undefined)
      // Waits for the acknowledgements: Slack would repeat the events that are not acknowledged before the connection
      // closes.
      await Promise.all(pendingWork)
      await client?.disconnect()
    },
  }
}
