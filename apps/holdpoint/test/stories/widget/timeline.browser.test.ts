// `<holdpoint-timeline>` beside a chat: the steps of a run as they happen, and again after a reload.

import type { Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { card, expectNoComplaints, openWidgetStage, press, sendText, type WidgetStage } from "./world.ts"

let stage: WidgetStage
beforeAll(async () => {
  stage = await openWidgetStage()
})
afterEach(async () => expect(await stage.leave()).toEqual([]))
afterAll(() => stage.close())

const both = (conversation: string): string =>
  `<holdpoint-chat conversation="${conversation}"></holdpoint-chat>
<holdpoint-timeline conversation="${conversation}"></holdpoint-timeline>`

const kinds = (page: Page) => page.locator("li.step").evaluateAll(kindsOf)

describe("the timeline", () => {
  it("shows each step as it happens, in order, and the same steps after a reload", async () => {
    const page = await stage.open(both("steps"))
    await sendText(page, "quick")
    await card(page, "open").waitFor()
    await expect.poll(() => kinds(page)).toContain("paused")
    expect(await kinds(page)).not.toContain("run-ended")
    await press(page, "Go on")
    await expect.poll(() => kinds(page)).toContain("run-ended")
    const seen = await kinds(page)
    const order = ["run-started", "tool-called", "asked", "paused", "answered", "resumed", "tool-finished", "run-ended"]
    expect(seen.filter((kind) => order.includes(kind))).toEqual(order)
    await page.getByText("asks “Shall I go on?”").waitFor()
    await page.getByText(/^alice: said Yes, in the chat, after /).waitFor()
    await expectNoComplaints(page)
    await page.reload()
    await expect.poll(() => kinds(page)).toEqual(seen)
  })

  it("shows the steps that a page gives it, and leaves out steps of unknown kinds", async () => {
    const page = await stage.open("<holdpoint-timeline></holdpoint-timeline>")
    const at = "2026-01-31T09:30:00.000Z"
    const items = [
      { kind: "run-ended", status: "stopped", at, number: 3 },
      { kind: "hologram", at, number: 2 },
      { kind: "run-started", agent: "helper", at, number: 1 },
    ]
    await page.evaluate(`document.querySelector("holdpoint-timeline").items = ${JSON.stringify(items)}`)
    expect(await page.locator("li.step .words").allInnerTexts()).toEqual(["helper begins", "Stopped"])
  })
})

// Globals of the code that runs in the page.
const kindsOf = (all: unknown[]): string[] =>
  (all as { readonly dataset: { readonly kind?: string } }[]).map(({ dataset }) => dataset.kind ?? "")
