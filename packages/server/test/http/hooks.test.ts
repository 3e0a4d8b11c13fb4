// A remote program reports that a person has finished the task they were sent there for: only with the question's own
// token.

import { createVault } from "@holdpoint/accounts"
import { createAddresses, createHub, createMemoryStorage, inbox } from "@holdpoint/hub"
import { createSealer, createTokens, withNewKey } from "@holdpoint/hub/sealing"
import { toCompletionToken, visitDraft } from "@holdpoint/server/http"
import { createTestClock } from "@holdpoint/testing"
import { verifies } from "@holdpoint/testkit/verifies"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { createPages } from "../../src/http/index.ts"
import { createLocalIdentity } from "../../src/identity/index.ts"

const publicUrl = "https://hub.example"
const addresses = createAddresses(publicUrl)

function open() {
  const storage = createMemoryStorage()
  const runtime = createTestClock()
  const ring = withNewKey()
  const tokens = createTokens(ring)
  const hub = createHub({ storage, runtime, outlets: [inbox()] })
  const fetch = () => Promise.reject(new Error("nothing is fetched here"))
  const vault = createVault({
    ...{ storage, addresses, runtime, fetch, questions: hub, providers: [] },
    sealer: createSealer(ring),
  })
  const identity = createLocalIdentity({ storage, user: "alice", secret: new Uint8Array(32), runtime })
  const pages = createPages({ hub, vault, identity, addresses, runtime, tokens })
  const without = createPages({ hub, vault, identity, addresses, runtime })
  const me = identity.principal
  return { hub, vault, runtime, tokens, pages, without, me }
}

let there: ReturnType<typeof open>
beforeEach(() => {
  there = open()
})
afterEach(async () => {
  await there.vault.close()
  await there.hub.close()
})

const ask = (key = "pay") => {
  const requester = { id: "invoices" }
  const address = "https://pay.example/i/1"
  return there.hub.ask(visitDraft({ message: "Pay.", address, audience: there.me, requester, key }, addresses))
}

async function askAccepted() {
  const { id } = await ask()
  await there.hub.answer(id, { by: there.me, action: "accept", via: "web" })
  const token = toCompletionToken(there.tokens, id)
  return { id, token }
}

async function post(body: unknown, headers: Readonly<Record<string, string>> = {}, pages = there.pages) {
  const text = typeof body === "string" ? body : JSON.stringify(body)
  const init = { method: "POST", body: text, headers: { host: "hub.example", ...headers } }
  const response = await pages.fetch(new Request(`${publicUrl}/hooks/complete`, init))
  return { status: response.status, headers: response.headers, body: await response.text() }
}

const statusOf = async (id: string) => (await there.hub.get(id))?.status
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

describe("the holder of the completion token", () => {
  verifies(
    "page.completion-token",
    "reports completion, and the asker continues; a second report succeeds too",
    async () => {
      const { id, token } = await askAccepted()
      const waiting = there.hub.wait(id)
      const said = await post({ status: "completed" }, bearer(token))
      expect([said.status, said.body]).toEqual([200, '{"status":"completed"}'])
      expect(await waiting).toEqual({ status: "completed" })
      const again = await post({ token, status: "completed" })
      expect([again.status, again.body]).toEqual([200, '{"status":"completed"}'])
    },
  )

  verifies("page.completion-token", "says that it failed, and why", async () => {
    const { id, token } = await askAccepted()
    const said = await post({ token, status: "failed", reason: "The card was declined." })
    expect([said.status, said.body]).toEqual([200, '{"status":"failed"}'])
    const outcome = await there.hub.wait(id)
    expect(outcome).toEqual({ status: "failed", reason: { code: "page_failed", message: "The card was declined." } })
  })

  it("cannot report completion before the person has accepted, and is told so", async () => {
    const { id } = await ask()
    const said = await post({ status: "completed" }, bearer(toCompletionToken(there.tokens, id)))
    expect([said.status, JSON.parse(said.body)]).toEqual([
      409,
      { error: "not_accepted", status: "pending", message: expect.any(String) },
    ])
    expect(await statusOf(id)).toBe("pending")
  })

  it("cannot change the end of a question, and is told which end it was", async () => {
    const { id, token } = await askAccepted()
    await there.hub.answer(id, { by: there.me, action: "decline", via: "web" })
    const said = await post({ status: "completed" }, bearer(token))
    expect([said.status, JSON.parse(said.body).status]).toEqual([409, "declined"])
  })

  it("comes too late after the deadline", async () => {
    const { id, token } = await askAccepted()
    await there.runtime.advance(24 * 3_600_000)
    expect((await post({ status: "completed" }, bearer(token))).status).toBe(409)
    expect(await statusOf(id)).toBe("expired")
  })

  it.each([
    ["nothing", ""],
    ["a body that is not JSON", "status=completed"],
    ["another status", { status: "paid" }],
    ["a status that is not text", { status: ["completed"] }],
    ["a list", ["completed"]],
    ["null", "null"],
  ])("has to name the result: %s changes nothing", async (_what, body) => {
    const { id, token } = await askAccepted()
    expect((await post(body, bearer(token))).status).toBe(400)
    expect(await statusOf(id)).toBe("accepted")
  })

  it("is refused with a reason that cannot be stored", async () => {
    const { id, token } = await askAccepted()
    expect((await post({ token, status: "failed", reason: "\u0000" })).status).toBe(422)
    expect(await statusOf(id)).toBe("accepted")
  })

  it("is refused with a body of more than 16 KiB", async () => {
    const { id, token } = await askAccepted()
    const said = await post({ status: "failed", reason: "x".repeat(20_000) }, bearer(token))
    expect(said.status).toBe(413)
    expect(await statusOf(id)).toBe("accepted")
  })
})

describe("any other token", () => {
  verifies("page.completion-token", "finds nothing, and all get the same answer", async () => {
    const { id, token } = await askAccepted()
    const foreignKeys = createTokens(withNewKey())
    const wrong = [
      "",
      id,
      `${token.slice(0, -1)}${token.endsWith("A") ? "B" : "A"}`,
      `${token}A`,
      toCompletionToken(foreignKeys, id),
      there.tokens.seal("state", id),
      toCompletionToken(there.tokens, "00000000-0000-4000-8000-000000000000"),
    ]
    const answers = await Promise.all(wrong.map((one) => post({ token: one, status: "completed" })))
    expect(new Set(answers.map(({ status, body }) => `${status} ${body}`)).size).toBe(1)
    expect(answers[0]?.status).toBe(404)
    expect(await statusOf(id)).toBe("accepted")
  })

  it("of a consent whose page is at another address completes nothing either", async () => {
    const { id } = await there.hub.ask({
      ...{ message: "Look.", audience: there.me, requester: { id: "r" } },
      url: (own) => `http://127.0.0.1:40123/connect/${own}`,
      context: { trigger: "credential_required" },
    })
    await there.hub.answer(id, { by: there.me, action: "accept" })
    const said = await post({ status: "completed" }, bearer(toCompletionToken(there.tokens, id)))
    expect(said.status).toBe(404)
    expect(await statusOf(id)).toBe("accepted")
  })

  it("of a question that is not a visit completes nothing: an account is connected on its page", async () => {
    const { id } = await there.hub.ask({
      ...{ message: "Look.", audience: there.me, requester: { id: "r" } },
      url: (own) => `${publicUrl}/connect/${own}`,
    })
    await there.hub.answer(id, { by: there.me, action: "accept" })
    const said = await post({ status: "completed" }, bearer(toCompletionToken(there.tokens, id)))
    expect(said.status).toBe(404)
    expect(await statusOf(id)).toBe("accepted")
  })
})

describe("the address for hooks", () => {
  it("exists only when there are keys for tokens", async () => {
    const { token } = await askAccepted()
    const said = await post({ token, status: "completed" }, {}, there.without)
    expect([said.status, said.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"])
  })

  it("sets no cookie, lets no other origin read, and answers only under our own host name", async () => {
    const { token } = await askAccepted()
    const said = await post({ token, status: "completed" })
    expect(said.headers.getSetCookie()).toEqual([])
    expect(said.headers.get("access-control-allow-origin")).toBeNull()
    expect(said.headers.get("cache-control")).toBe("no-store")
    expect((await post({ token, status: "completed" }, { host: "evil.example" })).status).toBe(421)
  })
})
