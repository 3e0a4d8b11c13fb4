// Answers that retention has removed before the call that asked has read them.

import type { Storage } from "@holdpoint/hub"
import { createMemoryStorage } from "@holdpoint/hub"
import { withNewKey } from "@holdpoint/hub/sealing"
import { alice, formDraft } from "@holdpoint/testkit/fixtures"
import type { Endpoint } from "@holdpoint/testkit/mcp/server/clients/client"
import { open } from "@holdpoint/testkit/mcp/server/clients/open"
import { openRaw, rawDraft } from "@holdpoint/testkit/mcp/server/clients/raw"
import { createPersonAtPages } from "@holdpoint/testkit/mcp/server/person"
import { createCallers, resource } from "@holdpoint/testkit/mcp/server/tokens"
import { serve } from "@holdpoint/testkit/mcp/server/world"
import { verifies } from "@holdpoint/testkit/verifies"
import { afterEach, describe, expect } from "vitest"

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

describe("an answer that is no longer stored", () => {
  verifies("retention.content-then-record", "ends a call that learns of it too late with a refusal", async () => {
    const { endpoint, person, late, forgetContents } = await setUp()
    const client = await open("v2 legacy", endpoint, { answer: () => new Promise(() => {}) })
    cleanUps.push(() => client.close())
    const called = client.call("ask_form", { cell: "gone" })
    await person.comes()
    const question = await person.question()
    late.begin()
    await person.finishes(question, { colour: "green" })
    await forgetContents()
    late.end()
    expect(await called).toMatchObject({ text: expect.stringContaining("answered, but the answer was deleted before") })
  })

  verifies("mcp.track", "is complete for a client that tracks the question", async () => {
    const { endpoint, person, forgetContents } = await setUp()
    const { id } = await person.hub.ask(formDraft)
    await person.hub.answer(id, { by: alice, action: "accept", content: { ok: true } })
    await forgetContents()
    const client = await openRaw(rawDraft, endpoint, { answer: () => ({ action: "cancel" }) })
    cleanUps.push(() => client.close())
    expect(await client.track(id)).toMatchObject({ kind: "result", result: { status: "complete" } })
  })
})

async function setUp() {
  const storage = createMemoryStorage()
  const keys = withNewKey()
  const callers = await createCallers()
  const late = heardLate(storage)
  const serving = serve(late.storage, keys, { callers: callers.server, hosts: ["server.example"], drafts: true })
  const person = createPersonAtPages(storage, keys)
  cleanUps.push(() => storage.close(), serving.close, person.close)
  const headers = await callers.headersOf(alice)
  const fetch = (input: string | URL, init?: RequestInit) => serving.mcp.fetch(new Request(input, init))
  const endpoint: Endpoint = { transport: "http", url: resource, fetch, headers }
  const [past, future] = [0, Date.now() + 86_400_000]
  const cutoffs = { contentReadBefore: past, questionSettledBefore: past, recordExpiresBy: past }
  const forgetContents = async (): Promise<void> =>
    expect(await storage.retention.forget({ ...cutoffs, contentSettledBefore: future })).toMatchObject({ contents: 1 })
  return { endpoint, person, late, forgetContents }
}

/** The same storage, which holds back its notifications of commits between `begin` and `end`. */
function heardLate(storage: Storage): { readonly storage: Storage; begin(): void; end(): void } {
  let waiting: (() => void)[] | undefined
  const subscribe: Storage["trail"]["subscribe"] = (listener) =>
    storage.trail.subscribe((entries) => {
      if (waiting === undefined) listener(entries)
      else waiting.push(() => listener(entries))
    })
  return {
    storage: { ...storage, trail: { ...storage.trail, subscribe } },
    begin() {
      waiting = []
    },
    end() {
      const held = waiting ?? []
      waiting = undefined
      for (const hear of held) hear()
    },
  }
}
