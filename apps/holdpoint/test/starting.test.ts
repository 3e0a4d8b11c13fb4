// Requests that arrive while a server is starting: they wait for it, and get a 503 when it does not start.

import { once } from "node:events"
import { type IncomingMessage, request } from "node:http"
import { setImmediate } from "node:timers/promises"
import { createMemoryStorage } from "@holdpoint/hub"
import { withNewKey } from "@holdpoint/hub/sealing"
import type { Mount } from "@holdpoint/server"
import { freePort } from "@holdpoint/testkit/free-port"
import { createWorld } from "@holdpoint/testkit/holdpoint/world"
import { describe, expect, it, onTestFinished } from "vitest"
import { startServer } from "../src/serve/server.ts"

const beside: Mount = {
  handles: (path) => path === "/beside",
  fetch: async () => new Response("beside"),
  close: async () => {},
}

/** Everything except the mounts is ready; requests for them wait. */
async function begin(mounts: Promise<readonly Mount[]>) {
  const port = await freePort()
  const begun = Promise.withResolvers<void>()
  const starting = startServer({
    ...{ storage: createMemoryStorage(), keys: withNewKey(), host: "127.0.0.1", port, providers: [] },
    people: { from: "embedded" },
    mounts() {
      begun.resolve()
      return mounts
    },
  })
  await Promise.race([begun.promise, starting])
  return { port, starting }
}

/** Sends a request, and waits until the server in this process has received it. */
async function send(port: number, path: string): Promise<{ readonly answered: Promise<IncomingMessage> }> {
  const asking = request({ host: "127.0.0.1", port, path, agent: false })
  const answered = once(asking, "response").then(([response]: IncomingMessage[]) => response!)
  answered.catch(() => {})
  const flushed = once(asking, "finish")
  asking.end()
  await flushed
  for (let turns = 0; turns < 20; turns++) await setImmediate()
  return { answered }
}

async function read(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

describe("a request that arrives while the server is starting", () => {
  it.each([
    ["a page", "/signin?choose", "Sign in"],
    ["the identity provider", "/idp/.well-known/openid-configuration", "authorization_endpoint"],
    ["a mount", "/beside", "beside"],
  ])("for %s is answered as soon as the server is ready", async (_what, path, words) => {
    const gate = Promise.withResolvers<readonly Mount[]>()
    const { port, starting } = await begin(gate.promise)
    const early = await send(port, path)
    gate.resolve([beside])
    const server = await starting
    onTestFinished(() => server.close())
    const response = await early.answered
    expect(response.statusCode).toBe(200)
    expect(await read(response)).toContain(words)
  })

  it("gets a 503 when the server does not start, which leaves nothing running", async () => {
    const gate = Promise.withResolvers<readonly Mount[]>()
    const { port, starting } = await begin(gate.promise)
    const early = await send(port, "/inbox")
    gate.reject(new Error("There is no room."))
    await expect(starting).rejects.toThrow("There is no room.")
    const response = await early.answered
    expect([response.statusCode, await read(response)]).toEqual([503, "This server could not be started.\n"])
    await expect(fetch(`http://127.0.0.1:${port}/inbox`)).rejects.toThrow("fetch failed")
  })
})

describe("holdpoint demo", { timeout: 30_000 }, () => {
  it("answers requests that come before it has printed its address", async () => {
    const port = await freePort()
    const running = createWorld().start(["demo", "--port", String(port)])
    onTestFinished(async () => {
      running.stop()
      await running.done
    })
    const first = async (): Promise<Response> =>
      fetch(`http://127.0.0.1:${port}/`).catch(() => setImmediate().then(first))
    expect((await first()).status).toBe(200)
  })
})
