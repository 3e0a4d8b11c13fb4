// Several tabs of one browser share one stream of events; when the tab with the stream closes, another takes over.

import type { Page, Request } from "playwright-core"
import { afterAll, afterEach, beforeAll, expect, it } from "vitest"
import { card, openWidgetStage, press, sendText, shows, type WidgetStage } from "./world.ts"

let stage: WidgetStage
beforeAll(async () => {
  stage = await openWidgetStage()
})
afterEach(async () => expect(await stage.leave()).toEqual([]))
afterAll(() => stage.close())

/** Another tab of the same browser, on the same page. */
async function openBeside(page: Page): Promise<Page> {
  const tab = await page.context().newPage()
  await tab.goto(page.url())
  return tab
}

/** The requests for the stream of events that are open in a tab. */
function openStreams(page: Page): () => number {
  const open = new Set<Request>()
  const end = (request: Request): void => void open.delete(request)
  page.on("request", (request) => void (request.url().includes("/run/api/events") && open.add(request)))
  page.on("requestfinished", end)
  page.on("requestfailed", end)
  return () => open.size
}

const chat = '<holdpoint-chat conversation="shared"></holdpoint-chat>'

it("tabs share one stream, so that seven tabs do not use up the browser's connections", async () => {
  const first = await stage.open(chat)
  await first.getByLabel("Message").waitFor()
  const tabs = [first]
  const streams: (() => number)[] = []
  for (let count = 0; count < 6; count += 1) {
    const tab = await first.context().newPage()
    streams.push(openStreams(tab))
    await tab.goto(first.url())
    tabs.push(tab)
  }
  await sendText(first, "plan a trip")
  for (const tab of tabs) await card(tab, "open").waitFor()
  expect(streams.map((open) => open())).toEqual([0, 0, 0, 0, 0, 0])
  // With a stream for each of the seven tabs, the browser could not send this request.
  const last = tabs.at(-1) as Page
  expect(await last.evaluate(async () => (await fetch("/run/api/elicitations")).status)).toBe(200)
  await last.getByLabel("City").fill("Rome")
  await press(last, "Send answer")
  for (const tab of tabs) await shows(tab, "I heard: to Rome.")
  for (const tab of tabs.slice(1)) await tab.close()
})

it("tabs continue without the tab that read the stream", async () => {
  const reading = await stage.open('<holdpoint-chat conversation="handed-over"></holdpoint-chat>')
  await reading.getByLabel("Message").waitFor()
  const other = await openBeside(reading)
  await sendText(other, "plan a trip")
  await card(other, "open").waitFor()
  await card(reading, "open").waitFor()
  await reading.close()
  await other.getByLabel("City").fill("Bern")
  await press(other, "Send answer")
  await shows(other, "I heard: to Bern.")
})

it("tabs show one end when a Yes and a No are pressed at the same time, and a No never leads to the act", async () => {
  const first = await stage.open('<holdpoint-chat conversation="at-once"></holdpoint-chat>')
  await first.getByLabel("Message").waitFor()
  const second = await openBeside(first)
  await sendText(first, "delete the note")
  for (const tab of [first, second]) await card(tab, "open").waitFor()
  stage.deeds.length = 0
  const buttons = [first.getByRole("button", { name: "Delete note" }), second.getByRole("button", { name: "Do not" })]
  const pressed = await Promise.all(buttons.map((one) => one.elementHandle()))
  // The second press finds an answered question, or no button.
  await Promise.all(pressed.map((one) => one?.evaluate((button) => (button as unknown as { click(): void }).click())))
  const ends = await Promise.all(
    [first, second].map(async (tab) => {
      await tab.locator('section.card:is([data-state="completed"], [data-state="declined"])').waitFor()
      await tab.getByText(/^I heard/).waitFor()
      return tab.locator("section.card").getAttribute("data-state")
    }),
  )
  expect(ends[0]).toBe(ends[1])
  // A No that comes after the Yes and before the act stops it too.
  expect(stage.deeds.length).toBeLessThanOrEqual(ends[0] === "completed" ? 1 : 0)
})
