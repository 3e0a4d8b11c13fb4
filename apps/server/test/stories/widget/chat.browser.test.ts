// `<holdpoint-chat>` in a real browser, against the run API of a real server.

import type { Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { storyAgents } from "./agents.ts"
import { openWidgetStage, type WidgetStage } from "./world.ts"

const deeds: string[] = []
let stage: WidgetStage
beforeAll(async () => {
  stage = await openWidgetStage(storyAgents(deeds))
})
beforeEach(() => {
  deeds.length = 0
})
afterEach(async () => expect(await stage.leave()).toEqual([]))
afterAll(() => stage.close())

const shows = (page: Page, words: string) => page.getByRole("log").getByText(words, { exact: true }).waitFor()
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click()

async function say(page: Page, words: string): Promise<void> {
  await page.getByLabel("Message").fill(words)
  await page.keyboard.press("Enter")
}

describe("the chat", () => {
  it("sends a message and shows the reply", async () => {
    const page = await stage.open("<holdpoint-chat></holdpoint-chat>")
    await say(page, "hello")
    await shows(page, "hello")
    await shows(page, "You said: hello")
  })

  it("asks before a call with two buttons that name the acts, and goes on in the same reply", async () => {
    const page = await stage.open("<holdpoint-chat></holdpoint-chat>")
    await say(page, "delete the note")
    await press(page, "Run delete_note")
    await shows(page, "I heard: note 7 is gone.")
    await shows(page, "You chose: Run delete_note")
    await shows(page, "delete_note: done")
    expect(deeds).toEqual(["deleted 7"])
    expect(await page.locator("article.reply").count()).toBe(1)
  })
})
