// The example with the chat on another site's pages, in a real browser: two origins, a strict content security policy,
// and tokens that the site's own server gets.

import { systemRuntime } from "@holdpoint/hub"
import { openBrowser } from "@holdpoint/testkit/browser"
import { verifies } from "@holdpoint/testkit/verifies"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openPeople, type People } from "../apps/holdpoint/test/stories/people.ts"
import { type Example, startExample } from "../examples/9-chat-on-your-page/start.ts"

let example: Example
let people: People
/** The time by which Holdpoint's clock was advanced. */
let aheadMs = 0

beforeAll(async () => {
  const runtime = { ...systemRuntime, now: () => systemRuntime.now() + aheadMs }
  const [browser, started] = await Promise.all([openBrowser(), startExample({ runtime })])
  example = started
  people = openPeople(browser, example.holdpoint, example.notes.issuer)
})
afterAll(() => example.close())

async function open(path = "/", person = "alice"): Promise<Page> {
  const page = await people.arrive()
  await page.goto(example.site)
  await people.signIn(page, person)
  await page.getByText(`Signed in as ${person}`).waitFor()
  if (path !== "/") await page.goto(`${example.site}${path}`)
  return page
}

/** Sends a message after the previous reply has ended, because it cannot be sent before. */
async function sendText(page: Page, words: string): Promise<void> {
  await page.getByRole("button", { name: "Send", exact: true }).waitFor()
  await page.getByLabel("Message").fill(words)
  await page.keyboard.press("Enter")
}

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click()
const shows = (page: Page, words: string | RegExp) => page.getByText(words).first().waitFor()

async function answerTrip(page: Page, where: string): Promise<void> {
  await page.getByRole("textbox", { name: "Where" }).fill(where)
  await page.getByLabel(/^When\b/).fill("2026-09-14")
  await press(page, "Send answer")
}

/** Presses Connect on a card and completes the pages in the popup, which then closes automatically. */
async function connect(page: Page, person: string): Promise<void> {
  const opening = page.waitForEvent("popup")
  await press(page, "Connect")
  const popup = await opening
  await people.signIn(popup, person)
  await popup.getByRole("heading", { name: "Connect Example Notes?" }).waitFor()
  expect(new URL(popup.url()).origin).toBe(example.holdpoint)
  await press(popup, "Continue to Example Notes")
  const closed = popup.waitForEvent("close")
  await press(popup, "Yes")
  await closed
}

/** Counts the page's requests for tokens to its own server. */
function countTokens(page: Page): () => number {
  let count = 0
  page.on("request", (request) => {
    if (request.url().startsWith(`${example.site}/holdpoint-token`)) count += 1
  })
  return () => count
}

describe("the chat on another site's page", () => {
  it("answers a form, connects an account in a popup, and continues in the same reply", async () => {
    const page = await open()
    await sendText(page, "Plan a trip")
    await page.getByRole("textbox", { name: "Where" }).waitFor()
    await people.look(page, "Ask the assistant")
    await answerTrip(page, "Oslo")
    await shows(page, "I heard: to Oslo on 2026-09-14.")

    await sendText(page, "List my notes")
    await connect(page, "alice")
    await shows(page, /Your notes: Water the plants/)
    expect(await people.leave()).toEqual([])
  })

  verifies(
    "run.other-site",
    "keeps its token, and gets another one when it ran out while a question waited",
    async () => {
      const page = await open()
      const tokens = countTokens(page)
      await page.reload()
      await sendText(page, "Plan a trip")
      await page.getByRole("textbox", { name: "Where" }).waitFor()
      expect(tokens()).toBe(1)
      // Tokens last five minutes, questions ten.
      aheadMs += 400_000
      await answerTrip(page, "Bergen")
      await shows(page, "I heard: to Bergen on 2026-09-14.")
      expect(tokens()).toBe(2)
      // The browser logs the refusal.
      expect((await people.leave()).map((problem) => problem.match(/status of \d+/)?.[0])).toEqual(["status of 401"])
    },
  )

  it("asks a person who has signed out at the site to sign in there, and then sends the last message", async () => {
    const page = await open()
    await sendText(page, "hello")
    await shows(page, /I follow a script/)
    const beside = await page.context().newPage()
    await beside.goto(example.site)
    await press(beside, "Sign out")
    await beside.getByRole("button", { name: "Continue as alice" }).waitFor()
    aheadMs += 400_000
    await page.bringToFront()
    await sendText(page, "hello again")
    await shows(page, "Sign in to continue")
    await sendText(page, "Plan a trip")
    const opening = page.waitForEvent("popup")
    await press(page, "Sign in")
    const popup = await opening
    await press(popup, "Continue as alice")
    await answerTrip(page, "Lima")
    await shows(page, "I heard: to Lima on 2026-09-14.")
    await people.leave()
  })

  it("counts a question's time by the server's clock, not by the visitor's", async () => {
    const page = await open()
    await page.clock.setSystemTime(Date.now() + 3_600_000)
    await page.reload()
    await sendText(page, "Plan a trip")
    await answerTrip(page, "Rome")
    await shows(page, "I heard: to Rome on 2026-09-14.")
    expect(await people.leave()).toEqual([])
  })

  it("is refused with a token of another conversation", async () => {
    const page = await open()
    await page.locator("holdpoint-chat").evaluate((chat: { setAttribute(name: string, value: string): void }) => {
      chat.setAttribute("token-url", "/holdpoint-token?conversation=another")
    })
    await shows(page, /Your token is for another conversation/)
    await people.leave()
  })
})

describe("the assistant beside a form", () => {
  const filledIn = async (page: Page): Promise<readonly string[]> =>
    Promise.all(["Purpose", "Date", "Amount"].map((label) => page.getByLabel(label).inputValue()))

  it.each(["/expenses", "/expenses-react"])(
    "of %s fills it in when the person says yes, and not when they say no",
    async (path) => {
      const page = await open(path)
      await sendText(page, "Fill in my expenses")
      await press(page, "Leave it")
      await shows(page, /The user was asked and said no/)
      expect(await filledIn(page)).toEqual(["", "", ""])

      await sendText(page, "Fill in my expenses, please")
      await page.getByRole("button", { name: "Fill it in" }).waitFor()
      // A question can be answered after the page was reloaded.
      await page.reload()
      await press(page, "Fill it in")
      await shows(page, "I heard: it is in the form.")
      // The page's own framework fills the fields asynchronously.
      await expect.poll(() => filledIn(page)).toEqual(["Visit to Oslo", "2026-09-14", "312.5"])

      // After a reload, the page does not receive earlier results again.
      await page.reload()
      await shows(page, "I heard: it is in the form.")
      expect(await filledIn(page)).toEqual(["", "", ""])
      expect(await people.leave()).toEqual([])
    },
  )
})

describe("a question in a chat that is not ours", () => {
  it("is a card that stock useChat replaces in place, and the held stream continues", async () => {
    const page = await open("/own-chat", "bob")
    await sendText(page, "Plan a trip")
    await answerTrip(page, "Oslo")
    await shows(page, "I heard: to Oslo on 2026-09-14.")
    await page.locator('.card[data-state="completed"]').waitFor()
    await people.look(page, "A chat of our own")

    await sendText(page, "Fill in my expenses")
    await press(page, "Leave it")
    await shows(page, /The user was asked and said no/)
    await page.locator('.card[data-state="declined"]').waitFor()

    await sendText(page, "List my notes")
    await connect(page, "bob")
    await shows(page, /Your notes: Water the plants/)
    expect(await page.locator("holdpoint-question").count()).toBe(3)
    expect(await page.getByRole("article", { name: "assistant" }).count()).toBe(3)
    expect(await people.leave()).toEqual([])
  })
})
