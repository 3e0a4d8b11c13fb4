// Sessions: fixation, forced sign-in, cookies that others could set or read.

import { request } from "node:http"
import { type Oidc, oidcClient, startOidc } from "@holdpoint/testkit/accounts/vault/providers/oidc"
import { freePort } from "@holdpoint/testkit/free-port"
import { openJarBrowser } from "@holdpoint/testkit/holdpoint/pages/browser"
import { openWorld, type World } from "@holdpoint/testkit/holdpoint/pages/world"
import { flowKind } from "@holdpoint/testkit/records"
import { verifies } from "@holdpoint/testkit/verifies"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { arrivePerson, ask, enterAs, newSubject } from "./setup.ts"

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const isSignInCallback = (url: URL): boolean => url.pathname === "/signin/callback"
const inboxOf = () => `${world.server.publicUrl}/inbox`

describe("session fixation", () => {
  verifies(
    "identity.sessions",
    "does not work: signing in creates a new session and ends the planted one",
    async () => {
      const mallory = newSubject("mallory")
      const theirs = await enterAs(world, world.person(mallory))
      const planted = theirs.cookies(world.server.publicUrl).get("hp_session") ?? ""
      const victim = openJarBrowser()
      victim.cookies(world.server.publicUrl).set("hp_session", planted)
      await world.signIn(newSubject("alice"), victim)
      expect(victim.cookies(world.server.publicUrl).get("hp_session")).not.toBe(planted)
      expect((await theirs.ask(inboxOf())).status).toBe(303)
    },
  )

  it("does not work with a value that was never issued", async () => {
    const victim = openJarBrowser()
    victim.cookies(world.server.publicUrl).set("hp_session", "A".repeat(43))
    expect((await victim.ask(inboxOf())).status).toBe(303)
    await world.signIn(newSubject("alice"), victim)
    expect(victim.cookies(world.server.publicUrl).get("hp_session")).not.toBe("A".repeat(43))
  })
})

describe("forced sign-in (login CSRF)", () => {
  verifies("identity.sign-in-once", "fails with an answer that another browser began", async () => {
    world.people.settings.user = newSubject("mallory")
    const attacker = openJarBrowser()
    const { url } = await attacker.open(`${world.server.publicUrl}/signin?to=inbox`, { stopAt: isSignInCallback })
    const before = world.people.countTokens()
    const victim = openJarBrowser()
    await victim.open(url.href)
    expect(victim.cookies(world.server.publicUrl).has("hp_session")).toBe(false)
    expect(world.people.countTokens()).toBe(before)
  })

  it("cannot change who is signed in", async () => {
    const alice = await arrivePerson(world, "alice")
    const token = alice.browser.cookies(world.server.publicUrl).get("hp_session")
    world.people.settings.user = newSubject("mallory")
    const { url } = await openJarBrowser().open(`${world.server.publicUrl}/signin`, { stopAt: isSignInCallback })
    await alice.browser.open(url.href)
    expect(alice.browser.cookies(world.server.publicUrl).get("hp_session")).toBe(token)
    expect((await alice.browser.open(inboxOf())).text).not.toContain(world.people.settings.user)
  })
})

describe("signing out", () => {
  verifies("identity.sessions", "ends the session itself: its cookie no longer works", async () => {
    const alice = await arrivePerson(world, "alice")
    const { link } = await ask(world, alice)
    const page = await alice.browser.open(link)
    const token = alice.browser.cookies(world.server.publicUrl).get("hp_session") ?? ""
    const csrf = /name="csrf" value="([^"]*)"/.exec(page.text)?.[1] ?? ""
    const init = { method: "POST", body: new URLSearchParams({ csrf }), headers: { "sec-fetch-site": "same-origin" } }
    expect((await alice.browser.ask(`${world.server.publicUrl}/signout`, init)).status).toBe(200)
    expect(alice.browser.cookies(world.server.publicUrl).has("hp_session")).toBe(false)
    const thief = openJarBrowser()
    thief.cookies(world.server.publicUrl).set("hp_session", token)
    expect((await thief.ask(link)).status).toBe(303)
    expect((await thief.submit(page, { do: "continue" }, { stopAt: () => true })).url.pathname).toBe("/signin")
    expect(
      await world.storage.records(flowKind).list({ tenant: "acme", owner: link.split("/").at(-1) ?? "", limit: 1 }),
    ).toEqual([])
  })

  it("ends the session's open event streams too", async () => {
    const alice = await arrivePerson(world, "alice")
    const cookie = `hp_session=${alice.browser.cookies(world.server.publicUrl).get("hp_session")}`
    const stream = await fetch(`${world.server.publicUrl}/inbox/events`, { headers: { cookie } })
    const reader = stream.body?.getReader()
    const next = async (): Promise<string | undefined> => {
      const { value } = (await reader?.read()) ?? {}
      return value === undefined ? undefined : Buffer.from(value).toString()
    }
    expect(await next()).toContain("retry")
    const { id } = await ask(world, alice)
    expect(await next()).toContain(id)
    const { identity } = world.server
    if ("endAll" in identity) await identity.endAll(world.person(alice.subject))
    await ask(world, alice, { message: "Not for this page any more." })
    expect(await next()).toBeUndefined()
  })
})

describe("cookies on https", () => {
  const publicUrl = "https://hub.example"
  let people: Oidc
  let secure: World
  beforeAll(async () => {
    people = await startOidc({ redirectUris: [`${publicUrl}/signin/callback`] })
    const client = { id: oidcClient.id, secret: oidcClient.secret }
    const port = await freePort()
    secure = await openWorld({
      ...{ publicUrl, port },
      people: { from: "providers", providers: [{ id: "p", name: "P", issuer: people.issuer, client, tenant: "acme" }] },
    })
    listening = port
  })
  afterAll(async () => {
    await secure.close()
    await people.close()
  })

  verifies(
    "page.headers",
    "are __Host-, Secure, HttpOnly and SameSite=Lax, for every path and only this host",
    async () => {
      const begun = await send("/signin/p?to=inbox")
      const callback = await openJarBrowser().open(begun.location, { stopAt: ({ origin }) => origin === publicUrl })
      const finished = await send(callback.url.pathname + callback.url.search, { cookie: begun.cookie })
      expect(finished.location).toBe("/inbox")
      const session = finished.set.find((line) => line.startsWith("__Host-hp_session=")) ?? ""
      const id = await questionFor("alice")
      const page = await send(`/connect/${id}`, { cookie: pairOf(session) })
      const [csrf, shownField] = ["csrf", "shown"].map(
        (name) => new RegExp(`name="${name}" value="([^"]*)"`).exec(page.text)?.[1],
      )
      const body = `csrf=${csrf}&shown=${shownField}&do=continue`
      const clicked = await send(`/connect/${id}`, { cookie: pairOf(session) }, body)
      expect(clicked.status).toBe(303)
      const all = [...begun.set, session, ...clicked.set]
      expect(all.length).toBeGreaterThanOrEqual(4)
      for (const line of all) {
        expect(line).toMatch(/^__Host-hp_\w+=/)
        for (const part of ["Path=/", "HttpOnly", "Secure", "SameSite=Lax"]) expect(line.split("; ")).toContain(part)
        expect(line).not.toMatch(/domain=/i)
      }
    },
  )

  it("without the prefix, which a sibling host could set, are ignored", async () => {
    const begun = await send("/signin/p?to=inbox")
    const callback = await openJarBrowser().open(begun.location, { stopAt: ({ origin }) => origin === publicUrl })
    const finished = await send(callback.url.pathname + callback.url.search, { cookie: begun.cookie })
    const session = pairOf(finished.set.find((line) => line.includes("hp_session=")) ?? "")
    expect((await send("/inbox", { cookie: session })).status).toBe(200)
    expect((await send("/inbox", { cookie: session.replace("__Host-", "") })).status).toBe(303)
  })

  async function questionFor(subject: string): Promise<string> {
    const owner = { kind: "person", tenant: "acme", issuer: people.issuer, subject } as const
    return (await secure.server.vault.ask({ ...secure.need(subject), owner })).id
  }
})

let listening = 0

/** Sends a request as the proxy in front of the server would forward it. */
function send(path: string, headers: Readonly<Record<string, string>> = {}, body?: string) {
  const form =
    body === undefined ? {} : { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin" }
  const options = {
    ...{ hostname: "127.0.0.1", port: listening, path, method: body === undefined ? "GET" : "POST" },
    headers: { host: "hub.example", ...form, ...headers },
  }
  return new Promise<{ status: number; location: string; set: string[]; cookie: string; text: string }>(
    (resolve, reject) => {
      const sent = request(options, async (response) => {
        let text = ""
        for await (const part of response) text += part
        const set = response.headers["set-cookie"] ?? []
        const { location = "" } = response.headers
        resolve({ status: response.statusCode ?? 0, location, set, cookie: set.map(pairOf).join("; "), text })
      })
      sent.on("error", reject).end(body)
    },
  )
}

const pairOf = (line: string): string => line.split(";")[0] ?? ""
