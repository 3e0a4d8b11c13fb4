// The body of a response whose sender sets no limits: over a socket, up to a size and a time.

import { once } from "node:events"
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { systemRuntime } from "@holdpoint/hub"
import { expect, it, onTestFinished } from "vitest"
import { createProbes } from "../../../packages/accounts/src/vault/probe.ts"
import { readTextWithin } from "../../../packages/fetching/src/body.ts"

async function serve(answer: (response: ServerResponse) => void): Promise<string> {
  const server = createServer((_request, response) => answer(response)).listen(0, "127.0.0.1")
  await once(server, "listening")
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Writes without end, a block at a time, or a byte at a time. */
const pour = (block: string, everyMs: number) => (response: ServerResponse) => {
  response.writeHead(401)
  response.flushHeaders()
  const timer = setInterval(() => response.write(block), everyMs)
  response.once("close", () => clearInterval(timer))
}

it.each([
  ["is too large", "a".repeat(65_536), 1, 5_000],
  ["never ends", "a", 10, 200],
])("a body that %s is not read to its end", async (_, block, everyMs, timeoutMs) => {
  const response = await fetch(await serve(pour(block, everyMs)))
  expect(await readTextWithin(response, { mostBytes: 1_000_000, timeoutMs })).toBeUndefined()
})

it("a body that is complete is read", async () => {
  const response = await fetch(await serve((response) => response.end("ä".repeat(1_000))))
  expect(await readTextWithin(response, { mostBytes: 2_000, timeoutMs: 5_000 })).toBe("ä".repeat(1_000))
})

it("a refusal without end is not taken for that of a disabled account", async () => {
  const disabled = { words: "Account disabled", unless: { path: "a", value: 1 }, call: { method: "GET", url: "" } }
  const probes = createProbes({
    ...{ providers: new Map([["notes", { id: "notes", disabled }]]), tools: { runtime: systemRuntime } },
  } as never)
  const refusal = await fetch(await serve(pour("a".repeat(65_536), 1)))
  expect(await probes.isDisabled({ connection: { provider: "notes" } } as never, refusal)).toBe(false)
  await refusal.body?.cancel()
})
