// Where Holdpoint enforces scopes: one more consent on the page, fewer scopes on the account page, and the reason when
// an account has to be connected again.

import type { Provider } from "@holdpoint/accounts"
import type { JarBrowser, Visited } from "@holdpoint/testkit/holdpoint/pages/browser"
import { notesProvider, openWorld, type World } from "@holdpoint/testkit/holdpoint/pages/world"
import { connectionKind } from "@holdpoint/testkit/records"
import { verifies } from "@holdpoint/testkit/verifies"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"

let world: World
let browser: JarBrowser
let subject: string
let people = 0
beforeAll(async () => {
  world = await openWorld({
    providers: ({ notes }) => [notesProvider(notes, { quirks: { scopes: "ignored" } }), keyProvider],
  })
})
afterAll(() => world.close())
beforeEach(async () => {
  subject = `person-${++people}`
  browser = await world.signIn(subject)
  world.notes.settings.user = `${subject}-at-notes`
})

const keyProvider: Provider = {
  kind: "api_key",
  id: "weather",
  name: "Weather",
  api: ["https://weather.example"],
  header: { name: "x-key" },
  test: { method: "GET", url: "https://weather.example/me" },
  identity: { from: "nothing" },
}

const ask = async (...scopes: readonly string[]) => {
  const question = await world.server.vault.ask(world.need(subject, { scopes }))
  return { id: question.id, link: question.mode === "url" ? question.url : "" }
}

/** Connects the account with the scope for reading. */
async function connected() {
  const { link } = await ask("notes.read")
  const done = await browser.submit(await browser.open(link), { do: "continue" })
  expect(done.text).toContain("Connected as")
  const [connection] = await world.server.vault.list(world.need(subject).owner)
  if (connection === undefined) throw new Error("nothing was connected")
  return connection
}

/** The scopes of the notes API, without those that the provider itself requires. */
const ours = (scopes: readonly string[] = []): readonly string[] => scopes.filter((scope) => scope.startsWith("notes."))
const now = async ({ id }: { readonly id: string }) => ours((await world.server.vault.get(id))?.scopes)
const plain = ({ text }: Visited): string => text.replaceAll(/<[^>]+>/g, " ").replaceAll(/\s+/g, " ")

describe("the page that asks for more scopes", () => {
  verifies(
    "consent.one-more-yes",
    "shows the added and the existing scopes, and needs only one press of Allow",
    async () => {
      const connection = await connected()
      const waiting = world.server.vault.connect(world.need(subject, { scopes: ["notes.write"] }))
      const { link } = await ask("notes.write")
      const page = await browser.open(link)
      const words = plain(page)
      expect(words).toContain("Allow more at Example Notes?")
      expect(words).toMatch(/This is added Change your notes .*Allowed already .*Read your notes/)
      expect(words).toContain(`${subject}-at-notes stays as it is`)
      expect(page.text).toContain(">Allow</button>")
      const tokens = world.notes.countTokens()
      const done = await browser.submit(page, { do: "continue" })
      expect(done.hops.map((hop) => new URL(hop, done.url).origin)).toEqual(done.hops.map(() => world.server.publicUrl))
      expect(done.text).toContain("Connected as")
      const wider = await waiting
      expect([wider.id, ours(wider.scopes)]).toEqual([connection.id, ["notes.read", "notes.write"]])
      expect(world.notes.countTokens()).toBe(tokens)
    },
  )

  it("takes a No, and leaves everything as it was", async () => {
    const connection = await connected()
    const { link } = await ask("notes.write")
    expect((await browser.submit(await browser.open(link), { do: "no" })).text).toContain("You said no")
    expect(await now(connection)).toEqual(["notes.read"])
  })

  verifies("consent.as-shown", "is shown again when more was requested since, and grants nothing unseen", async () => {
    const connection = await connected()
    const { link } = await ask("notes.write")
    const old = await browser.open(link)
    await ask("notes.share")
    const again = await browser.submit(old, { do: "continue" })
    expect(again.status).toBe(409)
    expect(plain(again)).toContain("The program asked for more while this page was open")
    expect(again.text).toContain("notes.share")
    expect(await now(connection)).toEqual(["notes.read"])
    await browser.submit(again, { do: "continue" })
    expect(await now(connection)).toEqual(["notes.read", "notes.write", "notes.share"])
  })

  verifies(
    "consent.as-shown",
    "is refused when the form does not name the shown scopes, even for a first connection",
    async () => {
      const { link } = await ask("notes.read")
      const page = await browser.open(link)
      for (const shownValue of ["", "something-else"])
        expect((await browser.submit(page, { do: "continue", shown: shownValue })).status).toBe(409)
      expect(await world.server.vault.list(world.need(subject).owner)).toEqual([])
    },
  )
})

describe("the page on which a key is entered", () => {
  verifies("consent.as-shown", "is refused for other scopes than shown, and does not repeat the key", async () => {
    const question = await world.server.vault.ask(world.need(subject, { provider: "weather", scopes: ["read"] }))
    const page = await browser.open(`${world.server.publicUrl}/connect/${question.id}`)
    const again = await browser.submit(page, { do: "continue", key: "wk-0123456789abcdef", shown: "something-else" })
    expect(again.status).toBe(409)
    expect(again.text).not.toContain("wk-0123456789abcdef")
  })
})

describe("the account page", () => {
  verifies("connection.narrowed", "removes single scopes, and only from its own form", async () => {
    const connection = await connected()
    const { link } = await ask("notes.write")
    await browser.submit(await browser.open(link), { do: "continue" })
    const page = await browser.open(`${world.server.publicUrl}/account`)
    expect(plain(page)).toContain("Allow less")
    const form = { ...page, text: page.text.slice(page.text.indexOf('<details class="narrow">')) }
    const forged = await browser.submit(form, { scope: "notes.write", csrf: "guessed" })
    expect(forged.status).toBe(403)
    const unknown = await browser.submit(form, { scope: "notes.everything" })
    expect(unknown.status).toBe(200)
    expect(await now(connection)).toEqual(["notes.read", "notes.write"])
    const done = await browser.submit(form, { scope: "notes.write" })
    expect(plain(done)).toContain("No longer allowed at Example Notes: “Change your notes”.")
    expect(await now(connection)).toEqual(["notes.read"])
  })

  it("does not let another person remove scopes", async () => {
    const connection = await connected()
    const stranger = await world.signIn("mallory")
    const page = await stranger.open(`${world.server.publicUrl}/account`)
    const csrf = /name="csrf" value="([^"]*)"/.exec(page.text)?.[1] ?? ""
    const action = `${world.server.publicUrl}/account/connections/${connection.id}/narrow`
    const body = new URLSearchParams({ csrf, scope: "notes.read" })
    const headers = { origin: "null", "sec-fetch-site": "same-origin" }
    expect((await stranger.ask(action, { method: "POST", body, headers })).status).toBe(404)
    expect(await now(connection)).toEqual(["notes.read"])
  })
})

describe("the page of an account that was lost", () => {
  verifies("connection.says-why", "says why it asks again, and which account was connected", async () => {
    const connection = await connected()
    const { storage } = world
    const reason = { code: "unauthorized" }
    const record = (await storage.records(connectionKind).get(connection.id)) ?? connection
    await storage
      .records(connectionKind)
      .replace({ ...record, version: record.version + 1, status: "needs_reauth", reason })
    const words = plain(await browser.open((await ask("notes.read")).link))
    expect(words).toContain("Connect Example Notes?")
    expect(words).toContain("Why again? Example Notes no longer accepts the access it granted")
    expect(words).toContain(`Connected before ${subject}-at-notes`)
    expect(plain(await browser.open(`${world.server.publicUrl}/account`))).toContain("no longer accepts the access")
  })
})
