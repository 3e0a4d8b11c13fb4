// The time that is left for an answer: in words, counted down in the last minute, said once to screen readers; and a prompt
// whose time is over changes without a reload.

import { complaintsOn } from "@holdpoint/testkit/axe"
import { openBrowser } from "@holdpoint/testkit/browser"
import { connect, items, now, visit } from "@holdpoint/testkit/server/web/samples"
import { verifies } from "@holdpoint/testkit/verifies"
import type { Browser, BrowserContextOptions, Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { connectPage, inboxPage, questionPage, visitPage } from "../../src/web/index.ts"
import { type Served, serve } from "./serve.ts"

const [second, minute] = [1_000, 60_000]
const who = { signedInAs: "alice", csrf: "c5rf" }

let browser: Browser
let served: Served
let page: Page
/** How long the prompts have left when they are served. */
let leftMs = 3 * minute

const ending = <Q extends { readonly expiresAt: number }>(one: Q): Q => ({ ...one, expiresAt: now + leftMs })
const trip = () => ({ ...items.trip, elicitation: ending(items.trip.elicitation) })
const stream = { eventsUrl: "/inbox/events", streamName: "inbox" }

beforeAll(async () => {
  browser = await openBrowser()
  served = await serve((path) => {
    const pages: Readonly<Record<string, () => unknown>> = {
      inbox: () => inboxPage({ ...who, now, items: [trip()], ...stream }),
      "inbox-of-two": () => inboxPage({ ...who, now, items: [trip(), trip()], ...stream }),
      question: () => questionPage({ ...who, now, ...trip() }),
      connect: () => connectPage(ending(connect)),
      visit: () => visitPage(ending(visit)),
    }
    const pageHtml = pages[path]?.()
    return pageHtml === undefined ? undefined : String(pageHtml)
  })
})
afterAll(() => served?.close())
afterEach(() => page.context().close())

async function open(path: string, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ locale: "en-GB", timezoneId: "UTC", reducedMotion: "reduce", ...options })
  context.setDefaultTimeout(10_000)
  page = await context.newPage()
  await page.clock.install({ time: now })
  await page.goto(`${served.origin}/${path}`)
}

const deadline = () => page.locator("[data-left]").first().innerText()
/** Waits until the page counts the last minute: only then may the clock be advanced. */
const counting = () => expect.poll(deadline).toMatch(/in (60|59) seconds/)
const announcement = () => page.locator('[aria-live="polite"]').innerText()
const prompts = ["question", "inbox", "connect", "visit"] as const

describe.each(prompts)("a prompt on the page %s", (path) => {
  verifies("page.countdown", "says how long is left, and counts the last minute down", async () => {
    leftMs = 3 * minute
    await open(path)
    await expect.poll(deadline).toContain("in 3 minutes")
    await page.clock.runFor(minute + second)
    await expect.poll(deadline).toContain("in 2 minutes")
    expect(await page.getByText("seconds left").count()).toBe(0)
    await page.clock.runFor(minute + 9 * second)
    await page.getByText("50 seconds left to answer.").first().waitFor()
    expect(await announcement()).toBe("One minute left to answer.")
    await page.clock.runFor(10 * second)
    await page.getByText("40 seconds left to answer.").first().waitFor()
    expect(await announcement()).toBe("One minute left to answer.")
    expect(await complaintsOn(page)).toEqual([])
  })

  verifies("page.countdown", "looks expired when its time is over, without a reload", async () => {
    leftMs = minute
    await open(path)
    await counting()
    await page.clock.runFor(minute + second)
    await page.getByText("The time to answer is over.").first().waitFor()
    expect(await deadline()).toMatch(/^ended/i)
    const buttons = page.locator("#main form .buttons button, #main form .buttons a")
    const states = await buttons.evaluateAll((all) => all.map((one) => one.matches(":disabled, a:not([href])")))
    expect(states.length).toBeGreaterThan(1)
    expect(states).not.toContain(false)
    expect(await announcement()).toContain("The time to answer is over.")
    expect(await complaintsOn(page)).toEqual([])
  })
})

it("the end of a question is visible even if its form is collapsed", async () => {
  leftMs = minute
  await open("inbox-of-two")
  await counting()
  await page.clock.runFor(minute + second)
  const seen = page.getByText("The time to answer is over.").and(page.locator(":visible"))
  await expect.poll(() => seen.count()).toBeGreaterThan(1)
})

it("the deadline is an exact time without scripts", async () => {
  leftMs = 3 * minute
  const context = await browser.newContext({ javaScriptEnabled: false })
  page = await context.newPage()
  await page.goto(`${served.origin}/question`)
  expect(await deadline()).toMatch(/^Ends in 3 minutes \(\d\d:\d\d UTC\)$/)
})

it("an expired form keeps the text that a person has written", async () => {
  leftMs = minute
  await open("question")
  await counting()
  await page.getByLabel("Notes").fill("a long text")
  await page.clock.runFor(minute + second)
  await page.getByText("The time to answer is over.").first().waitFor()
  expect(await page.getByLabel("Notes").isEditable()).toBe(true)
  expect(await page.getByLabel("Notes").inputValue()).toBe("a long text")
})
