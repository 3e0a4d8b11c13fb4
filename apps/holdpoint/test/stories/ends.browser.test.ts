// Other ends of a connection: No on our page and at the provider, the back button, a reload, an expired link, an
// existing connection.

import { outcomeOf } from "@holdpoint/accounts"
import { oidc } from "@holdpoint/accounts/providers"
import { notesProvider } from "@holdpoint/testkit/holdpoint/pages/world"
import type { Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { type Site, startSite } from "../attacks/setup.ts"
import { notesAnew, openStage, type Stage } from "./world.ts"

let stage: Stage
/** The site that identifies the account. A test can make it fail. */
let who: Site
let canTell = true
beforeAll(async () => {
  who = await startSite((_request, response) => {
    response.writeHead(canTell ? 200 : 503, { "content-type": "application/json" })
    response.end(JSON.stringify({ id: "slow-alice" }))
  })
  const call = { method: "GET", url: `${who.url}/me` } as const
  const away = { id: "away", name: "Away", clientId: "us" }
  stage = await openStage({
    providers: (notes) => [
      notesAnew(notes),
      oidc({ ...away, issuer: "http://127.0.0.1:9" }),
      notesProvider(notes, {
        ...{ id: "slow", name: "Slow Notes", api: [who.url] },
        identity: { from: "call", call, id: "id", name: [] },
      }),
    ],
  })
  stage.notes.allowRedirect(`${stage.server.publicUrl}/oauth/callback/slow`)
})
afterAll(async () => {
  await stage.close()
  await who.close()
})
afterEach(async () => {
  expect(await stage.leave()).toEqual([])
  expect(stage.problems).toEqual([])
  stage.notes.settings.decision = "yes"
})

/** Each test has its own message, and so its own question. */
async function open(message: string, more: object = {}) {
  const call = await stage.call("alice", { message, account: `for ${message}`, ...more })
  stage.notes.settings.user = `for ${message}`
  const page = await stage.arriveAs("alice")
  await page.goto(call.link)
  await page.getByRole("heading", { name: "Connect Example Notes?" }).waitFor()
  return { ...call, page }
}

const proceed = (page: Page) => page.getByRole("button", { name: "Continue to Example Notes" }).click()

describe("No", () => {
  it("on the connect page ends the question, and the waiting call gets declined", async () => {
    const { page, ended } = await open("a plain no")
    await page.getByRole("button", { name: "No", exact: true }).click()
    await stage.look(page, "Not connected")
    expect(await page.getByRole("main").innerText()).toContain("You said no.")
    const error = await ended.then(String, (why: unknown) => why)
    expect(outcomeOf(error)?.status).toBe("declined")
  })

  it("at the provider can be reconsidered: another try connects", async () => {
    const { page, ended, link } = await open("a second thought")
    stage.notes.settings.decision = "no"
    await proceed(page)
    const alert = page.getByRole("alert")
    await alert.waitFor()
    expect(await alert.innerText()).toBe("You said no at Example Notes. Nothing was connected. You can try again.")
    expect(page.url()).toBe(link)
    await stage.look(page, "Connect Example Notes?")
    stage.notes.settings.decision = "yes"
    await proceed(page)
    await page.getByRole("heading", { name: "Connected as" }).waitFor()
    expect((await ended).account?.id).toBe("for a second thought")
  })
})

describe("a provider that cannot be reached", () => {
  it("is reported on the page, and the question stays open for another try", async () => {
    const { link, id } = await stage.call("alice", { provider: "away", scopes: [] })
    const page = await stage.arriveAs("alice")
    await page.goto(link)
    await page.getByRole("button", { name: "Continue to Away" }).click()
    await page.getByRole("alert").waitFor()
    expect(await page.getByRole("alert").innerText()).toMatch(/^Away is not answering/)
    await stage.look(page, "Connect Away?")
    expect(await page.getByRole("button", { name: "Continue to Away" }).isEnabled()).toBe(true)
    expect((await stage.server.hub.get(id))?.status).toBe("pending")
    expect(await stage.leave()).toEqual([expect.stringContaining("status of 502")])
    // The server also reports the failure to its operator.
    expect(stage.problems.splice(0)).toEqual([expect.stringContaining("beginning to connect away")])
  })
})

describe("a provider that cannot identify the account immediately", () => {
  it("keeps the page waiting, which then continues automatically, with and without scripts", async () => {
    canTell = false
    const { link, ended } = await stage.call("alice", { provider: "slow" })
    const page = await stage.arriveAs("alice")
    await page.goto(link)
    await page.getByRole("button", { name: "Continue to Slow Notes" }).click()
    await stage.look(page, "Almost connected")
    const plain = await stage.arriveAs("alice", { javaScriptEnabled: false })
    await plain.goto(link)
    await plain.getByRole("heading", { name: "Almost connected" }).waitFor()
    canTell = true
    stage.pass(6_000)
    await stage.server.vault.consent.work()
    await page.getByRole("heading", { name: "Connected as slow-alice" }).waitFor()
    await plain.getByRole("heading", { name: "Connected as slow-alice" }).waitFor()
    expect((await ended).account?.id).toBe("slow-alice")
  })
})

describe("after the account is connected", () => {
  it("a reload and the back button both show the result, and no token is requested again", async () => {
    const { page, ended, link } = await open("going back")
    await proceed(page)
    const done = page.getByRole("heading", { name: "Connected as" })
    await done.waitFor()
    await ended
    const redeemed = stage.notes.countTokens()
    await page.reload()
    await done.waitFor()
    await page.goBack()
    await done.waitFor()
    expect(page.url()).toBe(link)
    expect(stage.notes.countTokens()).toBe(redeemed)
  })

  it("a tab that still shows the question shows the result when its button is pressed, and begins nothing", async () => {
    const { page, ended, link } = await open("two tabs")
    const other = await page.context().newPage()
    await other.goto(link)
    await proceed(page)
    await page.getByRole("heading", { name: "Connected as" }).waitFor()
    await ended
    const redeemed = stage.notes.countTokens()
    const asked: string[] = []
    other.on("request", (request) => void asked.push(new URL(request.url()).origin))
    await proceed(other)
    await other.getByRole("heading", { name: "Connected as" }).waitFor()
    expect([new Set(asked), stage.notes.countTokens()]).toEqual([new Set([stage.server.publicUrl]), redeemed])
  })
})

describe("an expired link", () => {
  it("is reported only to its addressee, and looks unknown to other people", async () => {
    const { page, ended, link } = await open("too late", { lifetimeMs: 60_000 })
    const bob = await stage.arriveAs("bob")
    await bob.goto(link)
    await bob.getByRole("heading", { name: "This link cannot be used" }).waitFor()
    stage.pass(61_000)
    await page.reload()
    await stage.look(page, "This link has expired")
    await bob.reload()
    await bob.getByRole("heading", { name: "This link cannot be used" }).waitFor()
    await stage.server.hub.sweep()
    await expect(ended).rejects.toThrow()
  })

  it("does not accept a button that was shown before it expired", async () => {
    const { page } = await open("too late for the button", { lifetimeMs: 60_000 })
    const redeemed = stage.notes.countTokens()
    stage.pass(61_000)
    await proceed(page)
    await page.getByRole("heading", { name: "This link has expired" }).waitFor()
    expect(stage.notes.countTokens()).toBe(redeemed)
  })
})
