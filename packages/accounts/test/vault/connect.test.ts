// From a need to a connection: found, or asked for; and what the asker gets when there is none.

import { toOwner } from "@holdpoint/accounts"
import type { Elicitation } from "@holdpoint/hub"
import { alice, bob, carol, requester } from "@holdpoint/testkit/fixtures"
import { overriding } from "@holdpoint/testkit/hub/stores/overriding"
import { verifies } from "@holdpoint/testkit/verifies"
import { describe, expect, it } from "vitest"
import { outcomeOf } from "../../src/vault/connection-errors.ts"
import { readContext, toContext } from "../../src/vault/context.ts"
import { activate, discard, findAccount, mergeInto, storeGrant } from "../../src/vault/grants.ts"
import { connectionKind } from "../../src/vault/records.ts"
import type { Setup } from "./scripted.ts"
import { drive, hour, need, setUp, toCredentials } from "./scripted.ts"

const url = "https://api.drive.example/files"

async function openQuestion({ hub, clock }: Setup): Promise<Elicitation> {
  await clock.advance(0)
  const [question] = await hub.list({ tenant: "acme", state: "open", limit: 10 })
  if (question === undefined) throw new Error("no question was asked")
  return question
}

/** What the pages do once the person has said yes. */
async function consent(
  setup: Setup,
  question: Elicitation,
  scopes: readonly string[],
  account = "first",
): Promise<string> {
  const { hub, parts, clock } = setup
  const context = readContext(question)
  if (context === undefined) throw new Error("not about an account")
  await hub.answer(question.id, { by: alice, action: "accept" })
  const fields = { name: account, access_token: `${account}-new-access`, refresh_token: `${account}-new-refresh` }
  const credentials = { ...toCredentials(fields, clock.now()), scopes }
  const { owner, provider } = context
  const pending = await storeGrant(parts, { owner, provider, credentials, by: alice })
  const facts = { account: { id: account }, by: alice }
  const made =
    context.connection === undefined
      ? await activate(parts, pending.id, facts)
      : await mergeInto(parts, context.connection, pending.id, facts)
  // All nodes are notified of the connection before the question is completed.
  await clock.advance(0)
  await hub.complete(question.id)
  return made.id
}

describe("a need", () => {
  verifies(
    "connection.asked-once",
    "is met by the most recently activated connection that covers its scopes, without a question",
    async () => {
      const setup = setUp()
      const { vault, connected, clock, hub } = setup
      await connected({ name: "first" })
      clock.set(clock.now() + 1_000)
      const second = await connected({ name: "second" })
      expect((await vault.connect(need)).id).toBe(second.id)
      expect((await vault.connect({ ...need, account: "first" })).account?.id).toBe("first")
      expect((await vault.find({ ...need, scopes: [] }))?.id).toBe(second.id)
      expect(await vault.find({ ...need, scopes: ["files", "mail"] })).toBeUndefined()
      expect(await vault.find({ ...need, account: "third" })).toBeUndefined()
      expect(await vault.find({ ...need, owner: toOwner(bob) })).toBeUndefined()
      expect(await hub.list({ tenant: "acme", state: "all", limit: 10 })).toEqual([])
    },
  )

  it("for an unknown provider fails, and the error suggests the one that was probably meant", async () => {
    await expect(setUp().vault.connect({ ...need, provider: "drlve" })).rejects.toMatchObject({
      code: "unknown_provider",
      message: expect.stringContaining("drive"),
    })
  })

  verifies(
    "connection.asked-once",
    "asks its owner once for many callers, and all continue when the account is connected",
    async () => {
      const setup = setUp()
      const waiting = Array.from({ length: 5 }, () => setup.vault.connect({ ...need, returnTo: "inbox" }))
      const question = await openQuestion(setup)
      expect(question).toMatchObject({
        mode: "url",
        url: `https://hub.example/connect/${question.id}`,
        message: "Deployer asks you to connect Drive.",
        audience: { kind: "one", principal: { subject: "alice" } },
      })
      expect(readContext(question)).toEqual({
        provider: "drive",
        scopes: ["files"],
        owner: need.owner,
        returnTo: "inbox",
      })
      const id = await consent(setup, question, ["files"])
      const handles = await Promise.all(waiting)
      expect(await setup.hub.get(question.id)).toMatchObject({ status: "completed" })
      expect(handles.map((handle) => handle.id)).toEqual(Array.from({ length: 5 }, () => id))
      expect((await handles[0]?.fetch(url))?.status).toBe(200)
      expect(await setup.hub.list({ tenant: "acme", state: "all", limit: 10 })).toHaveLength(1)
    },
  )

  it("is met as soon as the answer to another question meets it, and its own question is withdrawn", async () => {
    const setup = setUp()
    const first = setup.vault.connect(need)
    const question = await openQuestion(setup)
    const second = setup.vault.connect({ ...need, message: "Another tool needs your files." })
    await setup.clock.advance(0)
    await consent(setup, question, ["files"])
    expect((await second).id).toBe((await first).id)
    await setup.clock.advance(0)
    expect(await setup.hub.list({ tenant: "acme", state: "open", limit: 10 })).toEqual([])
    expect(await setup.hub.get(question.id)).toMatchObject({ status: "completed" })
  })

  it("without waiting asks, and fails immediately with the address where the person can answer", async () => {
    const setup = setUp()
    const error = await setup.vault.connect(need, { wait: false }).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: "connection_needed", message: expect.stringContaining("Drive") })
    const question = await openQuestion(setup)
    expect(outcomeOf(error)).toEqual({
      status: "asked",
      question: { id: question.id, url: question.mode === "url" && question.url },
    })
    expect(question.expiresAt - question.createdAt).toBe(24 * hour)
    await consent(setup, question, ["files"])
    expect((await setup.vault.connect(need, { wait: false })).account?.id).toBe("first")
  })

  verifies("connection.of-a-project", "of a project asks its administrators", async () => {
    const setup = setUp()
    const owner = { kind: "project", tenant: "acme", project: "website" } as const
    const waiting = setup.vault.connect({ ...need, owner })
    const question = await openQuestion(setup)
    expect(question.audience).toEqual({ kind: "role", tenant: "acme", role: "admin" })
    expect(readContext(question)?.owner).toEqual(owner)
    const admin = { ...carol, roles: ["admin"] }
    expect(await setup.hub.answer(question.id, { by: alice, action: "decline" })).toMatchObject({ ok: false })
    await setup.hub.answer(question.id, { by: admin, action: "decline" })
    await expect(waiting).rejects.toMatchObject({ code: "connection_needed" })
  })
})

describe("more scopes", () => {
  it("are asked for in the name of the first tool, with the kind of the account", async () => {
    const { vault, hub } = setUp()
    const first = await vault.ask({ ...need, tool: "list_files" })
    const second = await vault.ask({ ...need, scopes: ["photos"], tool: "list_photos" })
    expect(second.id).toBe(first.id)
    expect((await hub.get(first.id))?.context).toMatchObject({
      ...{ scopes: "files photos", tool: "list_files", credentialType: "oauth" },
    })
  })

  verifies(
    "connection.step-up",
    "are asked for with the old ones, while the connection stays usable, and are added to it",
    async () => {
      const setup = setUp()
      const old = await setup.connected()
      const handle = await setup.vault.use(old.id)
      const waiting = setup.vault.connect({ ...need, scopes: ["mail"] })
      const question = await openQuestion(setup)
      expect(readContext(question)).toMatchObject({
        scopes: ["files", "mail"],
        connection: old.id,
        reason: "more_scopes",
      })
      expect(question.message).toBe("Deployer asks for more access to Drive.")
      expect((await handle.fetch(url)).status).toBe(200)
      await consent(setup, question, ["files", "mail"])
      const wider = await waiting
      expect(wider).toMatchObject({ id: old.id, scopes: ["files", "mail"] })
      await handle.fetch(url)
      expect(setup.calls.map(({ authorization }) => authorization)).toEqual([
        "Bearer first-access-0",
        "Bearer first-new-access",
      ])
      expect(await setup.vault.list(need.owner)).toHaveLength(1)
    },
  )

  it("that were not all granted are reported as missing, and the call does not ask again", async () => {
    const setup = setUp()
    const waiting = setup.vault.connect({ ...need, scopes: ["files", "mail"] })
    const refused = expect(waiting).rejects.toMatchObject({ message: expect.stringContaining("fewer rights") })
    await consent(setup, await openQuestion(setup), ["files"])
    await refused
    expect(outcomeOf(await waiting.catch((error: unknown) => error))).toMatchObject({ status: "completed" })
  })
})

describe("a need that is not met", () => {
  it.each([
    ["declined", (setup: Setup, { id }: Elicitation) => setup.hub.answer(id, { by: alice, action: "decline" })],
    ["cancelled", (setup: Setup, { id }: Elicitation) => setup.hub.answer(id, { by: alice, action: "cancel" })],
    ["expired", (setup: Setup) => setup.clock.advance(hour)],
    [
      "failed",
      async (setup: Setup, { id }: Elicitation) => {
        await setup.hub.answer(id, { by: alice, action: "accept" })
        await setup.hub.fail(id, { code: "access_denied", message: "The provider says no." })
      },
    ],
  ])("whose question ended as %s reports that to people and to programs", async (status, end) => {
    const setup = setUp()
    const waiting = setup.vault.connect(need).catch((thrown: unknown) => thrown)
    const question = await openQuestion(setup)
    await end(setup, question)
    const error = await waiting
    expect(error).toMatchObject({ code: "connection_needed", message: expect.stringContaining("Drive") })
    expect(outcomeOf(error)).toMatchObject({ status, question: { id: question.id } })
    if (status === "failed") expect(outcomeOf(error)?.reason?.code).toBe("access_denied")
  })

  it("whose asker gave up cancels its question", async () => {
    const setup = setUp()
    const controller = new AbortController()
    const waiting = setup.vault.connect(need, { signal: controller.signal })
    const gaveUp = expect(waiting).rejects.toThrow("enough")
    const { id } = await openQuestion(setup)
    controller.abort(new Error("enough"))
    await gaveUp
    await setup.clock.advance(0)
    expect(await setup.hub.get(id)).toMatchObject({ status: "cancelled" })
  })
})

describe("a connection that is lost during a call", () => {
  verifies(
    "connection.401-renews-once",
    "is asked for again, and the call is made once more when the owner has allowed it",
    async () => {
      const setup = setUp()
      const { id } = await setup.connected()
      const handle = await setup.vault.connect(need)
      setup.books.refused.add("first-access-0").add("first-access-1")
      const call = handle.fetch(url, { method: "POST", body: "hello" })
      const question = await openQuestion(setup)
      expect(readContext(question)).toMatchObject({ connection: id, account: "first", reason: "unauthorized" })
      await consent(setup, question, ["files"])
      expect((await call).status).toBe(200)
      expect(setup.calls.map(({ body }) => body)).toEqual(["hello", "hello", "hello"])
      expect(await setup.stored(id)).toMatchObject({ status: "active" })
    },
  )

  it("is not asked for a second time by the same call", async () => {
    const setup = setUp()
    await setup.connected()
    const handle = await setup.vault.connect(need)
    for (const token of ["first-access-0", "first-access-1", "first-new-access", "first-access-2"]) {
      setup.books.refused.add(token)
    }
    const call = expect(handle.fetch(url)).rejects.toMatchObject({ code: "connection_needed" })
    await consent(setup, await openQuestion(setup), ["files"])
    await call
    expect(await setup.hub.list({ tenant: "acme", state: "open", limit: 10 })).toEqual([])
  })
})

describe("a grant", () => {
  const grant = (name: string, clock: Setup["clock"]) => ({
    owner: need.owner,
    provider: drive.id,
    credentials: toCredentials({ name, access_token: `${name}-access`, refresh_token: `${name}-refresh` }, clock.now()),
    by: alice,
  })

  it("is pending and unusable until it is activated, and can be stored again after a crash", async () => {
    const { parts, vault, clock, trailOf } = setUp()
    const first = await storeGrant(parts, { ...grant("first", clock), id: "c1" })
    expect(await storeGrant(parts, { ...grant("first", clock), id: "c1" })).toEqual(first)
    await expect((await vault.use("c1")).fetch(url)).rejects.toMatchObject({ code: "connection_needed" })
    await activate(parts, "c1", { by: alice })
    await activate(parts, "c1", { by: alice })
    expect((await trailOf("c1")).map(({ kind }) => kind)).toEqual(["connected"])
    expect(JSON.stringify(first)).not.toContain("first-access")
  })

  verifies(
    "consent.survives-a-crash",
    "is merged once: a repeated merge after a crash does not overwrite refreshed tokens",
    async () => {
      const { parts, vault, connected, clock, storage, stored, books } = setUp()
      const target = await connected()
      const pending = await storeGrant(parts, grant("wider", clock))
      const killed = () => Promise.reject(new Error("killed"))
      const mortal = { ...parts, storage: overriding(storage, connectionKind, () => ({ remove: killed })) }
      await expect(mergeInto(mortal, target.id, pending.id, { by: alice })).rejects.toThrow("killed")
      clock.set(clock.now() + hour)
      await (await vault.use(target.id)).fetch(url)
      const { sealed } = await stored(target.id)
      await mergeInto(parts, target.id, pending.id, { by: alice })
      expect((await stored(target.id)).sealed).toEqual(sealed)
      expect(await storage.records(connectionKind).get(pending.id)).toBeUndefined()
      expect(books.presented).toEqual(["wider-refresh"])
      await mergeInto(parts, target.id, pending.id, { by: alice })
      await expect(mergeInto(parts, target.id, "never", { by: alice })).rejects.toMatchObject({
        code: "connection_needed",
      })
    },
  )

  it("that is discarded is revoked and removed, unless it is in use", async () => {
    const { parts, connected, clock, storage, stored, books } = setUp()
    const pending = await storeGrant(parts, grant("other", clock))
    await discard(parts, pending.id)
    await discard(parts, pending.id)
    expect(books.revoked).toEqual(["other-access"])
    expect(await storage.records(connectionKind).get(pending.id)).toBeUndefined()
    const { id } = await connected()
    await discard(parts, id)
    expect(await stored(id)).toMatchObject({ status: "active" })
  })

  it("is found by its account", async () => {
    const { parts, connected, vault } = setUp()
    const { id } = await connected()
    const wanted = { owner: need.owner, provider: "drive", account: "first" }
    expect((await findAccount(parts, wanted))?.id).toBe(id)
    expect(await findAccount(parts, { ...wanted, owner: toOwner(bob) })).toBeUndefined()
    await vault.disconnect(id, { by: alice })
    expect(await findAccount(parts, wanted)).toBeUndefined()
  })
})

describe("the context of a question", () => {
  verifies("consent.for-oneself", "that would have one person connect an account for another is refused", async () => {
    const { hub, vault } = setUp()
    const context = toContext({ provider: "drive", scopes: [], owner: need.owner })
    const crafted = await hub.ask({
      message: "Connect",
      url: "https://hub.example/x",
      audience: bob,
      requester,
      context,
    })
    expect(readContext(crafted)).toBeUndefined()
    const toBob = { ...need, audience: { kind: "one", principal: bob } } as const
    await expect(vault.connect(toBob)).rejects.toMatchObject({ code: "invalid_question" })
  })

  const audience = { kind: "one", principal: alice } as const
  const whole = {
    provider: "drive",
    scopes: ["files", "mail"],
    owner: need.owner,
    connection: "c1",
    account: "a b",
    reason: "expired",
    returnTo: "inbox",
  }

  it("reads back as it was written", () => {
    expect(readContext({ tenant: "acme", audience, context: toContext(whole) })).toEqual(whole)
    const project = {
      provider: "drive",
      scopes: [],
      owner: { kind: "project", tenant: "acme", project: "web" },
    } as const
    expect(readContext({ tenant: "acme", audience, context: toContext(project) })).toEqual(project)
  })

  it.each([
    { trigger: "approval" },
    { trigger: "credential_required" },
    { trigger: "credential_required", provider: "drive" },
    { trigger: "credential_required", provider: "drive", owner: "person", ownerIssuer: "https://id.example" },
    { trigger: "credential_required", provider: "drive", owner: "project" },
    { trigger: "credential_required", provider: 7, owner: "project", ownerProject: "web" },
  ] as const)("that is incomplete is not read: %j", (context) => {
    expect(readContext({ tenant: "acme", audience, context })).toBeUndefined()
  })
})
