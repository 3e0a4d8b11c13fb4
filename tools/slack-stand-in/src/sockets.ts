// Socket mode: sends envelopes to one of the app's connections, and reads the acknowledgements.
// https://docs.slack.dev/apis/events-api/using-socket-mode

import { randomUUID } from "node:crypto"
import type { IncomingMessage } from "node:http"
import type { Duplex } from "node:stream"
import type { Fields } from "./limits/check.ts"
import { acceptWebSocket, type Connection } from "./websocket.ts"
import type { World } from "./world.ts"

export interface Acknowledgement {
  readonly kind: "acknowledged"
  /** The payload of the acknowledgement, such as the errors of a submitted view. */
  readonly body: unknown
}

export type DeliveryResult = Acknowledgement | { readonly kind: "failed"; readonly reason: string }

export interface Sockets {
  readonly count: number
  /** The address of a connection that may be opened once. */
  ticket(): string
  accept(request: IncomingMessage, socket: Duplex): void
  /** Sends the envelope to one connection and waits for its acknowledgement. */
  send(envelope: Fields, timeoutMs: number): Promise<DeliveryResult>
  /** Asks every connection to connect again, as Slack does from time to time. */
  refresh(): void
  close(): void
}

export function createSockets(world: World, host: () => string): Sockets {
  const connections: Connection[] = []
  const tickets = new Set<string>()
  const waiting = new Map<string, (body: unknown) => void>()
  let nextConnection = 0

  function receive(text: string): void {
    const { envelope_id: id, payload } = JSON.parse(text) as {
      readonly envelope_id: string
      readonly payload?: unknown
    }
    waiting.get(id)?.(payload)
  }

  return {
    get count() {
      return connections.length
    },
    ticket() {
      const ticket = randomUUID()
      tickets.add(ticket)
      return `ws://${host()}/socket?ticket=${ticket}&app_id=${world.appId}`
    },
    accept(request, socket) {
      const ticket = new URL(request.url ?? "/", "http://stand-in").searchParams.get("ticket") ?? ""
      if (!tickets.delete(ticket)) return void socket.end("HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n")
      const connection = acceptWebSocket(request, socket, {
        onText: receive,
        onClose: () => void connections.splice(connections.indexOf(connection), 1),
      })
      connections.push(connection)
      connection.send(
        JSON.stringify({
          type: "hello",
          num_connections: connections.length,
          debug_info: { host: "stand-in" },
          connection_info: { app_id: world.appId },
        }),
      )
    },
    send(envelope, timeoutMs) {
      nextConnection += 1
      const connection = connections[nextConnection % connections.length]
      if (connection === undefined) return Promise.resolve({ kind: "failed", reason: "no_connection" })
      const id = randomUUID()
      return new Promise<DeliveryResult>((resolve) => {
        const end = (delivered: DeliveryResult): void => {
          waiting.delete(id)
          cancel()
          resolve(delivered)
        }
        const cancel = world.clock.after(timeoutMs, () => end({ kind: "failed", reason: "timeout" }))
        waiting.set(id, (body) => end({ kind: "acknowledged", body }))
        connection.send(JSON.stringify({ envelope_id: id, ...envelope }))
      })
    },
    refresh() {
      for (const connection of [...connections]) {
        connection.send(JSON.stringify({ type: "disconnect", reason: "refresh_requested", debug_info: {} }))
      }
    },
    close() {
      for (const connection of [...connections]) connection.close()
    },
  }
}
