// The event stream of an open inbox: what it sends to a browser that reads it, and to one that does not.

import { createVault } from "@holdpoint/accounts"
import { createAddresses, createHub, createMemoryStorage, form, inbox, text } from "@holdpoint/hub"
import { createSealer, withNewKey } from "@holdpoint/hub/sealing"
import { createTestClock } from "@holdpoint/testing"
import { afterEach, describe, expect, it } from "vitest"
import { createPages } from "../../src/http/index.ts"
import { createLocalIdentity } from "../../src/identity/index.ts"

const publicUrl = "https://hub.example"
const closers: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function openInbox() {
  const storage = createMemoryStorage()
  const runtime = createTestClock()
  const addresses = createAddresses(publicUrl)
  const hub = createHub({ storage, runtime, outlets: [inbox()] })
  const fetch = () => Promise.reject(new Error("nothing is fetched here"))
  const sealer = createSealer(withNewKey())
  const vault = createVault({ ...{ storage, addresses, runtime, fetch, sealer }, questions: hub, providers: [] })
  const identity = createLocalIdentity({ storage, user: "alice", secret: new Uint8Array(32), runtime })
  const pages = createPages({ hub, vault, identity, addresses, runtime })
  closers.push(vault.close, hub.close)
  const get = (path: string, cookie = "") =>
    pages.fetch(new Request(`${publicUrl}${path}`, { headers: { host: "hub.example", cookie } }))
  const admitted = await get(`/account?key=${identity.keyOf("test")}`)
  const cookie = (admitted.headers.get("set-cookie") ?? "").split(";")[0]
  const stream = (await get("/inbox/events", cookie)).body as ReadableStream<Uint8Array>
  const ask = () =>
    hub.ask({
      ...{ message: "Where to?", form: form({ where: text() }) },
      ...{ audience: identity.principal, requester: { id: "script" } },
    })
  return { runtime, stream, ask }
}

const textOf = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString()

describe("the events of an inbox", () => {
  it("are kept alive every 15 seconds", async () => {
    const { runtime, stream } = await openInbox()
    const reader = stream.getReader()
    expect(textOf((await reader.read()).value)).toBe("retry: 2000\n\n")
    await runtime.advance(15_000)
    expect(textOf((await reader.read()).value)).toBe(": keepalive\n\n")
    await reader.cancel()
  })

  it("include no keep-alives that wait for a browser that does not read, but every step of a question", async () => {
    const { runtime, stream, ask } = await openInbox()
    for (let count = 0; count < 10; count++) await runtime.advance(15_000)
    await ask()
    let events = ""
    for await (const chunk of stream) {
      events += textOf(chunk)
      if (events.includes('"kind":"asked"')) break
    }
    expect(events).not.toContain("keepalive")
  })
})
