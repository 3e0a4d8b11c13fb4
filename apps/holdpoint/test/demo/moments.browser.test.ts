// The chat of the demo in less happy moments: a No, blocked windows, a reload, a second tab, a restart, and no answer.

import { openBrowser } from "@holdpoint/testkit/browser"
import type { Browser } from "playwright-core"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { requests } from "../../src/demo/script.ts"
import { openPanel, type Panel } from "../stories/panel-world.ts"
import { withWitness } from "../stories/people.ts"
import { booking, connectAccount, signInFor, type Visitor, visitChat, visitChatAs } from "./chat-world.ts"

let browser: Browser
let panel: Panel
beforeAll(async () => {
  browser = await openBrowser()
  panel = await openPanel(browser)
})
afterEach(async () => {
  expect(await panel.leave()).toEqual([])
  expect(panel.problems).toEqual([])
})
afterAll(() => panel.close())

/** Runs a story. When the story fails, the error contains the content of every window. */
const withStory = ({ page }: Visitor, story: () => Promise<void>): Promise<void> => withWitness(page.context(), story)

describe("a No", () => {
  it("to an account is reported in the same reply, and the next request asks again", async () => {
    const visitor = await visitChatAs(panel, "bob")
    const { card, press, says } = visitor
    await withStory(visitor, async () => {
      await press(requests.notes)
      await press("Not now")
      await says("I have not read your notes. This is what I was told:")
      expect(await card("to read your notes").getByRole("button").count()).toBe(0)
      await press(requests.notes)
      await card("to read your notes").getByRole("button", { name: "Connect" }).waitFor()
    })
  })

  it("to a call of a second agent reaches its model with the reason", async () => {
    const visitor = await visitChatAs(panel, "bob")
    const { card, press, says } = visitor
    await withStory(visitor, async () => {
      await press(requests.desk)
      const approval = card("book_train")
      await approval.getByRole("button", { name: booking.no }).waitFor()
      await approval.getByLabel(/^Why not/).fill("The train leaves too early")
      await approval.getByRole("button", { name: booking.no }).click()
      await says(/The travel desk says: Not booked.*They said: The train leaves too early/)
    })
  })
})

describe("blocked windows", () => {
  it("are replaced by links, for the sign-in, which keeps the message, and for the account", async () => {
    const visitor = await visitChat(panel)
    const { page, chat, card, press, says } = visitor
    await withStory(visitor, async () => {
      await page.evaluate("window.open = () => null")
      await press(requests.trip)
      const link = chat.getByRole("link", { name: "Open the page in a new tab" })
      const [signIn] = await Promise.all([page.context().waitForEvent("page"), link.click()])
      await signIn.getByRole("button", { name: "Continue as bob" }).click()
      await card("A few questions about your trip").getByRole("button").first().waitFor()
      await signIn.close()
      await press("Decline")
      await says("I have not planned a trip.")
      await press(requests.notes)
      await press("Connect")
      const [ours] = await Promise.all([page.context().waitForEvent("page"), link.click()])
      await ours.getByRole("button", { name: "No", exact: true }).click()
      await says("I have not read your notes.")
    })
  })
})

describe("a question that waits", () => {
  it("is shown again after a reload, with the person's message, and the same reply continues", async () => {
    const visitor = await visitChat(panel)
    const { page, chat, card, says } = visitor
    await withStory(visitor, async () => {
      await signInFor(visitor, requests.notes, "bob")
      await card("to read your notes").getByRole("button", { name: "Connect" }).waitFor()
      await page.reload()
      await card("to read your notes").getByRole("button", { name: "Connect" }).waitFor()
      expect(await chat.getByText(requests.notes, { exact: true }).count()).toBe(1)
      await connectAccount(visitor, "bob")
      await card("Connected as Bob Example").waitFor()
      await says("Birthday presents")
      expect(await chat.getByRole("article", { name: "Assistant" }).count()).toBe(1)
    })
  })

  it("is shown in two tabs, and the answer in one of them is seen in the other", async () => {
    const first = await visitChatAs(panel, "alice")
    await withStory(first, async () => {
      await first.press(requests.trip)
      await first.card("A few questions").getByRole("button").first().waitFor()
      const other = await first.page.context().newPage()
      await other.goto(panel.demo.server.publicUrl)
      const there = other.locator("holdpoint-chat")
      await there.getByLabel("First day").fill("2027-05-01")
      await there.getByLabel("Keep it cheap").check()
      await there.getByRole("button", { name: "Send answer" }).click()
      await first.says("Vienna, 3 days from 2027-05-01")
      expect(await first.card("A few questions").getByRole("button").count()).toBe(0)
      expect(await there.getByRole("article", { name: "Assistant" }).count()).toBe(1)
    })
  })

  it("survives a restart of the server, and the same reply continues with the answer", async () => {
    const visitor = await visitChatAs(panel, "alice")
    const { chat, card, press, says } = visitor
    await withStory(visitor, async () => {
      await press(requests.desk)
      await card("book_train").getByRole("button", { name: booking.yes }).waitFor()
      await panel.restart()
      await card("book_train").getByRole("button", { name: booking.yes }).click()
      await says("The travel desk says: Booked: 2 seats from Berlin to Vienna.")
      expect(await chat.getByRole("article", { name: "Assistant" }).count()).toBe(1)
    })
    // The browser logs the requests that did not reach the server in between.
    const noise = /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE/
    expect((await panel.leave()).filter((words) => !noise.test(words))).toEqual([])
  })
})

describe("a question without an answer", () => {
  it("counts down its last seconds, expires without a reload, and the reply reports the outcome", async () => {
    const hasty = await openPanel(browser, { questionMs: 5_000 })
    try {
      const visitor = await visitChatAs(hasty, "alice")
      const { card, press, says } = visitor
      await withStory(visitor, async () => {
        await press(requests.trip)
        await card("A few questions")
          .getByText(/[1-5] s left/)
          .waitFor()
        await card("Expired without an answer.").waitFor()
        expect(await card("A few questions").getByRole("button").count()).toBe(0)
        await says("I have not planned a trip.")
      })
      expect(await hasty.leave()).toEqual([])
      expect(hasty.problems).toEqual([])
    } finally {
      await hasty.close()
    }
  })
})
