// Scopes that this server enforces: one more Yes adds some, and some can be removed again. No request goes to the
// provider: this test's fetch would fail.

import type { OAuthProvider } from "@holdpoint/accounts"
import type { Elicitation, Storage } from "@holdpoint/hub"
import { createMemoryStorage } from "@holdpoint/hub"
import type { KeptRecord, RecordKind } from "@holdpoint/hub/storage"
import { alice } from "@holdpoint/testkit/fixtures"
import { overriding } from "@holdpoint/testkit/hub/stores/overriding"
import { verifies } from "@holdpoint/testkit/verifies"
import { describe, expect, it } from "vitest"
import { mergeInto, storeGrant } from "../../src/vault/grants.ts"
import { connectionKind, flowKind } from "../../src/vault/records.ts"
import type { Setup } from "./scripted.ts"
import { drive, hour, need, setUp, toCredentials } from "./scripted.ts"

const ours: OAuthProvider = { ...drive, quirks: { scopes: "ignored" } }
const visitor = { principal: alice, session: "a-session" }
const url = "https://api.drive.example/files"

const open = (storage?: Storage): Setup => setUp({ providers: [ours], ...(storage === undefined ? {} : { storage }) })

async function askForMail({ vault, clock, hub }: Setup) {
  const waiting = vault.connect({ ...need, scopes: ["mail"] })
  const settled = waiting.then(
    () => "connected",
    () => "refused",
  )
  await clock.advance(0)
  const [question] = await hub.list({ tenant: "acme", state: "open", limit: 10 })
  if (question === undefined) throw new Error("no question was asked")
  return { question, waiting, settled }
}

const shownBy = async ({ vault }: Setup, question: Elicitation): Promise<string> =>
  (await vault.consent.request(question))?.digest ?? ""

describe("one more Yes", () => {
  verifies(
    "consent.one-more-yes",
    "adds the scopes to the connection and lets waiting calls continue, without a request to the provider",
    async () => {
      const setup = open()
      const { id, version, sealed } = await setup.connected()
      const { question, waiting } = await askForMail(setup)
      const request = await setup.vault.consent.request(question)
      expect(request).toMatchObject({
        isWidening: true,
        account: { id: "first" },
        scopes: [
          { scope: "files", isNew: false },
          { scope: "mail", isNew: true },
        ],
      })
      expect(await setup.vault.consent.begin(question, visitor, { shownDigest: request?.digest ?? "" })).toEqual({
        kind: "widened",
      })
      expect(await waiting).toMatchObject({ id, scopes: ["files", "mail"] })
      expect(await setup.stored(id)).toMatchObject({ status: "active", version: version + 1, sealed })
      expect(await setup.hub.get(question.id)).toMatchObject({ status: "completed" })
      expect(await setup.vault.consent.attemptState(question, visitor)).toMatchObject({
        kind: "connected",
        connection: { id },
      })
      expect((await setup.trailOf(id)).map(({ kind }) => kind)).toEqual(["connected", "connected"])
      expect(setup.books.presented).toEqual([])
    },
  )

  verifies("consent.one-more-yes", "counts once, however many presses arrive at the same time", async () => {
    const setup = open()
    const { id } = await setup.connected()
    const { question, waiting } = await askForMail(setup)
    const shownDigest = await shownBy(setup, question)
    const other = setup.another()
    const presses = Array.from({ length: 20 }, (_, index) =>
      (index % 2 === 0 ? setup.vault : other).consent.begin(question, visitor, { shownDigest }),
    )
    for (const press of await Promise.all(presses)) expect(press.kind).toBe("widened")
    await waiting
    expect((await setup.trailOf(id)).map(({ kind }) => kind)).toEqual(["connected", "connected"])
    const kinds = (await setup.trailOf(question.id)).map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind === "completed")).toHaveLength(1)
    expect(await setup.storage.records(flowKind).list({ tenant: "acme", owner: question.id, limit: 10 })).toHaveLength(
      1,
    )
  })

  it.each([
    ["the attempt is written", "flows", "insert"],
    ["the scopes are added", "connections", "replace"],
    ["the question is completed", "store", "replace"],
    ["the attempt is finished", "flows", "replace"],
  ] as const)("is completed by another process when the first one dies after %s", async (_when, records, verb) => {
    const storage = createMemoryStorage()
    const setup = open(storage)
    const { id } = await setup.connected()
    const { question, settled } = await askForMail(setup)
    const mortal = mortalAfter(storage, records, verb)
    const dying = setup.another({ storage: mortal.storage, questions: mortal.questions(setup) })
    mortal.arm()
    await expect(dying.consent.begin(question, visitor)).rejects.toThrow("killed")
    await setup.clock.advance(61_000)
    await setup.vault.consent.work()
    expect(await settled).toBe("connected")
    expect(await setup.stored(id)).toMatchObject({ scopes: ["files", "mail"] })
    expect(await setup.hub.get(question.id)).toMatchObject({ status: "completed" })
    expect((await setup.trailOf(id)).map(({ kind }) => kind)).toEqual(["connected", "connected"])
  })

  verifies("consent.no-means-no", "adds nothing after a No", async () => {
    const setup = open()
    const { id } = await setup.connected()
    const { question, settled } = await askForMail(setup)
    await setup.hub.answer(question.id, { by: alice, action: "decline", via: "web" })
    expect(await setup.vault.consent.begin(question, visitor)).toMatchObject({ kind: "unavailable" })
    expect(await settled).toBe("refused")
    expect(await setup.stored(id)).toMatchObject({ scopes: ["files"] })
  })

  it("is not enough when the connection is lost by then", async () => {
    const setup = open()
    const { id } = await setup.connected()
    const { question } = await askForMail(setup)
    setup.books.refused.add("first-access-0").add("first-access-1")
    await expect((await setup.vault.use(id)).fetch(url)).rejects.toMatchObject({ code: "connection_needed" })
    expect(await setup.vault.consent.request(question)).toMatchObject({
      isWidening: false,
      lossReason: { code: "unauthorized" },
      account: { id: "first" },
    })
    // A consent at the provider cannot begin here either: its data has no endpoints.
    expect((await setup.vault.consent.begin(question, visitor)).kind).not.toBe("widened")
    expect(await setup.stored(id)).toMatchObject({ scopes: ["files"], status: "needs_reauth" })
  })

  it("is enough for a question that was asked before there was a connection", async () => {
    const setup = open()
    const { question, waiting } = await askForMail(setup)
    expect(await setup.vault.consent.request(question)).toMatchObject({ isWidening: false })
    const { id } = await setup.connected()
    expect(await setup.vault.consent.begin(question, visitor)).toEqual({ kind: "widened" })
    expect(await waiting).toMatchObject({ id, scopes: ["files", "mail"] })
  })

  it("is enough only for scopes that this server enforces, not for a provider's own scopes", async () => {
    const setup = setUp()
    await setup.connected()
    const { question } = await askForMail(setup)
    expect(await setup.vault.consent.request(question)).toMatchObject({ isWidening: false })
    await expect(setup.vault.narrow((await setup.connected()).id, { scopes: ["files"], by: alice })).rejects.toThrow(
      "Disconnect the account",
    )
  })

  verifies(
    "consent.one-more-yes",
    "outlives a refresh of the credentials, and so does the removal of a scope",
    async () => {
      const setup = open()
      const { id } = await setup.connected()
      const { question, waiting } = await askForMail(setup)
      await setup.vault.consent.begin(question, visitor)
      const handle = await waiting
      // The provider repeats what was asked for when it was connected.
      setup.clock.set(setup.clock.now() + hour)
      await handle.fetch(url)
      expect(await setup.stored(id)).toMatchObject({ scopes: ["files", "mail"] })
      await setup.vault.narrow(id, { scopes: ["files"], by: alice })
      setup.clock.set(setup.clock.now() + hour)
      await handle.fetch(url)
      expect(await setup.stored(id)).toMatchObject({ scopes: ["mail"] })
    },
  )
})

describe("a consent at the provider", () => {
  it.each([
    ["those that this server enforces are kept, and new ones are added", ours, ["files", "mail", "notes"]],
    ["the provider's own are those that it granted", drive, ["files", "notes"]],
  ])("renews the credentials; of the scopes, %s", async (_what, provider, expected) => {
    const setup = setUp({ providers: [provider] })
    const { id } = await setup.connected()
    const now = await setup.stored(id)
    await setup.storage.records(connectionKind).replace({ ...now, version: now.version + 1, scopes: ["files", "mail"] })
    const fields = { name: "first", access_token: "first-new", refresh_token: "first-newer" }
    const credentials = { ...toCredentials(fields, setup.clock.now()), scopes: ["files", "notes"] }
    const pending = await storeGrant(setup.parts, { owner: need.owner, provider: "drive", credentials, by: alice })
    expect((await mergeInto(setup.parts, id, pending.id, { by: alice })).scopes).toEqual(expected)
  })
})

describe("a press", () => {
  verifies("consent.as-shown", "on an outdated page begins nothing", async () => {
    const setup = open()
    const { id } = await setup.connected()
    const { question } = await askForMail(setup)
    const shownDigest = await shownBy(setup, question)
    const more = setup.vault.connect({ ...need, scopes: ["calendar"] })
    more.catch(() => {})
    await setup.clock.advance(0)
    const now = await setup.hub.get(question.id)
    if (now === undefined) throw new Error("gone")
    expect(await setup.vault.consent.begin(now, visitor, { shownDigest })).toEqual({ kind: "outdated" })
    expect(await setup.stored(id)).toMatchObject({ scopes: ["files"] })
    // The consent has not begun either: the question still grows.
    expect(await setup.hub.get(question.id)).toMatchObject({ status: "pending", grows: true })
    expect(await setup.vault.consent.begin(now, visitor, { shownDigest: await shownBy(setup, now) })).toEqual({
      kind: "widened",
    })
    expect(await setup.stored(id)).toMatchObject({ scopes: ["files", "mail", "calendar"] })
    await more
  })

  verifies("consent.as-shown", "that coincides with a new need grants nothing unseen", async () => {
    const setup = open()
    const { id } = await setup.connected()
    const { question } = await askForMail(setup)
    const shownDigest = await shownBy(setup, question)
    const racing = setup.another({ questions: withRival(setup) })
    expect(await racing.consent.begin(question, visitor, { shownDigest })).toEqual({ kind: "outdated" })
    expect(await setup.stored(id)).toMatchObject({ scopes: ["files"] })
  })

  verifies(
    "consent.as-shown",
    "that coincides with a new need does not send the person to the provider with that need",
    async () => {
      const endpoints = { authorization: "https://drive.example/authorize", token: "https://drive.example/token" }
      const setup = setUp({ providers: [{ ...drive, endpoints }] })
      const { question } = await askForMail(setup)
      const shownDigest = await shownBy(setup, question)
      const racing = setup.another({ questions: withRival(setup) })
      expect(await racing.consent.begin(question, visitor, { shownDigest })).toEqual({ kind: "outdated" })
      expect(await setup.storage.records(flowKind).list({ tenant: "acme", owner: question.id, limit: 10 })).toEqual([])
      const now = (await setup.hub.get(question.id)) ?? question
      expect((await racing.consent.begin(now, visitor, { shownDigest: await shownBy(setup, now) })).kind).toBe("begun")
    },
  )

  it("with an entered key that coincides with a new need stores nothing", async () => {
    const call = { method: "GET", url: "https://api.drive.example/me" } as const
    const keyed = { id: "drive", name: "Drive", kind: "api_key", api: drive.api, header: { name: "x-key" } } as const
    const setup = setUp({ providers: [{ ...keyed, test: call, identity: { from: "nothing" } }] })
    const { question } = await askForMail(setup)
    const shownDigest = await shownBy(setup, question)
    const racing = setup.another({ questions: withRival(setup) })
    const entered = { key: "a-key-that-was-never-shown" }
    expect(await setup.vault.consent.enter(question, visitor, entered, "something else")).toEqual({ kind: "outdated" })
    expect(await racing.consent.enter(question, visitor, entered, shownDigest)).toEqual({ kind: "outdated" })
    expect(await setup.vault.list(need.owner)).toEqual([])
  })

  verifies("consent.as-shown", "on a page from before a scope was removed begins nothing", async () => {
    const setup = open()
    const { id } = await setup.connected()
    const { question } = await askForMail(setup)
    const shownDigest = await shownBy(setup, question)
    await setup.vault.narrow(id, { scopes: ["files"], by: alice })
    expect(await setup.vault.consent.begin(question, visitor, { shownDigest })).toEqual({ kind: "outdated" })
  })
})

describe("allowing less", () => {
  verifies(
    "connection.narrowed",
    "removes single scopes on every node, with an entry in the trail, and leaves the connection active",
    async () => {
      const setup = open()
      const { id, sealed } = await setup.connected()
      const other = setup.another()
      expect(await other.find(need)).toMatchObject({ id })
      await setup.vault.narrow(id, { scopes: ["files"], by: alice })
      await setup.vault.narrow(id, { scopes: ["files"], by: alice })
      // The other node is notified through the trail.
      await setup.clock.advance(0)
      expect(await other.find(need)).toBeUndefined()
      expect(await other.find({ ...need, scopes: [] })).toMatchObject({ id })
      expect(await setup.stored(id)).toMatchObject({ status: "active", scopes: [], sealed })
      const [, narrowed, ...rest] = await setup.trailOf(id)
      expect(narrowed).toMatchObject({ kind: "narrowed", detail: { by: { subject: "alice" } } })
      expect(rest).toEqual([])
      await expect(setup.vault.narrow("nothing", { scopes: ["files"], by: alice })).rejects.toMatchObject({
        code: "connection_revoked",
      })
    },
  )
})

/** Asks for more between the read of the question and the write of the press. */
const withRival = ({ hub, vault, clock }: Setup) => ({
  ...hub,
  async answer(...given: Parameters<Setup["hub"]["answer"]>) {
    vault.connect({ ...need, scopes: ["calendar"] }).catch(() => {})
    await clock.advance(0)
    return hub.answer(...given)
  },
})

/** A process that dies right after the next write of this kind. */
function mortalAfter(storage: Storage, records: "flows" | "connections" | "store", verb: "insert" | "replace") {
  let isArmed = false
  type Write = (...given: readonly unknown[]) => Promise<unknown>
  const kind: RecordKind<KeptRecord> = records === "flows" ? flowKind : connectionKind
  const part = records === "store" ? storage.store : storage.records(kind)
  const written = part[verb] as Write
  const dies = async (...given: readonly unknown[]): Promise<unknown> => {
    if (!isArmed) return written(...given)
    await written(...given)
    throw new Error("killed")
  }
  const mortal =
    records === "store"
      ? { ...storage, store: { ...storage.store, [verb]: dies } }
      : overriding(storage, kind, () => ({ [verb]: dies }))
  return {
    storage: mortal,
    /** The hub of the same process: it dies when it completes, not when it accepts. */
    questions: ({ hub }: Setup) => ({
      ...hub,
      async complete(id: string) {
        const done = await hub.complete(id)
        if (isArmed && records === "store") throw new Error("killed")
        return done
      },
    }),
    arm() {
      isArmed = true
    },
  }
}
