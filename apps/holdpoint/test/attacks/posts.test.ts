// Requests that did not come from our own page, or were redirected: forged posts, foreign hosts, frames, redirects.

import { request } from "node:http"
import { openJarBrowser, type Visited } from "@holdpoint/testkit/holdpoint/pages/browser"
import { openWorld, type World } from "@holdpoint/testkit/holdpoint/pages/world"
import { flowKind } from "@holdpoint/testkit/records"
import { verifies } from "@holdpoint/testkit/verifies"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { arrivePerson, ask, call, connectionsOf, isCallback, type Person, reachCallback } from "./setup.ts"

let world: World
beforeAll(async () => {
  world = await openWorld({
    pages: {
      openers: { desk: "https://desk.example" },
      returnTargets: { desk: { href: "https://desk.example/back", name: "Desk" } },
    },
  })
})
afterAll(() => world.close())

const openPage = async (): Promise<{ alice: Person; id: string; page: Visited }> => {
  const alice = await arrivePerson(world, "alice")
  const { id, link } = await ask(world, alice)
  return { alice, id, page: await alice.browser.open(link) }
}

const stateOf = async (id: string) => ({
  status: (await world.server.hub.get(id))?.status,
  flows: (await world.storage.records(flowKind).list({ tenant: "acme", owner: id, limit: 10 })).length,
})

const untouched = { status: "pending", flows: 0 }

describe("a forged post", () => {
  it.each<[string, Record<string, string>]>([
    ["from another site", { "sec-fetch-site": "cross-site" }],
    ["from a sibling site", { "sec-fetch-site": "same-site" }],
    ["that no page sent", { "sec-fetch-site": "none" }],
    ["of another origin", { origin: "https://evil.example", "sec-fetch-site": "same-origin" }],
    ["of the same host with another port", { origin: "http://127.0.0.1:1", "sec-fetch-site": "same-origin" }],
  ])("%s is refused with 403, even with the right token", async (_what, headers) => {
    const { alice, id, page } = await openPage()
    const posted = await alice.browser.submit(page, { do: "continue" }, { headers })
    expect(posted.status).toBe(403)
    expect(posted.headers.getSetCookie()).toEqual([])
    expect(await stateOf(id)).toEqual(untouched)
  })

  it.each<[string, (csrf: string) => string]>([
    ["without a token", () => ""],
    ["with an altered token", (csrf) => `${csrf.slice(0, -1)}${csrf.endsWith("A") ? "B" : "A"}`],
    ["with a token that is too long", (csrf) => `${csrf}A`],
  ])("%s is refused with 403", async (_what, change) => {
    const { alice, id, page } = await openPage()
    const csrf = /name="csrf" value="([^"]*)"/.exec(page.text)?.[1] ?? ""
    const posted = await alice.browser.submit(page, { do: "continue", csrf: change(csrf) })
    expect(posted.status).toBe(403)
    expect(await stateOf(id)).toEqual(untouched)
  })

  verifies("page.own-posts", "with the token of another person's session is refused with 403", async () => {
    const { alice, id, page } = await openPage()
    const mallory = await arrivePerson(world, "mallory")
    const theirs = await mallory.browser.open((await ask(world, mallory)).link)
    const csrf = /name="csrf" value="([^"]*)"/.exec(theirs.text)?.[1] ?? ""
    expect((await alice.browser.submit(page, { do: "no", csrf })).status).toBe(403)
    expect(await stateOf(id)).toEqual(untouched)
  })

  it("as JSON, plain text or multipart is refused with 403", async () => {
    const { alice, id, page } = await openPage()
    const csrf = /name="csrf" value="([^"]*)"/.exec(page.text)?.[1] ?? ""
    for (const type of ["text/plain", "application/json", "multipart/form-data; boundary=x"]) {
      const body = `csrf=${encodeURIComponent(csrf)}&do=continue`
      const posted = await alice.browser.ask(page.url.href, { method: "POST", body, headers: { "content-type": type } })
      expect(posted.status).toBe(403)
    }
    expect(await stateOf(id)).toEqual(untouched)
  })

  it("that is larger than any of our forms is refused", async () => {
    const { alice, id, page } = await openPage()
    const posted = await alice.browser.submit(page, { do: "continue", key: "x".repeat(300_000) })
    expect(posted.status).toBe(403)
    expect(await stateOf(id)).toEqual(untouched)
  })

  it.each([
    "/signout",
    "/account/projects",
    "/account/sessions/end-all",
    "/account/connections/x/disconnect",
    "/inbox/x",
  ])("to %s from another site is refused with 403", async (path) => {
    const { browser } = await arrivePerson(world, "alice")
    const init = { method: "POST", body: new URLSearchParams(), headers: { "sec-fetch-site": "cross-site" } }
    expect((await browser.ask(`${world.server.publicUrl}${path}`, init)).status).toBe(403)
    expect((await browser.ask(`${world.server.publicUrl}/inbox`)).status).toBe(200)
  })

  verifies("page.own-posts", "cannot be a GET: opening an address starts, answers and ends nothing", async () => {
    const { alice, id } = await openPage()
    await alice.browser.open(`${world.server.publicUrl}/connect/${id}?do=continue`)
    await alice.browser.open(`${world.server.publicUrl}/connect/${id}?do=no`)
    expect((await alice.browser.open(`${world.server.publicUrl}/signout`)).url.pathname).toBe("/account")
    expect(await stateOf(id)).toEqual(untouched)
  })
})

describe("a foreign host name (DNS rebinding, CVE-2025-66414)", () => {
  it.each(["evil.example", "evil.example:80", "localhost", "127.0.0.1", "127.0.0.1.evil.example"])(
    "%j is answered with 421",
    async (host) => {
      expect(await statusFor("/connect/x", { host })).toBe(421)
      expect(await statusFor("/oauth/callback/notes?state=x", { host })).toBe(421)
      expect(await statusFor("/assets/holdpoint.css", { host })).toBe(421)
    },
  )

  it("in a forwarding header of a proxy is not used either", async () => {
    const { host } = new URL(world.server.publicUrl)
    const forwarded = { host, "x-forwarded-host": "evil.example", forwarded: "host=evil.example" }
    const page = await openJarBrowser().ask(`${world.server.publicUrl}/connect/x`, { headers: forwarded })
    expect(page.status).toBe(303)
    expect(page.headers.get("location") ?? "").not.toContain("evil.example")
    expect(page.text).not.toContain("evil.example")
  })
})

describe("a framed page (clickjacking)", () => {
  verifies(
    "page.headers",
    "is not shown: every response forbids frames, referrers, caching and foreign content",
    async () => {
      const { alice, id, page } = await openPage()
      const base = world.server.publicUrl
      const paths = [
        "/inbox",
        "/account",
        "/signin?choose",
        `/connect/${id}/status`,
        "/nowhere",
        "/oauth/callback/notes",
      ]
      const visits = await Promise.all(paths.map((path) => alice.browser.ask(`${base}${path}`)))
      const begun = await alice.browser.submit(page, { do: "continue" }, { stopAt: () => true })
      const departed = await alice.browser.ask(`${base}/connect/${id}/continue`)
      expect(departed.status).toBe(200)
      for (const { headers, hops } of [page, begun, departed, ...visits]) {
        const policy = headers.get("content-security-policy") ?? ""
        expect(policy, hops.join(" ")).toContain("default-src 'none'")
        for (const part of ["frame-ancestors 'none'", "form-action 'self'", "base-uri 'none'"])
          expect(policy).toContain(part)
        expect(policy).not.toMatch(/unsafe|\*|https?:/)
        expect(headers.get("x-frame-options")).toBe("DENY")
        expect(headers.get("referrer-policy")).toBe("no-referrer")
        expect(headers.get("cache-control")).toBe("no-store")
        expect(headers.get("x-content-type-options")).toBe("nosniff")
        expect(headers.get("access-control-allow-origin")).toBeNull()
      }
    },
  )

  it("loads nothing from another origin", async () => {
    const { page } = await openPage()
    const addresses = [...page.text.matchAll(/\b(?:src|href|action)="([^"]*)"/g)].map(([, address = ""]) => address)
    expect(addresses.filter((address) => !/^\/(?!\/)/.test(address))).toEqual([])
    expect(page.text).not.toMatch(/<script(?![^>]*\ssrc=)/)
    expect(page.text).not.toMatch(/\son\w+=|style="/)
  })

  it("leaves no code and no state in the history: the callback redirects immediately to a clean address", async () => {
    const alice = await arrivePerson(world, "alice")
    const { id, link } = await ask(world, alice)
    const callback = await reachCallback(alice, world, link)
    const answer = await alice.browser.ask(callback.href)
    expect(answer.status).toBe(303)
    expect(answer.headers.get("location")).toBe(`/connect/${id}`)
    expect(answer.text).toBe("")
  })
})

describe("an open redirect", () => {
  it.each([
    "https://evil.example",
    "//evil.example",
    "/\\evil.example",
    "javascript:alert(1)",
    "connect:../../evil",
    "connect://evil.example",
    "inbox:x/../../y",
    "account/../evil",
    "connect:%2F%2Fevil.example",
  ])("through `to=%s` leads to the inbox", async (to) => {
    const browser = openJarBrowser()
    world.people.settings.user = "alice"
    const page = await browser.open(`${world.server.publicUrl}/signin?to=${encodeURIComponent(to)}`)
    expect(page.url.href).toBe(`${world.server.publicUrl}/inbox`)
    expect(page.hops.filter((hop) => new URL(hop).hostname !== "127.0.0.1")).toEqual([])
  })

  it("through the older paths of the page stays on this server", async () => {
    const { browser } = await arrivePerson(world, "alice")
    for (const path of ["/oauth/provision", "/oauth/authorize-nextcloud"])
      for (const name of ["elicitation", "id", "state"]) {
        const address = `${world.server.publicUrl}${path}?${name}=${encodeURIComponent("//evil.example/x")}`
        expect((await browser.ask(address)).headers.get("location")).toBe("/connect/%2F%2Fevil.example%2Fx")
      }
  })

  verifies("page.return-targets", "through `return`, `returnTo` or `popup` with an address does nothing", async () => {
    const alice = await arrivePerson(world, "alice")
    const { link } = await ask(world, alice, { returnTo: "https://evil.example" })
    const evil = encodeURIComponent("https://evil.example")
    await alice.browser.open(`${link}?return=${evil}&returnTo=${evil}&return_to=${evil}&popup=${evil}`)
    const done = await alice.browser.open((await reachCallback(alice, world, link)).href)
    expect(done.text).toContain("Connected as")
    expect(done.text).not.toContain("evil.example")
  })

  verifies("page.return-targets", "is not needed: a configured id leads back", async () => {
    const alice = await arrivePerson(world, "alice")
    const { link } = await ask(world, alice, { returnTo: "desk" })
    const done = await alice.browser.open((await reachCallback(alice, world, link)).href)
    expect(done.text).toContain("https://desk.example/back")
  })
})

describe("the message of a popup (postMessage)", () => {
  verifies("page.popup", "goes only to an origin on the list, and has only the id and the status", async () => {
    const alice = await arrivePerson(world, "alice")
    const { id, link } = await ask(world, alice)
    await alice.browser.open(`${link}?popup=desk`)
    const done = await alice.browser.open((await reachCallback(alice, world, link)).href)
    const data = [...done.text.matchAll(/data-popup-([a-z]+)="([^"]*)"/g)].map(([, name, value]) => [name, value])
    expect(Object.fromEntries(data)).toEqual({ origin: "https://desk.example", id, status: "completed" })
  })

  it("goes nowhere when the opener is not on the list", async () => {
    const alice = await arrivePerson(world, "alice")
    const { link } = await ask(world, alice)
    await alice.browser.open(`${link}?popup=${encodeURIComponent("https://evil.example")}`)
    const done = await alice.browser.open((await reachCallback(alice, world, link)).href)
    expect(done.text).not.toContain("data-popup")
  })
})

describe("a double submit", () => {
  verifies("consent.redeemed-once", "of the same form makes exactly one connection", async () => {
    const alice = await arrivePerson(world, "alice")
    const { link, ended } = await call(world, alice)
    world.notes.settings.user = `${alice.subject}-at-notes`
    const page = await alice.browser.open(link)
    const press = () => alice.browser.submit(page, { do: "continue" }, { stopAt: isCallback })
    const impatient = [await press(), await press()]
    const before = world.notes.countTokens("authorization_code")
    for (const { url } of impatient) expect((await alice.browser.open(url.href)).text).toContain("Connected as")
    expect(world.notes.countTokens("authorization_code") - before).toBe(1)
    expect(await ended).toHaveProperty("account.id", `${alice.subject}-at-notes`)
    expect(await connectionsOf(world, alice)).toHaveLength(1)
  })
})

describe("the back button", () => {
  it("shows the result, and posting the old page again connects nothing more", async () => {
    const alice = await arrivePerson(world, "alice")
    const { id, link } = await ask(world, alice)
    const page = await alice.browser.open(link)
    const callback = await reachCallback(alice, world, link)
    await alice.browser.open(callback.href)
    const before = world.notes.countTokens()
    expect((await alice.browser.open(`${link}/continue`)).text).toContain("Connected as")
    const again = await alice.browser.submit(page, { do: "continue" })
    expect(again.text).toContain("Connected as")
    expect((await alice.browser.submit(page, { do: "no" })).text).toContain("Connected as")
    expect(await stateOf(id)).toEqual({ status: "completed", flows: 1 })
    expect(world.notes.countTokens()).toBe(before)
    expect(await connectionsOf(world, alice)).toHaveLength(1)
  })

  it("while the person is at the provider lets them start again, and the first callback counts", async () => {
    const alice = await arrivePerson(world, "alice")
    const { link } = await ask(world, alice)
    const first = await reachCallback(alice, world, link)
    const second = await reachCallback(alice, world, link)
    expect((await alice.browser.open(second.href)).text).toContain("Connected as")
    const before = world.notes.countTokens("authorization_code")
    expect((await alice.browser.open(first.href)).text).toContain("Connected as")
    expect(world.notes.countTokens("authorization_code")).toBe(before)
    expect(await connectionsOf(world, alice)).toHaveLength(1)
  })
})

/** Sends a request with headers that no browser would send, and returns its status. */
function statusFor(path: string, headers: Readonly<Record<string, string>>): Promise<number | undefined> {
  const { hostname, port } = new URL(world.server.publicUrl)
  return new Promise((resolve, reject) => {
    request({ hostname, port, path, headers }, (response) => resolve(response.resume().statusCode))
      .on("error", reject)
      .end()
  })
}
