// Needs that are gathered: for the same account, from the same program, before the owner has begun to answer.

import type { Need, OAuthProvider } from "@holdpoint/accounts"
import { toOwner } from "@holdpoint/accounts"
import type { Elicitation } from "@holdpoint/hub"
import { createAddresses, createHub, inbox } from "@holdpoint/hub"
import { alice, bob } from "@holdpoint/testkit/fixtures"
import { verifies } from "@holdpoint/testkit/verifies"
import { describe, expect, it } from "vitest"
import { outcomeOf } from "../../src/vault/connection-errors.ts"
import { readContext } from "../../src/vault/context.ts"
import { connectionKind } from "../../src/vault/records.ts"
import type { Setup } from "./scripted.ts"
import { drive, need, setUp } from "./scripted.ts"

const scopeWords = {
  "notes.read": "Read your notes",
  "files.read": "Read your files",
  "files.write": "Change your files",
}
const ours: OAuthProvider = { ...drive, quirks: { scopes: "ignored" }, scopeWords }
const visitor = { principal: alice, session: "a-session" }
const notes: Need = { ...need, scopes: ["notes.read"] }
const files: Need = { ...need, scopes: ["files.read"] }

const open = (gatherMs = 0): Setup => setUp({ providers: [ours], times: { gatherMs } })

/** How a call ends. */
const endOf = (waiting: Promise<{ readonly scopes: readonly string[] }>) =>
  waiting.then(
    ({ scopes }) => scopes,
    (error: unknown) => outcomeOf(error)?.status ?? String(error),
  )

async function openQuestions({ hub, clock }: Setup): Promise<readonly Elicitation[]> {
  await clock.advance(0)
  return hub.list({ tenant: "acme", state: "open", limit: 10 })
}

async function theOne(setup: Setup): Promise<Elicitation> {
  const [question, ...more] = await openQuestions(setup)
  if (question === undefined || more.length > 0) throw new Error(`${more.length + 1} questions are open, or none`)
  return question
}

const scopesOf = (question: Elicitation | undefined): readonly string[] | undefined =>
  question === undefined ? undefined : readContext(question)?.scopes

/** What the pages do once the person has said yes to all that is asked. */
async function connectAll(setup: Setup, { id }: Elicitation): Promise<void> {
  const question = await setup.hub.get(id)
  await setup.hub.answer(id, { by: alice, action: "accept", via: "web", expiresAt: setup.clock.now() + 60_000 })
  const made = await setup.connected()
  const scopes = scopesOf(question) ?? []
  const next = { ...made, version: made.version + 1, scopes }
  const facts = { provider: made.provider, owner: made.owner, version: next.version, scopes }
  const entry = { id: made.id, tenant: "acme", kind: "connected", at: setup.clock.now() } as const
  await setup.storage.records(connectionKind).replace(next, { ...entry, detail: { connection: facts } })
  await setup.hub.complete(id)
}

describe("needs that come at the same time", () => {
  verifies("connection.asked-together", "are gathered for a moment, and asked for in one question", async () => {
    const setup = open(30)
    const ends = [setup.vault.connect(notes), setup.vault.connect(files), setup.vault.connect(notes)].map(endOf)
    expect(await openQuestions(setup)).toEqual([])
    await setup.clock.advance(30)
    const question = await theOne(setup)
    expect(scopesOf(question)).toEqual(["notes.read", "files.read"])
    expect(question.message).toBe("Deployer asks you to connect Drive, to read your notes and read your files.")
    expect(question.revision).toBe(1)
    await connectAll(setup, question)
    for (const end of await Promise.all(ends)) expect(end).toEqual(["notes.read", "files.read"])
  })

  it("are explained by their own messages, each once, when all have one", async () => {
    const setup = open(30)
    for (const message of ["For your notes.", "For your files.", "For your notes."])
      setup.vault.connect({ ...files, message }).catch(() => {})
    await setup.clock.advance(30)
    expect((await theOne(setup)).message).toBe("For your notes. For your files.")
  })

  it("are not asked for when the call that needed them has gone", async () => {
    const setup = open(30)
    const gone = new AbortController()
    const first = setup.vault.connect(files, { signal: gone.signal })
    const refused = expect(first).rejects.toThrow("enough")
    const second = endOf(setup.vault.connect(notes))
    gone.abort(new Error("enough"))
    await setup.clock.advance(30)
    await refused
    const question = await theOne(setup)
    expect(scopesOf(question)).toEqual(["notes.read"])
    await connectAll(setup, question)
    expect(await second).toEqual(["notes.read"])
  })

  it.each([
    ["of somebody else", { owner: toOwner(bob) }],
    ["of another program", { requester: { id: "another" } }],
    ["for one certain account", { account: "second" }],
  ])("%s are asked for separately", async (_which, other) => {
    const setup = open(30)
    for (const one of [notes, { ...files, ...other }]) setup.vault.connect(one).catch(() => {})
    await setup.clock.advance(30)
    expect((await openQuestions(setup)).map(scopesOf).sort()).toEqual([["files.read"], ["notes.read"]])
  })
})

describe("a need that comes while a question is open", () => {
  verifies("connection.asked-together", "widens the question and joins it; one Yes covers both", async () => {
    const setup = open()
    const first = endOf(setup.vault.connect(notes))
    const before = await theOne(setup)
    await setup.hub.open(before.id, { by: alice })
    const second = endOf(setup.vault.connect(files))
    const question = await theOne(setup)
    expect(question).toMatchObject({ id: before.id, status: "pending" })
    expect(scopesOf(question)).toEqual(["notes.read", "files.read"])
    expect(question.message).toBe("Deployer asks you to connect Drive, to read your notes and read your files.")
    const kinds = (await setup.trailOf(question.id)).map(({ kind }) => kind)
    expect(kinds).toEqual(["asked", "opened", "widened"])
    await connectAll(setup, question)
    expect(await Promise.all([first, second])).toEqual([
      ["notes.read", "files.read"],
      ["notes.read", "files.read"],
    ])
  })

  verifies("connection.asked-together", "joins it from another process, whose caller waits as well", async () => {
    const setup = open()
    const questions = createHub({ storage: setup.storage, outlets: [inbox()], runtime: setup.clock })
    const other = setup.another({ questions })
    const first = endOf(setup.vault.connect(notes))
    await theOne(setup)
    const second = endOf(other.connect(files))
    const question = await theOne(setup)
    expect(scopesOf(question)).toEqual(["notes.read", "files.read"])
    expect(question.holders).toBe(2)
    await connectAll(setup, question)
    expect(await Promise.all([first, second])).toEqual([
      ["notes.read", "files.read"],
      ["notes.read", "files.read"],
    ])
    await questions.close()
  })

  it("is asked separately by a process whose pages are elsewhere; the first answer is enough for both", async () => {
    const setup = open()
    const publicUrl = "http://127.0.0.1:4651"
    const first = endOf(setup.vault.connect(notes))
    const theirs = await theOne(setup)
    const second = endOf(setup.another({ addresses: createAddresses(publicUrl) }).connect(notes))
    const [own] = (await openQuestions(setup)).filter(({ id }) => id !== theirs.id)
    expect(own).toMatchObject({ mode: "url", url: `${publicUrl}/connect/${own?.id}` })
    await connectAll(setup, theirs)
    expect(await Promise.all([first, second])).toEqual([["notes.read"], ["notes.read"]])
  })

  it("is not lost among 20 concurrent needs from two processes", async () => {
    const setup = open()
    const questions = createHub({ storage: setup.storage, outlets: [inbox()], runtime: setup.clock })
    const vaults = [setup.vault, setup.another({ questions })]
    const all = Array.from({ length: 20 }, (_, index) => `scope.${index}`)
    const ends = all.map((scope, index) =>
      endOf((vaults[index % 2] ?? setup.vault).connect({ ...need, scopes: [scope] })),
    )
    const question = await theOne(setup)
    expect([...(scopesOf(question) ?? [])].sort()).toEqual([...all].sort())
    await connectAll(setup, question)
    for (const end of await Promise.all(ends)) expect(end).toHaveLength(20)
    await questions.close()
  })

  it("joins the question even after the person agreed to open the page", async () => {
    const setup = open()
    setup.vault.connect(notes).catch(() => {})
    const { id } = await theOne(setup)
    await setup.hub.answer(id, { by: alice, action: "accept", via: "mcp" })
    setup.vault.connect(files).catch(() => {})
    expect(await theOne(setup)).toMatchObject({ id, status: "accepted" })
    expect(scopesOf(await setup.hub.get(id))).toEqual(["notes.read", "files.read"])
  })

  verifies(
    ["connection.asked-together", "consent.as-shown"],
    "is asked separately once the person has begun, together with all later needs",
    async () => {
      const setup = open()
      const first = endOf(setup.vault.connect(notes))
      const begun = await theOne(setup)
      const expiresAt = setup.clock.now() + 60_000
      await setup.hub.answer(begun.id, { by: alice, action: "accept", via: "web", expiresAt })
      const again = endOf(setup.vault.connect(notes))
      expect((await openQuestions(setup)).length).toBe(1)
      const [second, third] = [files, { ...need, scopes: ["files.write"] }].map((one) =>
        endOf(setup.vault.connect(one)),
      )
      const all = await openQuestions(setup)
      expect(all).toHaveLength(2)
      const [one, two] = [all.find(({ id }) => id === begun.id), all.find(({ id }) => id !== begun.id)]
      expect(scopesOf(one)).toEqual(["notes.read"])
      expect(scopesOf(two)).toEqual(["files.read", "files.write"])
      const { id } = await setup.connected()
      await setup.hub.complete(begun.id)
      if (two === undefined) throw new Error("no question was asked")
      // There is a connection by now: one more yes is enough.
      expect(await setup.vault.consent.begin(two, visitor)).toEqual({ kind: "widened" })
      const wide = ["files", "files.read", "files.write"]
      expect(await Promise.all([second, third])).toEqual([wide, wide])
      expect(await setup.stored(id)).toMatchObject({ scopes: wide })
      expect(await Promise.all([first, again])).toEqual(["completed", "completed"])
    },
  )

  verifies("connection.asked-together", "is declined with it", async () => {
    const setup = open()
    const ends = [notes, files].map((one) => endOf(setup.vault.connect(one)))
    const { id } = await theOne(setup)
    await setup.hub.answer(id, { by: alice, action: "decline" })
    expect(await Promise.all(ends)).toEqual(["declined", "declined"])
  })

  it("continues to wait when the first caller leaves", async () => {
    const setup = open()
    const gone = new AbortController()
    const first = expect(setup.vault.connect(notes, { signal: gone.signal })).rejects.toThrow("enough")
    await theOne(setup)
    const second = endOf(setup.vault.connect(files))
    await theOne(setup)
    gone.abort(new Error("enough"))
    await first
    const question = await theOne(setup)
    await connectAll(setup, question)
    expect(await second).toEqual(["notes.read", "files.read"])
  })

  it("adds its own words to those of the first", async () => {
    const setup = open()
    for (const one of [notes, { ...files, message: "Also for the tax." }, { ...need, scopes: ["files.write"] }]) {
      setup.vault.connect(one).catch(() => {})
      await setup.clock.advance(0)
    }
    const { message } = await theOne(setup)
    expect(message).toBe(
      "Deployer asks you to connect Drive, to read your notes. Also for the tax. Deployer asks you to connect Drive, to change your files.",
    )
  })
})
