// The cards of `<holdpoint-chat>`: their questions, buttons, remaining time, and how each kind ends.

import type { Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { card, openWidgetStage, press, sendText, shows, type WidgetStage } from "./world.ts"

let stage: WidgetStage
beforeAll(async () => {
  stage = await openWidgetStage()
})
beforeEach(() => {
  stage.deeds.length = 0
  stage.setQuick(600_000)
})
afterEach(async () => expect(await stage.leave()).toEqual([]))
afterAll(() => stage.close())

const asked = async (words: string): Promise<Page> => {
  const page = await stage.open()
  await sendText(page, words)
  await card(page, "open").waitFor()
  return page
}

describe("an approval", () => {
  it("has two buttons that name the acts, and continues in the same reply", async () => {
    const page = await asked("delete the note")
    expect(await card(page, "open").getByRole("button").allInnerTexts()).toEqual(["Delete note", "Do not delete"])
    await press(page, "Delete note")
    await shows(page, "I heard: note 7 is gone.")
    await shows(page, "Your answer: Delete note")
    await shows(page, "delete_note: done")
    expect(stage.deeds).toEqual(["deleted 7"])
    expect(await page.locator("article.reply").count()).toBe(1)
  })

  it("can be refused with a reason that reaches the model", async () => {
    const page = await asked("delete the note")
    await page.getByLabel("Why not? (optional)").fill("I still need it")
    await press(page, "Do not delete")
    await page
      .getByText(/I heard: .*They said: I still need it/)
      .first()
      .waitFor()
    await shows(page, "delete_note: not allowed")
    expect(stage.deeds).toEqual([])
  })

  it("is not given by a stray Enter: the focus is on the heading, and fields do not press Yes", async () => {
    const page = await asked("edit the note")
    await expect.poll(() => page.evaluate(focused)).toContain("wants to run")
    await page.keyboard.press("Enter")
    await page.getByLabel("Why not? (optional)").focus()
    await page.keyboard.press("Enter")
    expect(await card(page, "open").count()).toBe(1)
    await press(page, "Do not write")
    await shows(page, "write_note: not allowed")
    expect(stage.deeds).toEqual([])
  })

  it("can be given with other arguments, where the policy lets people edit them", async () => {
    const page = await asked("edit the note")
    await page.getByLabel("Arguments").fill('{ "text": "Butter" }')
    await press(page, "Write note")
    await card(page, "completed").waitFor()
    await expect.poll(() => stage.deeds).toEqual(["wrote Butter"])
  })

  it("for a sub-agent names the agent that asks", async () => {
    const page = await asked("ask the manager")
    await page.getByText("manager asks", { exact: true }).waitFor()
    await press(page, "Delete note")
    await expect.poll(() => stage.deeds).toEqual(["deleted 7"])
  })
})

describe("a form", () => {
  it("has the right control for every type of field, and says what the server finds wrong", async () => {
    const page = await asked("every field")
    const open = card(page, "open")
    const types = await open.locator("input:not([type=hidden]), select, textarea").evaluateAll(typesOf)
    expect([...new Set(types)].sort()).toEqual(
      ["checkbox", "date", "datetime-local", "number", "radio", "select-one", "text", "textarea", "url"].sort(),
    )
    await page.getByLabel("Contact").fill("not an address")
    for (const meal of ["Breakfast", "Lunch", "Dinner"]) await page.getByLabel(meal).check()
    await press(page, "Send answer")
    await page.getByRole("alert").waitFor()
    expect(await page.getByLabel("Contact").inputValue()).toBe("not an address")
    await page.getByLabel("Contact").fill("anna@example.com")
    await page.getByLabel("Dinner").uncheck()
    await press(page, "Send answer")
    await page.getByRole("button", { name: "Send", exact: true }).waitFor()
    const text = await page.locator("article.reply").innerText()
    for (const part of [
      '"contact":"anna@example.com"',
      '"people":4',
      '"insured":true',
      '"meals":["breakfast","lunch"]',
      '"carriage":"second"',
    ])
      expect(text).toContain(part)
  })

  it("can be declined", async () => {
    const page = await asked("plan a trip")
    await press(page, "Decline")
    await card(page, "declined").waitFor()
    await page.getByRole("button", { name: "Send" }).waitFor()
  })

  it("is sent by Enter in its only field", async () => {
    const page = await asked("plan a trip")
    await page.getByLabel("City").fill("Rome")
    await page.keyboard.press("Enter")
    await shows(page, "I heard: to Rome.")
  })
})

/** Follows the link: Holdpoint's page names the destination, then the shop's page opens. */
async function payIn(window: Page): Promise<void> {
  await window.getByRole("button", { name: /^Open / }).click()
  await window.getByRole("link", { name: "Pay now" }).click()
}

describe("a question by link", () => {
  it("says where it leads, opens a window on the click, and knows when it is completed there", async () => {
    const page = await asked("pay the hotel")
    const { host } = new URL(stage.server().publicUrl)
    expect(await page.locator(".address b").innerText()).toBe(host)
    const opening = page.waitForEvent("popup")
    await press(page, "Open the page")
    const popup = await opening
    await page.getByText("Finish in the window that opened.").waitFor()
    await payIn(popup)
    await card(page, "completed").waitFor()
    await shows(page, "I heard: it is paid.")
  })

  it("offers a link when the browser blocks the window", async () => {
    const page = await asked("pay the hotel")
    await page.evaluate("window.open = () => null")
    await press(page, "Open the page")
    const link = page.getByRole("link", { name: "Open the page in a new tab" })
    await link.waitFor()
    const opening = page.context().waitForEvent("page")
    await link.click()
    await payIn(await opening)
    await card(page, "completed").waitFor()
  })

  it("can be declined with “Not now”", async () => {
    const page = await asked("pay the hotel")
    await press(page, "Not now")
    await card(page, "declined").waitFor()
    await shows(page, "Your answer: Not now")
  })
})

describe("the time that is left", () => {
  it("is shown, in seconds in the last minute; then the card expires without a reload, and the reply continues", async () => {
    stage.setQuick(6_000)
    const page = await asked("quick")
    await page.getByText(/^\d s left$/).waitFor()
    await page.locator("p.sr", { hasText: "Less than a minute is left to answer." }).waitFor({ state: "attached" })
    await card(page, "expired").waitFor()
    expect(await page.getByRole("button", { name: "Go on" }).count()).toBe(0)
    await page.getByRole("button", { name: "Send" }).waitFor()
  })

  it("follows the server's clock, whatever the browser's clock says", async () => {
    const page = await stage.open()
    await page.clock.setSystemTime(Date.now() + 3_600_000)
    await page.reload()
    await sendText(page, "quick")
    await card(page, "open").waitFor()
    await page.getByText("Expires in 9 minutes").waitFor()
    await press(page, "Leave it")
    await card(page, "declined").waitFor()
  })
})

describe("a question that arrives", () => {
  it("is announced, and leaves the focus to a person who is writing", async () => {
    const page = await stage.open()
    const writing = Promise.withResolvers<void>()
    await page.route("**/run/api/chat", (route) => writing.promise.then(() => route.continue()))
    await sendText(page, "plan a trip")
    await page.getByLabel("Message").fill("while I write")
    writing.resolve()
    await card(page, "open").waitFor()
    await page.locator("p.sr", { hasText: "A question for you: Where to?" }).waitFor({ state: "attached" })
    expect(await page.evaluate(focused)).toBe("textarea")
  })

  it("moves nothing above it, and its end does not change its height", async () => {
    const page = await stage.open('<holdpoint-chat class="tall"></holdpoint-chat><p>below</p>')
    await sendText(page, "hello")
    await shows(page, "You said: hello")
    const places = () => page.evaluate(placesIn)
    await sendText(page, "quick")
    await shows(page, "quick")
    const before = (await places()) as readonly number[]
    await card(page, "open").waitFor()
    const arrived = (await places()) as readonly number[]
    expect(arrived.slice(0, before.length)).toEqual(before)
    const height = await page.locator("section.card").evaluate(heightOf)
    await press(page, "Leave it")
    await card(page, "declined").waitFor()
    expect(await page.locator("section.card").evaluate(heightOf)).toBe(height)
  })
})

// Globals of the code that runs in the page.
interface InPage {
  readonly type: string
  readonly offsetHeight: number
}
const typesOf = (all: unknown[]): string[] => (all as InPage[]).map(({ type }) => type)
const heightOf = (one: unknown): number => (one as InPage).offsetHeight
const focused = `(() => {
  const at = document.querySelector("holdpoint-chat").shadowRoot.activeElement
  return at === null ? "" : at.tagName === "TEXTAREA" ? "textarea" : at.innerText
})()`
/** The script that returns the positions of messages and replies in the list. */
const placesIn = `[...document.querySelector("holdpoint-chat").shadowRoot.querySelectorAll(".messages > article")].map((one) => one.offsetTop)`
