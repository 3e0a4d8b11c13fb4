// What the script adds: an inbox that follows, windows that report back, a wait that ends automatically, local times, and
// forms that are sent once.

import type { ServerResponse } from "node:http"
import { readContent } from "@holdpoint/hub/forms"
import { openBrowser } from "@holdpoint/testkit/browser"
import { everyField, items, now, samples } from "@holdpoint/testkit/server/web/samples"
import type { Browser, BrowserContextOptions, Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { donePage, type InboxItem, inboxPage } from "../../src/web/index.ts"
import { type Served, serve } from "./serve.ts"

let browser: Browser
let served: Served
let page: Page
let open: readonly InboxItem[] = []
let listeners: ServerResponse[] = []
let status: unknown
let popupOrigin = ""
/** What else the server does when it shows that the account is connected. */
let whenDone = () => {}

beforeAll(async () => {
  browser = await openBrowser()
  served = await serve((path) => {
    if (path === "inbox") return toInbox()
    if (path === "inbox/events") return follow
    if (path === "connect/a0de/status") return (response) => response.end(JSON.stringify(status))
    if (path === "connect/a0de") {
      whenDone()
      return toDone()
    }
    return samples[path]?.render()
  })
})

afterAll(async () => {
  await served?.close()
})

beforeEach(async () => {
  popupOrigin = served.origin
  open = [items.link, items.approval]
  listeners = []
  whenDone = () => {}
  await openPage({})
})

afterEach(() => page.context().close())

async function openPage(options: BrowserContextOptions) {
  await page?.context().close()
  const context = await browser.newContext({ locale: "en-GB", timezoneId: "UTC", ...options })
  context.setDefaultTimeout(10_000)
  page = await context.newPage()
}

const who = { signedInAs: "alice", csrf: "c5rf" }
/** The address of the question is on this server, whichever port it got. */
const here = (item: InboxItem): InboxItem => {
  const { elicitation } = item
  if (elicitation.mode !== "url") return item
  return { ...item, elicitation: { ...elicitation, url: `${served.origin}/connect/a0de` } }
}
const toInbox = () => inboxPage({ ...who, now, items: open.map(here), eventsUrl: "/inbox/events", streamName: "inbox" })
const toDone = () =>
  donePage({
    provider: { name: "Nextcloud" },
    afterAnswer: {
      name: "Calendar helper",
      now,
      asker: "waits",
      isRepeatable: true,
      effect: { state: "stopped" },
      isRefused: false,
    },
    account: "alice",
    popup: { origin: popupOrigin, id: "a0de", status: "completed" },
  })

function follow(response: ServerResponse) {
  response.writeHead(200, { "content-type": "text/event-stream" }).write("retry: 50\n\n")
  listeners.push(response)
}

/** Sends an event to open pages: something changed. */
function change(next: readonly InboxItem[]) {
  open = next
  for (const listener of listeners) listener.write("data: {}\n\n")
}

async function watchInbox() {
  await page.goto(`${served.origin}/inbox`)
  await expect.poll(() => listeners.length).toBeGreaterThan(0)
}

const headings = () => page.locator(".questions h2").allInnerTexts()

describe("the inbox", () => {
  it("adds new questions and removes ended ones without a reload", async () => {
    await watchInbox()
    await page.evaluate("window.stayed = true")
    change([items.approval, items.trip])
    await expect.poll(headings).toEqual(["Storage janitor asks", "Travel desk asks"])
    change([])
    await expect.poll(() => page.getByRole("status").innerText()).toContain("No questions are waiting for you")
    expect(await page.title()).toBe("Inbox · Holdpoint")
    expect(await page.evaluate("window.stayed")).toBe(true)
  })

  it("leaves a form that a person is filling in as it is", async () => {
    open = [items.trip]
    await watchInbox()
    await page.getByLabel("Notes").fill("half a sent")
    change([items.approval, items.trip])
    await expect.poll(headings).toEqual(["Travel desk asks", "Storage janitor asks"])
    expect(await page.getByLabel("Notes").inputValue()).toBe("half a sent")
  })

  it("tells a person that the question they are filling in is over", async () => {
    open = [items.trip]
    await watchInbox()
    await page.getByLabel("Notes").fill("half a sent")
    change([])
    await page.getByText("This question has ended").waitFor()
    expect(await page.evaluate("document.activeElement.textContent")).toContain("This question has ended")
  })

  it("catches up after the connection was lost", async () => {
    await watchInbox()
    open = [items.trip]
    for (const listener of listeners.splice(0)) listener.destroy()
    await expect.poll(headings).toEqual(["Travel desk asks"])
  })

  it("sends the form of a question that came later", async () => {
    await watchInbox()
    change([items.approval])
    await expect.poll(headings).toEqual(["Storage janitor asks"])
    await page.getByRole("button", { name: "Keep them" }).click()
    await page.waitForURL("**/inbox/91bc")
    expect(served.posts.at(-1)!.body.get("do")).toBe("no")
  })
})

describe("a window for one question", () => {
  it("opens beside the inbox, and the inbox updates when it is done", async () => {
    whenDone = () => {
      open = []
    }
    await watchInbox()
    const [popup] = await Promise.all([page.waitForEvent("popup"), page.getByRole("link", { name: "Review" }).click()])
    await popup.getByRole("heading", { name: "Connected as alice" }).waitFor()
    expect(new URL(popup.url()).searchParams.get("popup")).toBe("self")
    await expect.poll(() => page.getByRole("status").innerText()).toContain("No questions are waiting for you")
    const closed = popup.waitForEvent("close")
    // The click may not live to see its own end.
    await popup
      .getByRole("button", { name: "Close this window" })
      .click()
      .catch(() => undefined)
    await closed
  })

  it("says no more than id and status, and only to the origin that the server named", async () => {
    await watchInbox()
    await page.evaluate("window.heard = []; addEventListener('message', ({ data }) => heard.push(data))")
    await Promise.all([page.waitForEvent("popup"), page.getByRole("link", { name: "Review" }).click()])
    await expect.poll(() => page.evaluate("heard")).toEqual([{ type: "holdpoint", id: "a0de", status: "completed" }])
    popupOrigin = "https://elsewhere.example"
    const [popup] = await Promise.all([page.waitForEvent("popup"), page.getByRole("link", { name: "Review" }).click()])
    await popup.getByRole("heading", { name: "Connected as alice" }).waitFor()
    expect(await page.evaluate("heard.length")).toBe(1)
  })

  it("is the only sender that the inbox believes", async () => {
    await page.addInitScript("{ const ask = fetch; window.asked = 0; window.fetch = (...it) => (asked++, ask(...it)) }")
    await watchInbox()
    await expect.poll(() => page.evaluate("asked")).toBe(1)
    await Promise.all([page.waitForEvent("popup"), page.getByRole("link", { name: "Review" }).click()])
    await expect.poll(() => page.evaluate("asked")).toBe(2)
    const spoken = "postMessage({ type: 'holdpoint', id: 'a0de', status: 'completed' }, location.origin)"
    await page.evaluate(`new Promise((heard) => { addEventListener("message", heard); ${spoken} }).then(() => 0)`)
    expect(await page.evaluate("asked")).toBe(2)
  })

  it("is an ordinary visit where windows are blocked", async () => {
    await page.addInitScript("window.open = () => null")
    await watchInbox()
    await page.getByRole("link", { name: "Review" }).click()
    await page.waitForURL("**/connect/a0de")
  })
})

describe("waiting for a provider", () => {
  it("ends automatically, at the page that the server names", async () => {
    status = { status: "waiting" }
    await page.goto(`${served.origin}/waiting`)
    await page.waitForResponse("**/status")
    status = { status: "connected", next: "/connect/a0de" }
    await page.waitForURL("**/connect/a0de")
  })

  it("does not navigate to another server", async () => {
    status = { status: "connected", next: "https://elsewhere.example/" }
    await page.goto(`${served.origin}/waiting`)
    await page.waitForResponse("**/status")
    expect(page.url()).toBe(`${served.origin}/waiting`)
  })
})

describe("a form", () => {
  it("is sent once, however often the button is pressed", async () => {
    const before = served.posts.length
    await page.goto(`${served.origin}/connect`)
    await page.locator(".primary:not([aria-disabled])").waitFor()
    await page.evaluate("{ const b = document.querySelector('.primary'); b.click(); b.click(); b.click() }")
    await page.waitForURL("**/connect/a0de")
    expect(served.posts.length - before).toBe(1)
    expect(served.posts.at(-1)!.body.get("do")).toBe("continue")
  })

  it("shows times in the person's zone, and sends them with the offset", async () => {
    await openPage({ timezoneId: "Europe/Berlin", viewport: { width: 1280, height: 2400 } })
    await page.goto(`${served.origin}/question`)
    const departure = page.getByLabel("Departure")
    expect(await departure.inputValue()).toBe("2026-04-14T08:45")
    await page.getByText("Your time (Europe/Berlin).").waitFor()
    await departure.fill("2026-12-24T18:00")
    await page.getByLabel("Contact").fill("a@example.com")
    await page.getByRole("button", { name: "Send" }).click()
    await page.waitForURL("**/inbox/7f3a")
    expect(readContent(everyField, served.posts.at(-1)!.body)).toMatchObject({ leave: "2026-12-24T18:00:00+01:00" })
  })

  it("shows when it ends in the person's own zone", async () => {
    await openPage({ timezoneId: "Asia/Kolkata" })
    await page.goto(`${served.origin}/connect`)
    await page.getByText("(15:09)").waitFor()
  })
})
