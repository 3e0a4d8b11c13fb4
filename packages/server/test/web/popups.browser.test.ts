// Popup windows: opened over the middle of the page, at the size that our pages are made for, with the button in sight
// however much there is to read, even on small screens.

import { complaintsOn } from "@holdpoint/testkit/axe"
import { openBrowser } from "@holdpoint/testkit/browser"
import { items, now, samples } from "@holdpoint/testkit/server/web/samples"
import { verifies } from "@holdpoint/testkit/verifies"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { inboxPage } from "../../src/web/index.ts"
import { type Served, serve } from "./serve.ts"

let served: Served
/** One for all tests: each loads its own page into it. */
let page: Page
beforeAll(async () => {
  const browser = await openBrowser()
  const context = await browser.newContext({ reducedMotion: "reduce" })
  context.setDefaultTimeout(10_000)
  page = await context.newPage()
  const who = { signedInAs: "alice", csrf: "c5rf" }
  const stream = { eventsUrl: "/inbox/events", streamName: "inbox" }
  served = await serve((path) =>
    path === "inbox" ? String(inboxPage({ ...who, now, items: [items.link], ...stream })) : samples[path]?.render(),
  )
})
afterAll(async () => {
  await page?.context().close()
  await served?.close()
})

const sizes = [
  { width: 560, height: 780 },
  { width: 390, height: 664 },
  { width: 320, height: 568 },
]
const decisions = ["connect", "connect-offers", "connect-again", "connect-more", "connect-lost", "connect-key"]
const others = ["visit", "visit-careful", "visit-begun", "waiting", "authorize", "confirm-account", "sign-in-demo"]

async function open(path: string, size: (typeof sizes)[number]): Promise<void> {
  await page.setViewportSize(size)
  await page.goto(`${served.origin}/${path}`)
}

describe.each(sizes)("in a window of $width × $height", (size) => {
  verifies.each("page.popup-fits")([...decisions, ...others])("the button of the page %s is in sight", async (path) => {
    await open(path, size)
    const button = page.locator("main .primary").first()
    const box = await button.boundingBox()
    expect(box).not.toBeNull()
    expect(box!.y).toBeGreaterThanOrEqual(0)
    expect(box!.y + box!.height).toBeLessThanOrEqual(size.height)
    const heading = await page.locator("h1").boundingBox()
    expect(heading!.y + heading!.height).toBeLessThanOrEqual(box!.y)
    const main = await page.locator("main").boundingBox()
    expect(Math.abs(main!.x - (size.width - main!.x - main!.width))).toBeLessThanOrEqual(1)
  })

  it("the buttons cover no text at the end of the page", async () => {
    await open("connect-offers", size)
    await page.evaluate("scrollTo(0, document.body.scrollHeight)")
    const buttons = await page.locator("main .buttons").boundingBox()
    const after = await page.locator("main .after").boundingBox()
    const last = await page.locator("main .offers").boundingBox()
    expect(last!.y + last!.height).toBeLessThanOrEqual(buttons!.y)
    expect(after!.y).toBeGreaterThanOrEqual(buttons!.y + buttons!.height)
    expect(await complaintsOn(page)).toEqual([])
  })
})

it.each(sizes.slice(0, 2))("the requested access is visible above the buttons, in $width × $height", async (size) => {
  await open("connect", size)
  const scope = await page.locator(".scopes li").last().boundingBox()
  const buttons = await page.locator("main .buttons").boundingBox()
  expect(scope!.y + scope!.height).toBeLessThanOrEqual(buttons!.y)
})

verifies("page.popup-fits", "a window opens over the middle of the page, and within the screen", async () => {
  await open("inbox", { width: 1200, height: 900 })
  await page.evaluate("window.open = (_address, _name, features) => { window.features = features; return null }")
  const set = (facts: object) => page.evaluate(`Object.assign(window, ${JSON.stringify(facts)}) && 0`)
  await page.evaluate(`for (const name of ["screenX", "screenY", "outerWidth", "outerHeight"])
    Object.defineProperty(window, name, { value: 0, writable: true })`)
  const press = async (): Promise<string> => {
    await page.getByRole("link", { name: "Review" }).evaluate((link) => {
      link.addEventListener("click", (event: { preventDefault(): void }) => event.preventDefault(), { once: true })
      ;(link as unknown as { click(): void }).click()
    })
    return page.evaluate<string>("features")
  }
  await set({ screenX: 100, screenY: 40, outerWidth: 1200, outerHeight: 900 })
  expect(await press()).toBe("popup,width=560,height=780,left=420,top=100")
  await set({ screenX: 0, screenY: 0, outerWidth: 500, outerHeight: 600 })
  expect(await press()).toBe("popup,width=560,height=780,left=0,top=0")
})
