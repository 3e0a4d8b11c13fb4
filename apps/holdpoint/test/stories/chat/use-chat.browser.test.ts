// Stock useChat of the AI SDK against the run API, in a real browser: questions, approvals, reloads, tabs, ends.

import type { Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { type ChatStage, openChatStage } from "./world.ts"

let stage: ChatStage
beforeAll(async () => {
  stage = await openChatStage()
})
afterAll(() => stage.close())
afterEach(async () => {
  await stage.leave()
})

async function sendText(page: Page, words: string): Promise<void> {
  await page.getByLabel("Message").fill(words)
  await page.getByRole("button", { name: "Send" }).click()
}

const chatIs = (page: Page, status: string) => page.locator(`main[data-chat="${status}"]`).waitFor()
const card = (page: Page, status: string) => page.locator(`section[data-status="${status}"]`).waitFor()
const tool = (page: Page, state: string) => page.locator(`.tool[data-state="${state}"]`).waitFor()
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click()
const shows = (page: Page, words: string) => page.getByText(words, { exact: true }).waitFor()

/** Expects one bubble of the assistant, with one card for each question. */
async function expectOneBubble(page: Page, cards: number): Promise<void> {
  expect(await page.locator('article[data-role="assistant"]').count()).toBe(1)
  expect(await page.locator("section").count()).toBe(cards)
}

async function askedTrip(id: string): Promise<Page> {
  const page = await stage.open(`id=${id}`)
  await sendText(page, "plan a trip")
  await card(page, "pending")
  return page
}

describe("stock useChat", () => {
  it("replaces a question in place when it is answered, and the held stream continues", async () => {
    const page = await askedTrip("in-place")
    await chatIs(page, "streaming")
    await press(page, "Answer")
    await shows(page, "I heard: to Rome.")
    await card(page, "completed")
    await chatIs(page, "ready")
    await expectOneBubble(page, 1)
    // A finished reply is not streamed again.
    await page.goto(`${page.url()}&resume`)
    await shows(page, "I heard: to Rome.")
    await shows(page, "plan a trip")
    await expectOneBubble(page, 1)
  })

  it("that cannot show questions approves with its own buttons, and the reply continues in the same bubble", async () => {
    const page = await stage.open("id=stock&plain")
    await sendText(page, "delete the note")
    await tool(page, "approval-requested")
    await chatIs(page, "ready")
    const before = stage.deeds.length
    await press(page, "Approve")
    await shows(page, "I heard: note 7 is gone.")
    await tool(page, "output-available")
    await expectOneBubble(page, 1)
    expect(stage.deeds.slice(before)).toEqual(["deleted 7"])
  })

  it("that cannot show questions denies with its own buttons, and the tool does not run", async () => {
    const page = await stage.open("id=denied&plain")
    const before = stage.deeds.length
    await sendText(page, "delete the note")
    await tool(page, "approval-requested")
    await press(page, "Deny")
    await tool(page, "output-denied")
    await chatIs(page, "ready")
    await expectOneBubble(page, 1)
    expect(stage.deeds).toHaveLength(before)
  })

  it("that shows questions approves or refuses at the card while the stream is held", async () => {
    const page = await stage.open("id=held")
    await sendText(page, "delete the note")
    await card(page, "pending")
    await chatIs(page, "streaming")
    await press(page, "Answer")
    await shows(page, "I heard: note 7 is gone.")
    await chatIs(page, "ready")
    await sendText(page, "delete the note")
    await press(page, "Refuse")
    await tool(page, "output-denied")
    await card(page, "declined")
    await chatIs(page, "ready")
  })

  it("replays a waiting reply after a reload, and in a second tab, and both see the answer", async () => {
    const page = await askedTrip("tabs")
    await page.goto(`${page.url()}&resume`)
    await card(page, "pending")
    const second = await stage.open("id=tabs&resume", page)
    await card(second, "pending")
    // The card may come from the stored messages, before the tab follows the reply.
    for (const tab of [page, second]) await chatIs(tab, "streaming")
    await press(second, "Answer")
    for (const tab of [page, second]) {
      await shows(tab, "I heard: to Rome.")
      await shows(tab, "plan a trip")
      await expectOneBubble(tab, 1)
    }
  })

  it("only disconnects with its own stop, and ends the reply with ours", async () => {
    const page = await askedTrip("stop")
    await press(page, "Leave")
    await chatIs(page, "ready")
    await card(page, "pending")
    await press(page, "Resume")
    await chatIs(page, "streaming")
    await press(page, "Stop")
    await chatIs(page, "ready")
    const { hub } = stage.server()
    const id = (await page.locator("section").getAttribute("data-id")) ?? ""
    await expect.poll(async () => (await hub.get(id))?.status).toBe("cancelled")
    await sendText(page, "hello")
    await shows(page, "You said: hello")
  })

  it("continues after a server restart when it resumes", async () => {
    const page = await askedTrip("restart")
    await stage.restart()
    await page.locator('main:not([data-chat="streaming"])').waitFor()
    await press(page, "Resume")
    await chatIs(page, "streaming")
    await press(page, "Answer")
    await shows(page, "I heard: to Rome.")
    await expectOneBubble(page, 1)
  })

  it("shows an answer from the inbox while it waits", async () => {
    const page = await askedTrip("inbox")
    const inbox = await page.context().newPage()
    await inbox.goto(`${stage.server().publicUrl}/inbox`)
    await inbox.getByLabel("where").fill("Oslo")
    await inbox.getByRole("button", { name: "Send" }).click()
    await shows(page, "I heard: to Oslo.")
    await card(page, "completed")
    await expectOneBubble(page, 1)
  })

  it("shows that a question was refused", async () => {
    const page = await askedTrip("refused")
    await press(page, "Refuse")
    await card(page, "declined")
    await page.getByText("I heard: The user was asked and said no: not today.").waitFor()
  })

  it("shows that a question has expired, and the reply continues", async () => {
    const short = await openChatStage({ questionMs: 3_000 })
    try {
      const page = await short.open("id=expired")
      await sendText(page, "plan a trip")
      await card(page, "expired")
      await page.getByText("did not answer in time").waitFor()
      await expectOneBubble(page, 1)
      await short.leave()
    } finally {
      await short.close()
    }
  })
})
