// A link to another site: the person sees where the link leads, accepts and goes there; the asker reports completion.

import type { Audience } from "@holdpoint/hub"
import { createTokens, withNewKey } from "@holdpoint/hub/sealing"
import { toCompletionToken, type VisitAsked, visitDraft } from "@holdpoint/server/http"
import { createTestClock } from "@holdpoint/testing"
import { openJarBrowser, type Visited } from "@holdpoint/testkit/holdpoint/pages/browser"
import { newSecret, openWorld, type World } from "@holdpoint/testkit/holdpoint/pages/world"
import { verifies } from "@holdpoint/testkit/verifies"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { newSubject } from "../attacks/setup.ts"

const tokens = createTokens(withNewKey())
const address = "https://pay.example/invoice/2f9c?lang=en"
const isThere = (url: URL): boolean => url.host === "pay.example"

let world: World
beforeAll(async () => {
  const returnTargets = { desk: { href: "https://desk.example/back", name: "Desk" } }
  world = await openWorld({ pages: { tokens, returnTargets } })
})
afterAll(async () => {
  expect(world.problems).toEqual([])
  await world.close()
})

async function ask(more: Partial<VisitAsked> = {}, subject = newSubject("alice")) {
  const { hub, addresses } = world.server
  const asked = { message: "Please pay the deposit.", address, audience: world.person(subject), ...more }
  const requester = { id: "invoices", name: "Invoice robot" }
  const question = await hub.ask(visitDraft({ requester, ...asked }, addresses))
  const waiting = hub.wait(question)
  // Some tests never await `waiting`: its rejection must not fail them.
  waiting.catch(() => {})
  return { id: question.id, link: question.mode === "url" ? question.url : "", subject, waiting }
}

/** Asks, signs in and opens the question's page. */
async function arrive(more: Partial<VisitAsked> = {}) {
  const asked = await ask(more)
  const browser = await world.signIn(asked.subject)
  return { ...asked, browser, page: await browser.open(asked.link) }
}

const getStatus = async (id: string) => (await world.server.hub.get(id))?.status
const toWords = ({ text }: Visited): string => text.replace(/<[^>]*>/g, "").replace(/\s+/g, " ")

describe("a third-party page", () => {
  verifies("page.visit", "is opened after the person saw the asker, the message and the whole address", async () => {
    const { id, browser, page } = await arrive({ client: { name: "Relay" } })
    const words = toWords(page)
    for (const part of ["Invoice robot asks", "Please pay the deposit.", "“Relay”", "is not part of this server"])
      expect(words).toContain(part)
    expect(page.text).toContain("https://<b>pay.example</b>/invoice/2f9c?lang=en")
    expect(await getStatus(id)).toBe("pending")
    const left = await browser.submit(page, { do: "yes" }, { stopAt: isThere })
    expect(left.url.href).toBe(address)
    expect(await getStatus(id)).toBe("accepted")
  })

  verifies("page.visit-confirmed-by-asker", "is shown as waiting until the asker confirms, then as done", async () => {
    const { id, link, browser, page, waiting } = await arrive({ returnTo: "desk" })
    await browser.submit(page, { do: "yes" }, { stopAt: isThere })
    const back = await browser.open(link)
    expect(toWords(back)).toContain("Waiting for Invoice robot to confirm")
    expect(back.text).toMatch(/<a [^>]*href="https:\/\/pay\.example\/[^>]*target="_blank" rel="noopener noreferrer"/)
    expect(JSON.parse((await browser.ask(`${link}/status`)).text)).toEqual({ status: "waiting" })
    await world.server.hub.complete(id)
    expect(JSON.parse((await browser.ask(`${link}/status`)).text)).toEqual({
      status: "completed",
      next: `/visit/${id}`,
    })
    const done = await browser.open(link)
    expect(toWords(done)).toContain("Invoice robot has confirmed it")
    expect(done.text).toContain('href="https://desk.example/back"')
    expect(await waiting).toEqual({ status: "completed" })
  })

  it("is done when the program there reports it with its completion token", async () => {
    const { id, link, browser, page, waiting } = await arrive()
    await browser.submit(page, { do: "yes" }, { stopAt: isThere })
    const response = await fetch(`${world.server.publicUrl}/hooks/complete`, {
      method: "POST",
      headers: { authorization: `Bearer ${toCompletionToken(tokens, id)}`, "content-type": "application/json" },
      body: JSON.stringify({ status: "completed" }),
    })
    expect(response.status).toBe(200)
    expect(await waiting).toEqual({ status: "completed" })
    expect(toWords(await browser.open(link))).toContain("It is done")
  })

  it("is declined by No, before and after the yes", async () => {
    const first = await arrive()
    expect(toWords(await first.browser.submit(first.page, { do: "no" }))).toContain("You said no")
    expect((await first.waiting).status).toBe("declined")
    const second = await arrive()
    await second.browser.submit(second.page, { do: "yes" }, { stopAt: isThere })
    const page = await second.browser.open(second.link)
    expect(toWords(await second.browser.submit(page, { do: "no" }))).toContain("You said no")
    expect((await second.waiting).status).toBe("declined")
  })

  it.each([
    ["failed", "This did not work", "“No money.”"],
    ["cancelled", "No longer needed", "withdrawn"],
  ] as const)("says that its status is %s", async (how, title, words) => {
    const { id, link, browser, page } = await arrive()
    await browser.submit(page, { do: "yes" }, { stopAt: isThere })
    const { hub } = world.server
    await (how === "failed" ? hub.fail(id, { code: "page_failed", message: "No money." }) : hub.cancel(id))
    const ended = toWords(await browser.open(link))
    expect(ended).toContain(title)
    expect(ended).toContain(words)
    expect(JSON.parse((await browser.ask(`${link}/status`)).text)).toMatchObject({ status: how })
  })

  it("is shown to the person although their client has said yes for them", async () => {
    const { id, subject, link } = await ask()
    await world.server.hub.answer(id, { by: world.person(subject), action: "accept", via: "mcp" })
    const browser = await world.signIn(subject)
    const left = await browser.open(`${link}/continue`)
    expect(toWords(left)).toContain("Open pay.example?")
    const there = await browser.submit(left, { do: "yes" }, { stopAt: isThere })
    expect(there.url.href).toBe(address)
  })

  it("that another addressee has accepted leaves the others nothing to do", async () => {
    const [alice, bob] = [newSubject("alice"), newSubject("bob")]
    const audience: Audience = { kind: "any", principals: [world.person(alice), world.person(bob)] }
    const { id, link } = await ask({ audience })
    const [hers, his] = [await world.signIn(alice), await world.signIn(bob)]
    const page = await his.open(link)
    await hers.submit(await hers.open(link), { do: "yes" }, { stopAt: isThere })
    for (const action of ["yes", "no"])
      expect(toWords(await his.submit(page, { do: action }))).toContain("Another person has said yes")
    expect(toWords(await his.open(`${link}/continue`))).toContain("Another person has said yes")
    expect(await getStatus(id)).toBe("accepted")
    await hers.submit(await hers.open(link), { do: "no" })
    expect(toWords(await his.open(link))).toContain("Another person said no")
  })

  it("is listed in the inbox with a link to its page", async () => {
    const { id, subject, link } = await ask()
    const browser = await world.signIn(subject)
    const listed = await browser.open(`${world.server.publicUrl}/inbox`)
    expect(listed.text).toContain(`<a class="button primary" href="${link}" data-popup="${id}">Review</a>`)
    expect(listed.text).not.toContain("pay.example")
    expect((await browser.open(`${world.server.publicUrl}/inbox/${id}`)).text).toContain(`href="${link}"`)
  })

  it("tells the window that opened it how it ended, if that is known", async () => {
    const { id, link, browser } = await arrive()
    const page = await browser.open(`${link}?popup=self`)
    const ended = await browser.submit(page, { do: "no" })
    expect(ended.text).toContain(`data-popup-origin="${world.server.publicUrl}"`)
    expect(ended.text).toContain(`data-popup-id="${id}" data-popup-status="declined"`)
  })

  it("is shown again after the person signs out and in from it", async () => {
    const { id, browser, page } = await arrive()
    const form = /<form class="inline"[\s\S]*?<\/form>/.exec(page.text)?.[0] ?? ""
    const chosen = await browser.submit({ ...page, text: form }, {})
    expect(chosen.url.searchParams.get("to")).toBe(`visit:${id}`)
    const signInPath = /href="(\/signin\/people[^"]*)"/.exec(chosen.text)?.[1]?.replaceAll("&amp;", "&") ?? ""
    expect((await browser.open(new URL(signInPath, page.url).href)).url.pathname).toBe(`/visit/${id}`)
  })
})

describe("the time limit of a third-party page", () => {
  it("is the asker's until the person says yes, and is then extended once to at least twenty minutes", async () => {
    const runtime = createTestClock()
    const secret = newSecret()
    const here = await openWorld({ people: { from: "local", user: "alice", secret }, runtime })
    const { hub, addresses, publicUrl, identity } = here.server
    const audience = "principal" in identity ? identity.principal : here.person("alice")
    const requester = { id: "invoices" }
    const asked = await hub.ask(visitDraft({ message: "Pay.", address, audience, requester }, addresses))
    const link = `${publicUrl}/visit/${asked.id}`
    const browser = openJarBrowser()
    const page = await browser.open(link)
    expect(page.text).toContain("codeOf" in identity ? identity.codeOf(asked.id) : "no code")
    await browser.submit(page, { do: "yes" }, { stopAt: isThere })
    const begun = await hub.get(asked.id)
    expect(begun?.expiresAt).toBe(runtime.now() + 20 * 60_000)
    runtime.set(runtime.now() + 60_000)
    await browser.submit(page, { do: "yes" }, { stopAt: isThere })
    expect(await hub.get(asked.id)).toEqual(begun)
    runtime.set(runtime.now() + 20 * 60_000)
    expect(toWords(await browser.open(link))).toContain("This link has expired")
    await here.close()
  })
})
