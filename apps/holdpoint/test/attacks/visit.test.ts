// Attacks on the page that leads elsewhere: stolen links, forged consent, and attempts to lead people to another address than
// the one they were asked about.

import { randomUUID } from "node:crypto"
import type { VisitAsked } from "@holdpoint/server/http"
import { visitDraft } from "@holdpoint/server/http"
import { openJarBrowser } from "@holdpoint/testkit/holdpoint/pages/browser"
import { newSecret, openWorld, type World } from "@holdpoint/testkit/holdpoint/pages/world"
import { verifies } from "@holdpoint/testkit/verifies"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { arrivePerson, codesOf, expectUnusable, newSubject, type Person } from "./setup.ts"

const address = "https://pay.example/invoice/2f9c"
const isThere = (url: URL): boolean => url.host === "pay.example"

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

async function ask({ subject }: Pick<Person, "subject">, more: Partial<VisitAsked> = {}) {
  const { hub, addresses, publicUrl } = world.server
  const asked = { message: "Pay the secret supplier.", address, requester: { id: "invoices" }, ...more }
  const question = await hub.ask(visitDraft({ audience: world.person(subject), ...asked }, addresses))
  return { id: question.id, link: `${publicUrl}/visit/${question.id}` }
}

async function openPage() {
  const alice = await arrivePerson(world, "alice")
  const { id, link } = await ask(alice)
  return { alice, id, link, page: await alice.browser.open(link) }
}

const getStatus = async (id: string) => (await world.server.hub.get(id))?.status
const csrfIn = (text: string): string => /name="csrf" value="([^"]*)"/.exec(text)?.[1] ?? ""

describe("a link in other hands", () => {
  verifies("page.visit", "shows another person the generic page, and records the attempt", async () => {
    const { id, link } = await ask({ subject: newSubject("alice") })
    const mallory = await arrivePerson(world, "mallory")
    for (const path of ["", "/continue", "/status", "?popup=self"])
      await expectUnusable(await mallory.browser.open(`${link}${path}`), world, mallory.browser)
    expect(await codesOf(world, id)).toEqual(["not_addressee", "not_addressee", "not_addressee", "not_addressee"])
    expect(await world.server.hub.get(id)).not.toHaveProperty("openedAt")
  })

  it("cannot be answered by another person, even with a token of their own session", async () => {
    const { id, link } = await ask({ subject: newSubject("alice") })
    const mallory = await arrivePerson(world, "mallory")
    const own = await mallory.browser.open((await ask(mallory)).link)
    for (const action of ["yes", "no"]) {
      const form = {
        ...own,
        text: own.text.replaceAll(/action="\/visit\/[^"]*"/g, `action="${new URL(link).pathname}"`),
      }
      await expectUnusable(await mallory.browser.submit(form, { do: action }), world, mallory.browser)
    }
    expect(await getStatus(id)).toBe("pending")
  })

  it("that was altered, or belongs to another kind of question, leads to the generic page", async () => {
    const alice = await arrivePerson(world, "alice")
    const { id } = await ask(alice)
    const connect = await world.server.vault.ask(world.need(alice.subject))
    const form = await world.server.hub.ask({
      ...{ message: "Sure?", audience: world.person(alice.subject), requester: { id: "r" } },
      form: { type: "object", properties: { sure: { type: "boolean" } } },
    })
    const altered = `${id.slice(0, -1)}${id.endsWith("0") ? "1" : "0"}`
    for (const other of [altered, randomUUID(), connect.id, form.id, "x", "%2e%2e%2finbox"]) {
      const visited = await alice.browser.open(`${world.server.publicUrl}/visit/${other}`)
      await expectUnusable(visited, world, alice.browser)
    }
  })

  it("shows nothing to a visitor who is not signed in, and leads to the sign-in and back", async () => {
    const { link, id } = await ask({ subject: newSubject("alice") })
    const stranger = await openJarBrowser().ask(link)
    expect([stranger.status, stranger.text]).toEqual([303, ""])
    expect(stranger.headers.get("location")).toBe(`/signin?to=${encodeURIComponent(`visit:${id}`)}`)
  })

  it("is claimed by the first press in local mode, on every page that shows it", async () => {
    const here = await openWorld({ people: { from: "local", user: "alice", secret: newSecret() } })
    const { identity, hub, addresses, publicUrl } = here.server
    if (!("principal" in identity)) throw new Error("this is not local mode")
    const draft = { message: "Pay.", address, audience: identity.principal, requester: { id: "r" } }
    const { id } = await hub.ask(visitDraft(draft, addresses))
    const first = openJarBrowser()
    for (const page of ["connect", "visit", "inbox"]) await openJarBrowser().open(`${publicUrl}/${page}/${id}`)
    await first.submit(
      await first.open(`${publicUrl}/visit/${id}`),
      { do: "yes" },
      { stopAt: (url) => url.href === address },
    )
    expect((await first.open(`${publicUrl}/inbox/${id}`)).status).toBe(200)
    for (const page of ["visit", "inbox"])
      expect((await openJarBrowser().open(`${publicUrl}/${page}/${id}`)).status).toBe(409)
    await here.close()
  })
})

describe("a yes that the person did not give", () => {
  it.each<[string, Record<string, string>]>([
    ["from another site", { "sec-fetch-site": "cross-site" }],
    ["from a sibling site", { "sec-fetch-site": "same-site" }],
    ["of another origin", { origin: "https://evil.example", "sec-fetch-site": "same-origin" }],
  ])("%s is refused with 403", async (_what, headers) => {
    const { alice, id, page } = await openPage()
    expect((await alice.browser.submit(page, { do: "yes" }, { headers })).status).toBe(403)
    expect(await getStatus(id)).toBe("pending")
  })

  verifies(
    "page.own-posts",
    "without the session's token, or with another session's, is refused with 403",
    async () => {
      const { alice, id, page } = await openPage()
      const other = await openPage()
      for (const csrf of ["", csrfIn(other.page.text), `${csrfIn(page.text)}A`])
        expect((await alice.browser.submit(page, { do: "yes", csrf })).status).toBe(403)
      expect((await alice.browser.submit(page, { do: "perhaps" })).status).toBe(403)
      expect(await getStatus(id)).toBe("pending")
    },
  )

  it("cannot be a GET: no address says yes, and no address leads away before a yes", async () => {
    const { alice, id, link } = await openPage()
    for (const path of ["?do=yes", "/continue", "/continue?do=yes"]) {
      const visited = await alice.browser.open(`${link}${path}`, { stopAt: isThere })
      expect(visited.url.pathname).toBe(`/visit/${id}`)
    }
    expect(await getStatus(id)).toBe("pending")
  })

  it("that is replayed changes nothing, and after the end leads nowhere", async () => {
    const { alice, id, link, page } = await openPage()
    await alice.browser.submit(page, { do: "yes" }, { stopAt: isThere })
    const once = await world.server.hub.get(id)
    const again = await alice.browser.submit(page, { do: "yes" }, { stopAt: isThere })
    expect(again.url.href).toBe(address)
    expect(await world.server.hub.get(id)).toEqual(once)
    await world.server.hub.complete(id)
    const late = await alice.browser.submit(page, { do: "yes" }, { stopAt: isThere })
    expect(late.url.href).toBe(link)
    expect((await alice.browser.open(`${link}/continue`, { stopAt: isThere })).url.href).toBe(link)
    expect((await alice.browser.submit(page, { do: "no" })).text).toContain("It is done")
    expect(await getStatus(id)).toBe("completed")
  })
})

describe("leading people to another address", () => {
  it.each(["javascript:alert(1)", "data:text/html,x", "http://pay.example", "https://alice:pw@pay.example/"])(
    "%s cannot be the address of a question",
    async (unsafe) => {
      await expect(ask({ subject: "alice" }, { address: unsafe })).rejects.toMatchObject({ code: "unsafe_url" })
    },
  )

  it("an unsafe address in a question's context is neither shown nor followed", async () => {
    const alice = await arrivePerson(world, "alice")
    const { hub, publicUrl } = world.server
    const { id } = await hub.ask({
      ...{ message: "Look.", audience: world.person(alice.subject), requester: { id: "r" } },
      url: (own) => `${publicUrl}/visit/${own}`,
      context: { trigger: "approval", address: "javascript:alert(1)" },
    })
    await hub.answer(id, { by: world.person(alice.subject), action: "accept", via: "web" })
    for (const path of ["", "/continue"])
      await expectUnusable(await alice.browser.open(`${publicUrl}/visit/${id}${path}`), world, alice.browser)
  })

  verifies("page.visit-out-of-the-question", "nothing in a request changes where the page leads", async () => {
    const { alice, id, link } = await openPage()
    const evil = "https://evil.example/"
    const query = new URLSearchParams({ address: evil, url: evil, to: evil, next: evil, return_to: evil })
    const page = await alice.browser.open(`${link}?${query}`)
    expect(page.text).not.toContain("evil.example")
    const fields = Object.fromEntries([["do", "yes"], ...query])
    const left = await alice.browser.submit(page, fields, {
      stopAt: (url) => !url.href.startsWith(world.server.publicUrl),
    })
    expect(left.url.href).toBe(address)
    const leaving = await alice.browser.ask(`${world.server.publicUrl}/visit/${id}/continue?${query}`)
    expect(leaving.text).not.toContain("evil.example")
    expect(leaving.text).toContain(`content="0; url=${address}"`)
  })

  verifies(
    "page.visit-out-of-the-question",
    "every response forbids frames and referrers, and leaving cuts the opener",
    async () => {
      const { alice, link, page } = await openPage()
      const posted = await alice.browser.submit(page, { do: "yes" }, { stopAt: () => true })
      const leaving = await alice.browser.ask(`${link}/continue`)
      const visits = [page, posted, leaving, await alice.browser.ask(link), await alice.browser.ask(`${link}/status`)]
      for (const { headers } of visits) {
        expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'")
        expect(headers.get("x-frame-options")).toBe("DENY")
        expect(headers.get("referrer-policy")).toBe("no-referrer")
        expect(headers.get("cache-control")).toBe("no-store")
      }
      expect(leaving.headers.get("cross-origin-opener-policy")).toBe("same-origin")
      // The destination gets no address of ours in any header or parameter.
      expect(leaving.text).not.toContain("target=")
      expect(posted.headers.get("location")).toBe(new URL(`${link}/continue`).pathname)
    },
  )

  it("the path cannot be mistaken for the host", async () => {
    const alice = await arrivePerson(world, "alice")
    const { link } = await ask(alice, { address: "https://evil.example/https://bank.example/login" })
    const page = await alice.browser.open(link)
    expect(page.text).toContain("https://<b>evil.example</b>/https://bank.example/login")
    expect(page.text).toContain("<h1>Open evil.example?</h1>")
    const { link: foreign } = await ask(alice, { address: "https://bаnk.example/" })
    const warned = await alice.browser.open(foreign)
    expect(warned.text).toContain("https://<b>xn--bnk-6cd.example</b>/")
    expect(warned.text).toContain("foreign letters")
  })
})
