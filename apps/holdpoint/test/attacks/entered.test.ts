// Keys that people enter: never shown again, tested before they are stored, and stored only for the person who was
// asked.

import type { ApiKeyProvider } from "@holdpoint/accounts"
import { openWorld, type World } from "@holdpoint/testkit/holdpoint/pages/world"
import { flowKind } from "@holdpoint/testkit/records"
import { verifies } from "@holdpoint/testkit/verifies"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import {
  arrivePerson,
  ask,
  call,
  connectionsOf,
  expectUnusable,
  listenTo,
  type Person,
  type Site,
  startSite,
} from "./setup.ts"

const goodKey = "sk_live_9f8e7d6c5b4a39281706WXYZ"
const badKey = "sk_live_this-one-does-not-work-QRST"

let world: World
let api: Site
let isUp = true
beforeAll(async () => {
  api = await startSite((request, response) => {
    if (!isUp) return void response.writeHead(503).end()
    const isFine = request.headers["x-api-key"] === goodKey
    const body = isFine ? { id: "acct-1", name: `<b>Alice</b>` } : { error: `no: ${request.headers["x-api-key"]}` }
    response.writeHead(isFine ? 200 : 401, { "content-type": "application/json" }).end(JSON.stringify(body))
  })
  world = await openWorld({
    providers: () => [weather(), { ...weather(), id: "storms", identity: { from: "nothing" } }],
  })
})
afterAll(async () => {
  await world.close()
  await api.close()
})

const weather = (): ApiKeyProvider => ({
  ...{ kind: "api_key", id: "weather", name: "Example Weather", api: [api.url] },
  header: { name: "X-Api-Key" },
  test: { method: "GET", url: `${api.url}/me` },
  identity: { from: "call", call: { method: "GET", url: `${api.url}/me` }, id: "id", name: ["name"] },
})

const need = { provider: "weather", scopes: [] }
const enter = async ({ browser }: Person, link: string, key: string) =>
  browser.submit(await browser.open(link), { do: "continue", key })

describe("the API-key form", () => {
  it("has a password field that no browser remembers, and is sent only by POST", async () => {
    const alice = await arrivePerson(world, "alice")
    const page = await alice.browser.open((await ask(world, alice, need)).link)
    const [field = ""] = /<input[^>]*name="key"[^>]*>/.exec(page.text) ?? []
    expect(field).toContain('type="password"')
    expect(field).toContain('autocomplete="off"')
    expect(page.text).not.toMatch(/<form[^>]*method="get"/i)
    const before = api.asked.length
    await alice.browser.open(`${page.url.href}?do=continue&key=${goodKey}`)
    expect(api.asked).toHaveLength(before)
    expect(await connectionsOf(world, alice)).toEqual([])
  })

  verifies(
    "consent.entered-key",
    "tests the key before it is saved, and stores nothing of a key that does not work",
    async () => {
      const alice = await arrivePerson(world, "alice")
      // The second provider does not identify the account, so only a test request shows whether the key works.
      for (const provider of ["weather", "storms"]) {
        const { link } = await ask(world, alice, { ...need, provider })
        expect((await enter(alice, link, badKey)).status).toBe(422)
      }
      expect(await connectionsOf(world, alice)).toEqual([])
      expect(JSON.stringify(await world.storage.records(flowKind).list({ tenant: "acme", limit: 100 }))).not.toContain(
        badKey,
      )
    },
  )

  it("stores nothing of a key that cannot be tested now", async () => {
    const alice = await arrivePerson(world, "alice")
    const { link } = await ask(world, alice, need)
    isUp = false
    const refused = await enter(alice, link, goodKey)
    isUp = true
    expect(refused.status).toBe(422)
    expect(await connectionsOf(world, alice)).toEqual([])
    expect((await enter(alice, link, goodKey)).text).toContain("Connected as")
  })

  verifies(
    "consent.entered-key",
    "never shows a key again, neither after an error nor afterwards; its last four characters identify it",
    async () => {
      const alice = await arrivePerson(world, "alice")
      const { link, ended } = await call(world, alice, need)
      const listening = listenTo(world)
      try {
        await enter(alice, link, badKey)
        await enter(alice, link, goodKey)
        await ended
        const account = await alice.browser.open(`${world.server.publicUrl}/account`)
        expect(account.text).toContain("WXYZ")
      } finally {
        listening.stop()
      }
      const output = listening.sent.join("\n")
      for (const key of [goodKey, badKey]) {
        expect(output).not.toContain(key)
        expect(output).not.toContain(key.slice(0, 12))
      }
      expect(world.problems.join("\n")).not.toContain("sk_live")
      expect(output).not.toContain("<b>Alice</b>")
    },
  )

  it("verifies the person like every other page: a key cannot be entered for another person", async () => {
    const alice = await arrivePerson(world, "alice")
    const mallory = await arrivePerson(world, "mallory")
    const hers = await ask(world, alice, need)
    const theirs = await ask(world, mallory, need)
    const own = await mallory.browser.open(theirs.link)
    const before = api.asked.length
    const forged = { ...own, text: own.text.replaceAll(theirs.id, hers.id) }
    const posted = await mallory.browser.submit(forged, { do: "continue", key: goodKey })
    await expectUnusable(posted, world, mallory.browser)
    expect(api.asked).toHaveLength(before)
    expect(await connectionsOf(world, alice)).toEqual([])
  })

  it("needs the token of the page", async () => {
    const alice = await arrivePerson(world, "alice")
    const page = await alice.browser.open((await ask(world, alice, need)).link)
    const before = api.asked.length
    expect((await alice.browser.submit(page, { do: "continue", key: goodKey, csrf: "" })).status).toBe(403)
    expect(api.asked).toHaveLength(before)
  })

  it("submitted three times in parallel makes one connection", async () => {
    const alice = await arrivePerson(world, "alice")
    const { link } = await ask(world, alice, need)
    const page = await alice.browser.open(link)
    await Promise.all([1, 2, 3].map(() => alice.browser.submit(page, { do: "continue", key: goodKey })))
    expect(await connectionsOf(world, alice)).toHaveLength(1)
  })

  it("tests the key once when it is entered three times at the same moment", async () => {
    const alice = await arrivePerson(world, "alice")
    const { id } = await ask(world, alice, need)
    const question = await world.server.hub.get(id)
    if (question === undefined) throw new Error("there is no question")
    const visitor = { principal: world.person(alice.subject), session: "hers" }
    const before = api.asked.length
    const all = await Promise.all(
      [1, 2, 3].map(() => world.server.vault.consent.enter(question, visitor, { key: goodKey }, undefined)),
    )
    expect(all.map(({ kind }) => kind).sort()).toEqual(["kept", "under_way", "under_way"])
    expect(api.asked.length - before).toBe(1)
    expect(await connectionsOf(world, alice)).toHaveLength(1)
  })

  it("has a limit: keys of 5,000 and of a million characters are not tested", async () => {
    const alice = await arrivePerson(world, "alice")
    const { link } = await ask(world, alice, need)
    const before = api.asked.length
    expect((await enter(alice, link, "k".repeat(5_000))).status).toBe(422)
    expect((await enter(alice, link, "k".repeat(1_000_000))).status).toBe(403)
    expect(api.asked).toHaveLength(before)
  })
})

describe("a stored key", () => {
  verifies("connection.credentials-stay", "is sent only to the provider's own addresses", async () => {
    const alice = await arrivePerson(world, "alice")
    const { link } = await ask(world, alice, need)
    await enter(alice, link, goodKey)
    const [connection] = await connectionsOf(world, alice)
    const handle = await world.server.vault.use(connection?.id ?? "")
    const evil = await startSite((_request, response) => void response.end())
    await expect(handle.fetch(`${evil.url}/steal`)).rejects.toMatchObject({ code: "unsafe_address" })
    expect(evil.asked).toEqual([])
    expect((await handle.fetch(`${api.url}/me`)).status).toBe(200)
    await evil.close()
  })
})
