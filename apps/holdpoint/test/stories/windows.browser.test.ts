// Our pages and others in one browser: no site may frame ours or post to them, only the window that the inbox opened
// may report to it, and only known pages receive the result.

import { verifies } from "@holdpoint/testkit/verifies"
import type { Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { type Site, startSite } from "../attacks/setup.ts"
import { openStage, type Stage } from "./world.ts"

let stage: Stage
/** A third-party site. Each of its pages shows the body from the page's address. */
let stranger: Site
beforeAll(async () => {
  stranger = await startSite((request, response) => {
    const body = new URL(request.url ?? "", "http://stranger").searchParams.get("body") ?? ""
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" })
    response.end(`<!doctype html><title>Stranger</title><h1>Stranger</h1>${body}`)
  })
  stage = await openStage({ pages: { openers: { app: stranger.url } } })
})
afterAll(async () => {
  await stage.close()
  await stranger.close()
})
afterEach(async () => {
  expect(await stage.leave()).toEqual([])
  expect(stage.problems).toEqual([])
})

const at = (body: string): string => `${stranger.url}/?body=${encodeURIComponent(body)}`

/** A browser signed in as alice, at a link of hers. */
async function openLink(account: string) {
  const call = await stage.call("alice", { account })
  stage.notes.settings.user = account
  const page = await stage.arriveAs("alice")
  await page.goto(call.link)
  await page.getByRole("heading", { name: "Connect Example Notes?" }).waitFor()
  return { ...call, page }
}

const finish = async (popup: Page): Promise<void> => {
  await popup.getByRole("button", { name: "Continue to Example Notes" }).click()
  // When this button appears, the window has reported its result.
  await popup.getByRole("button", { name: "Close this window" }).waitFor()
}

const listen = "window.told = []; addEventListener('message', (event) => told.push([event.origin, event.data]))"

describe("another site", () => {
  // The second is a neighbour on the same host, to which her session cookie is sent.
  it.each(["127.0.0.1", "localhost"])("that frames the connect page shows none of its content: %s", async (host) => {
    const { page, link } = await openLink(`framed-by-${host}`)
    const address = new URL(at(`<iframe src="${link}" title="framed"></iframe>`))
    address.hostname = host
    await page.goto(address.href)
    const [, frame] = page.frames()
    await frame?.waitForLoadState()
    expect(await page.frameLocator("iframe").getByRole("heading").count()).toBe(0)
    expect(await frame?.content()).not.toContain("Example Notes")
    expect(await stage.leave()).toContainEqual(expect.stringContaining("frame-ancestors 'none'"))
  })

  it("that posts the form in the person's name is refused", async () => {
    const { page, link, id } = await openLink("posted")
    await page.goto(at(`<form method="post" action="${link}"><button name="do" value="continue">Win</button></form>`))
    const answered = page.waitForResponse(link)
    await page.getByRole("button", { name: "Win" }).click()
    expect((await answered).status()).toBe(403)
    await page.getByRole("heading", { name: "This form was not accepted" }).waitFor()
    expect((await stage.server.hub.get(id))?.status).toBe("pending")
    expect(await stage.leave()).toEqual([])
  })
})

describe("the inbox", () => {
  it("trusts only the window that it opened, and only while that window shows our page", async () => {
    const page = await stage.arriveAs("alice")
    // Without server events, so that only messages can inform it.
    await page.addInitScript("window.EventSource = class extends EventTarget { close() {} }")
    const { id, ended } = await stage.call("alice", { account: "by-message" })
    stage.notes.settings.user = "by-message"
    await page.goto(`${stage.server.publicUrl}/inbox`)
    const [popup] = await Promise.all([page.waitForEvent("popup"), page.locator(`[data-popup="${id}"]`).click()])
    const looks: string[] = []
    page.on("request", (request) => looks.push(request.url()))
    await page.evaluate(listen)
    const message = JSON.stringify({ type: "holdpoint", id, status: "completed" })

    // Navigates by a script in the page, because a window loses its opener when the test navigates it.
    const lead = (address: string) => popup.evaluate(`location.assign(${JSON.stringify(address)})`)
    const heard = () => page.evaluate("told.length")
    await lead(at(`<script>opener.postMessage(${message}, "*")</script>`))
    await expect.poll(heard).toBe(1)
    await page.evaluate(`postMessage(${message}, location.origin)`)
    await expect.poll(heard).toBe(2)
    expect(looks).toEqual([])

    await lead(`${stage.server.publicUrl}/connect/${id}`)
    await finish(popup)
    await page.locator(`[data-question="${id}"]`).waitFor({ state: "detached" })
    expect(looks).toEqual([`${stage.server.publicUrl}/inbox`])
    expect((await ended).account?.id).toBe("by-message")
  })
})

describe("a window that another page opened", () => {
  const opener = (link: string, name: string): string =>
    at(`<button onclick="window.open('${link}?popup=${name}')">Connect</button>`)

  const openFrom = async (account: string, name: string) => {
    const call = await stage.call("bob", { account })
    stage.notes.settings.user = account
    const page = await stage.arrive()
    await page.goto(opener(call.link, name))
    await page.evaluate(listen)
    const [popup] = await Promise.all([
      page.waitForEvent("popup"),
      page.getByRole("button", { name: "Connect" }).click(),
    ])
    // The person has to sign in on the way.
    await stage.signIn(popup, "bob")
    await finish(popup)
    await call.ended
    return { ...call, messages: await page.evaluate<unknown[]>("told") }
  }

  verifies("page.popup", "gives a known page only the id and the status", async () => {
    const { id, messages } = await openFrom("opened-by-app", "app")
    expect(messages).toEqual([[stage.server.publicUrl, { type: "holdpoint", id, status: "completed" }]])
  })

  it("gives an unknown page nothing", async () => {
    const { messages } = await openFrom("opened-by-anybody", "anybody")
    expect(messages).toEqual([])
  })
})
