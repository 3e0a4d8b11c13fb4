// Attempts that get in each other's way, and grants that would otherwise be lost without being revoked.

import type { ApiKeyProvider, Fetch } from "@holdpoint/accounts"
import type { Elicitation, Principal } from "@holdpoint/hub"
import { createAddresses, createMemoryStorage, HoldpointError } from "@holdpoint/hub"
import { alice } from "@holdpoint/testkit/fixtures"
import { overriding } from "@holdpoint/testkit/hub/stores/overriding"
import { describe, expect, it } from "vitest"
import { judgeTokens } from "../../src/oauth/tokens.ts"
import type { Visitor } from "../../src/vault/consent/consent.ts"
import { apiKeyKind } from "../../src/vault/entered-credentials.ts"
import type { Kind, ProviderRevokeResult } from "../../src/vault/kind.ts"
import { loginFlowKind } from "../../src/vault/login-flow.ts"
import { oauthKind } from "../../src/vault/oauth/kind.ts"
import { connectionKind, flowKind } from "../../src/vault/records.ts"
import type { VaultOptions } from "../../src/vault/vault.ts"
import { createVault } from "../../src/vault/vault.ts"
import { gate, hour, need, setUp } from "./scripted.ts"

const test = { method: "GET", url: "https://api.weather.example/me" } as const
const weather: ApiKeyProvider = {
  ...{ id: "weather", name: "Weather", kind: "api_key", api: ["https://api.weather.example"] },
  ...{ header: { name: "x-key" }, test },
  identity: { from: "call", call: test, id: "id", name: ["id"] },
}

/** Accepts keys that begin with an account's name: `alice-key`. */
function setUpWeather(options: Partial<VaultOptions> = {}) {
  const revoked: string[] = []
  const kind: Kind<ApiKeyProvider> = {
    ...apiKeyKind,
    async revoke(_provider, { key = "" }) {
      revoked.push(key)
      return { kind: "revoked" }
    },
  }
  const answers: (() => Promise<void>)[] = []
  const fetch: Fetch = async (_url, init) => {
    const key = new Headers(init?.headers).get("x-key") ?? ""
    await answers.shift()?.()
    return key.endsWith("-key") ? Response.json({ id: key.split("-")[0] }) : Response.json({}, { status: 401 })
  }
  const kinds = {
    oauth: oauthKind,
    mcp_server: oauthKind as never,
    login_flow: loginFlowKind,
    api_key: kind,
    basic: kind as never,
  }
  const setup = setUp({ providers: [weather], fetch, kinds, ...options })
  const { vault, storage } = setup
  const ask = (more: Parameters<typeof vault.ask>[0]) => vault.ask(more)
  return {
    ...setup,
    revoked,
    /** What the next calls wait for before they are answered. */
    answers,
    ask,
    enter: (question: Elicitation, key: string, visitor = visit(alice)) =>
      vault.consent.enter(question, visitor, { key }),
    connections: () => storage.records(connectionKind).list({ tenant: "acme", limit: 10 }),
  }
}

const visit = (principal: Principal): Visitor => ({ principal, session: `session of ${principal.subject}` })
const wanted = { ...need, provider: "weather", scopes: [] }

describe("a key that is entered", () => {
  it("is tested even when the first of several failed attempts has been deleted", async () => {
    const { ask, enter, clock } = setUpWeather()
    const question = await ask(wanted)
    expect(await enter(question, "wrong")).toMatchObject({ kind: "refused" })
    await clock.advance(90_000)
    expect(await enter(question, "wrong too")).toMatchObject({ kind: "refused" })
    await clock.advance(40_000)
    expect(await enter(question, "alice-key")).toEqual({ kind: "kept" })
  })

  it("is revoked when its attempt was given up before the provider answered", async () => {
    const { ask, enter, clock, vault, answers, connections, revoked } = setUpWeather()
    const question = await ask(wanted)
    const slow = gate<void>()
    answers.push(() => slow.promise)
    const entered = enter(question, "alice-key")
    await clock.advance(61_000)
    await vault.consent.work()
    slow.resolve()
    await entered
    await clock.advance(0)
    expect((await connections()).filter(({ sealed }) => sealed !== undefined)).toEqual([])
    expect(revoked).toEqual(["alice-key"])
  })

  it("is tested only a limited number of times, so that keys cannot be guessed through us", async () => {
    const { ask, enter, clock, storage } = setUpWeather()
    const question = await ask(wanted)
    const tries: string[] = []
    for (let attempt = 0; attempt < 25; attempt++) {
      await clock.advance(1)
      const entered = await enter(question, `guess ${attempt}`)
      tries.push(entered.kind === "refused" ? entered.reason.code : entered.kind)
    }
    expect(new Set(tries)).toEqual(new Set(["credentials_refused", "too_many_attempts"]))
    expect(await storage.records(flowKind).list({ tenant: "acme", limit: 100 })).toHaveLength(20)
    await clock.advance(600_000)
    expect((await storage.records(flowKind).list({ tenant: "acme", limit: 100 })).length).toBeLessThan(20)
  })

  it("is stored before the vault finishes closing", async () => {
    const { ask, enter, clock, vault, answers, connections } = setUpWeather()
    const question = await ask(wanted)
    const slow = gate<void>()
    answers.push(() => slow.promise)
    const entered = enter(question, "alice-key")
    await clock.advance(0)
    let isClosed = false
    const closing = vault.close().then(() => {
      isClosed = true
    })
    await clock.advance(0)
    expect(isClosed).toBe(false)
    slow.resolve()
    await Promise.all([entered, closing])
    expect(await connections()).toMatchObject([{ status: "active" }])
  })

  it("is not lost when the database is unavailable for a moment", async () => {
    let outages = 0
    const storage = overriding(createMemoryStorage(), connectionKind, ({ insert }) => ({
      insert: (...given) => (outages-- > 0 ? Promise.reject(unavailable()) : insert(...given)),
    }))
    const setup = setUpWeather({ storage })
    const question = await setup.ask(wanted)
    outages = 2
    const entered = setup.enter(question, "alice-key")
    for (let round = 0; round < 5; round++) await setup.clock.advance(100)
    expect(await entered).toEqual({ kind: "kept" })
  })
})

describe("an account that differs from the one before", () => {
  async function confirming(options: Partial<VaultOptions> = {}) {
    const setup = setUpWeather(options)
    await setup.enter(await setup.ask(wanted), "alice-key")
    const question = await setup.ask({ ...wanted, message: "Once more." })
    await setup.enter(question, "other-key")
    expect(await setup.vault.consent.attemptState(question, visit(alice))).toMatchObject({ kind: "confirming" })
    return { ...setup, question }
  }

  it("is either used or not when two contrary answers come at the same time", async () => {
    const { vault, question, connections, hub } = await confirming()
    await Promise.all([true, false].map((isMeant) => vault.consent.confirm(question, visit(alice), isMeant)))
    const { status } = (await hub.get(question.id)) ?? {}
    const accounts = (await connections()).map(({ account }) => account?.id)
    expect([status, accounts.includes("other")]).toEqual(
      status === "completed" ? ["completed", true] : ["accepted", false],
    )
  })

  it("that the person refused is revoked, even if the process died right after the refusal", async () => {
    const { vault, question, connections, revoked, clock, storage } = await confirming()
    const flows = await storage.records(flowKind).list({ tenant: "acme", owner: question.id, limit: 10 })
    const [flow] = flows.filter(({ status }) => status === "confirming")
    if (flow === undefined) throw new Error("nothing to confirm")
    await storage
      .records(flowKind)
      .replace({ ...flow, status: "failed", version: flow.version + 1, dueAt: clock.now() + 1 })
    await clock.advance(2)
    await vault.consent.work()
    expect(revoked).toEqual(["other-key"])
    expect((await connections()).map(({ account }) => account?.id)).toEqual(["alice"])
  })
})

describe("a grant that was renewed", () => {
  /** Connects an account and then enters a new key for it, in a process that may die in the middle. */
  async function renew({ dies }: { readonly dies: boolean }) {
    const revoked: string[] = []
    const outliving: Kind<ApiKeyProvider> = {
      ...apiKeyKind,
      outlivesRenewal: true,
      async revoke(_provider, { key = "" }) {
        revoked.push(key)
        return { kind: "revoked" }
      },
    }
    let isDead = false
    const memory = createMemoryStorage()
    const storage = overriding(memory, connectionKind, ({ remove }) => ({
      remove: (...given) => (isDead ? Promise.reject(new Error("the process died")) : remove(...given)),
    }))
    const kinds = {
      oauth: oauthKind,
      mcp_server: oauthKind as never,
      login_flow: loginFlowKind,
      api_key: outliving,
      basic: outliving as never,
    }
    const setup = setUpWeather({ storage, kinds })
    await setup.enter(await setup.ask(wanted), "alice-key")
    const question = await setup.ask({ ...wanted, message: "Once more." })
    isDead = dies
    await setup.enter(question, "alice-new-key").catch(() => {})
    return { ...setup, memory, question, revoked }
  }

  it("causes the earlier grant that it replaced to be revoked", async () => {
    const { connections, revoked } = await renew({ dies: false })
    expect(revoked).toEqual(["alice-key"])
    expect(await connections()).toMatchObject([{ status: "active" }])
  })

  it("is not revoked by the process that continues after a crash", async () => {
    const { hub, clock, vault, another, memory, question, revoked, connections } = await renew({ dies: true })
    expect((await hub.get(question.id))?.status).toBe("accepted")
    await vault.close()
    const next = another({ storage: memory })
    await clock.advance(120_000)
    await next.consent.work()
    expect((await hub.get(question.id))?.status).toBe("completed")
    expect(revoked).not.toContain("alice-new-key")
    expect(await connections()).toHaveLength(1)
  })
})

describe("a connection that its owner disconnects before the question is completed", () => {
  type Weather = ReturnType<typeof setUpWeather>

  /** Enters a key in a process that dies, after it stored the connection or while it did. */
  async function enterAndDie({ hub, another, ask, vault }: Weather, key: string, dying: Partial<VaultOptions> = {}) {
    const question = await ask({ ...wanted, message: "Once more." })
    const questions = { ...hub, complete: () => Promise.reject(new Error("the process died")) }
    const node = another({ questions, ...dying })
    await expect(node.consent.enter(question, visit(alice), { key })).rejects.toThrow("the process died")
    const connection = (await vault.list(need.owner)).find(({ status }) => status === "active")
    await vault.disconnect(connection?.id ?? "", { by: alice })
    return question
  }

  async function expectFailed({ hub, clock, connections, reports }: Weather, question: Elicitation): Promise<void> {
    await clock.advance(5 * 60_000)
    expect((await hub.get(question.id))?.status).toBe("accepted")
    await clock.advance(10 * 60_000)
    expect(await hub.get(question.id)).toMatchObject({ status: "failed", reason: { code: "disconnected" } })
    expect((await connections()).filter(({ status }) => status !== "revoked")).toEqual([])
    expect(reports).toEqual([])
  }

  it("does not become usable again, and its question fails", async () => {
    const setup = setUpWeather()
    await expectFailed(setup, await enterAndDie(setup, "alice-key"))
  })

  it("and that was renewed does not count as connected", async () => {
    const setup = setUpWeather()
    await setup.enter(await setup.ask(wanted), "alice-key")
    await expectFailed(setup, await enterAndDie(setup, "alice-new-key"))
  })

  it("and whose renewal was stored twice at that time does not become usable again", async () => {
    const setup = setUpWeather()
    await setup.enter(await setup.ask(wanted), "alice-key")
    const storage = overriding(setup.storage, connectionKind, () => ({
      remove: () => Promise.reject(new Error("the process died")),
    }))
    await expectFailed(setup, await enterAndDie(setup, "alice-new-key", { storage }))
  })
})

describe("closing", () => {
  it("does not wait for the attempts to revoke all remaining grants, which the next process makes", async () => {
    const { vault, books, connected, clock, another } = setUp()
    const later = { kind: "later", reason: { code: "unavailable" } } as const
    const ids = await Promise.all(["first", "second", "third"].map(async (name) => (await connected({ name })).id))
    books.revocations.push(...ids.map(() => () => later))
    for (const id of ids) await vault.disconnect(id, { by: alice })
    await vault.close()
    clock.set(clock.now() + hour)
    const slow = gate<ProviderRevokeResult>()
    let tries = 0
    books.revocations.push(
      ...ids.map(() => () => {
        tries += 1
        return slow.promise
      }),
    )
    const node = another()
    await clock.advance(0)
    const closing = node.close()
    slow.resolve(later)
    await closing
    expect(tries).toBe(1)
    another()
    await clock.advance(hour)
    expect(tries).toBe(3)
  })
})

describe("a token that no header can carry", () => {
  it.each(["line\nbreak", "snow☃man", "null\0"])(
    "is refused, because the error of the header would quote it",
    (access_token) => {
      const body = { access_token, token_type: "Bearer" }
      expect(judgeTokens({ status: 200, body }, {}, "exchange")).toMatchObject({
        kind: "unclear",
        reason: { code: "unfit_token" },
      })
    },
  )
})

describe("two providers", () => {
  it("with the same id are refused, because one would silently replace the other", () => {
    const { storage, hub, clock } = setUp()
    const make = () =>
      createVault({
        ...{ storage, questions: hub, runtime: clock, addresses: createAddresses("https://hub.example") },
        sealer: {} as never,
        fetch: () => Promise.reject(new Error("nothing is fetched here")),
        providers: [weather, { ...weather, name: "Other weather" }],
      })
    expect(make).toThrow(expect.objectContaining({ code: "invalid_config" }))
  })
})

const unavailable = (): Error => new HoldpointError("store_unavailable", "The database is away.")
