// Serves the fixture on this machine: an agent of this project in local mode, with storage in memory, JSON-RPC of 1.0
// and 0.3, HTTP+JSON and notifications.

import { randomBytes, randomUUID } from "node:crypto"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { createAgents, readAgents } from "@holdpoint/agents"
import { createMemoryStorage, systemRuntime } from "@holdpoint/hub"
import { withNewKey } from "@holdpoint/hub/sealing"
import { createHoldpoint } from "@holdpoint/server"
import { fromOwnBrowser } from "@holdpoint/testkit/agents/own-browser"
import { getRequestListener } from "@hono/node-server"
import { a2a } from "../../packages/a2a/src/agents/surface.ts"
import { fixtureAgents, messageIds } from "./agent.ts"

export interface ServedFixture {
  /** The address of the agent card, for the kit's option `--sut-host`. */
  readonly url: string
  close(): Promise<void>
}

export async function serveFixture(port: number): Promise<ServedFixture> {
  let answer = async (_request: Request): Promise<Response> => new Response(null, { status: 503 })
  const http = createServer(getRequestListener((request) => answer(request)))
  await listen(http, port)
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const holdpoint = await createHoldpoint({
    ...{ publicUrl: url, runtime: systemRuntime, storage: createMemoryStorage(), keys: withNewKey() },
    people: { from: "local", user: "kit", tenant: "local", secret: randomBytes(32) },
    // Receivers of the kit listen on this machine as well.
    mounts: (site) => [
      createAgents(site, readAgents({ ...fixtureAgents }), {
        surfaces: [a2a({ version: "0.1.0", webhooks: { allowLoopback: true } })],
      }),
    ],
  })
  const fromKit = await fromOwnBrowser(holdpoint)
  answer = async (request) => {
    const { renewed, id } = await withOwnId(request)
    return messageIds.run(id, () => fromKit(renewed))
  }
  return {
    url,
    async close() {
      http.close()
      http.closeAllConnections()
      await holdpoint.close()
    },
  }
}

/**
 * Gives each message a unique id. The kit sends many messages with the same id, which our server treats as one repeated
 * message that starts no second task.
 */
async function withOwnId(request: Request): Promise<{ readonly renewed: Request; readonly id: string }> {
  if (request.method !== "POST") return { renewed: request, id: "" }
  const text = await request.text()
  const id = /"messageId"\s*:\s*"([^"\\]*)"/.exec(text)?.[1] ?? ""
  const body = text.replace(/("messageId"\s*:\s*"[^"\\]*)"/, `$1.${randomUUID()}"`)
  return { id, renewed: new Request(request.url, { method: "POST", headers: withoutLength(request), body }) }
}

function withoutLength({ headers }: Request): Headers {
  const copy = new Headers(headers)
  copy.delete("content-length")
  return copy
}

function listen(http: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    http.once("error", reject)
    http.listen(port, "127.0.0.1", () => resolve())
  })
}
