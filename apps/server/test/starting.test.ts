// A server listens before it is put together, since its address is part of it: who comes early is answered all the same.

import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { createHub, createMemoryStorage, inbox } from "@holdpoint/sdk"
import { createSealer, withNewKey } from "@holdpoint/sdk/sealing"
import { expect, it, onTestFinished } from "vitest"
import { createHttpServer } from "../src/serve/http-server.ts"
import { type ServerOptions, startServer } from "../src/serve/server.ts"

/** A request has arrived, and nothing is there yet to answer it. */
async function arrive() {
  const waiting = createHttpServer()
  waiting.http.listen(0, "127.0.0.1")
  await once(waiting.http, "listening")
  const arrived = once(waiting.http, "request")
  const { port } = waiting.http.address() as AddressInfo
  const answer = fetch(`http://127.0.0.1:${port}/no-such-page`)
  await arrived
  const storage = createMemoryStorage()
  const hub = createHub({ storage, outlets: [inbox()] })
  onTestFinished(async () => {
    waiting.http.close()
    await hub.close()
  })
  const options: ServerOptions = {
    ...{ storage, sealer: createSealer(withNewKey()), providers: [], host: "127.0.0.1", port: 0 },
    people: { from: "local", user: "ana", secret: new Uint8Array(32) },
    existing: { waiting, hub },
  }
  return { answer, options }
}

it("answers a request that arrived before the server was put together", async () => {
  const { answer, options } = await arrive()
  const server = await startServer(options)
  expect((await answer).status).toBe(404)
  await server.close()
})

it("tells a request that arrived early when the server could not be put together", async () => {
  const { answer, options } = await arrive()
  const mount = () => {
    throw new Error("There is no room.")
  }
  await expect(startServer({ ...options, mount })).rejects.toThrow("There is no room.")
  expect((await answer).status).toBe(503)
})
