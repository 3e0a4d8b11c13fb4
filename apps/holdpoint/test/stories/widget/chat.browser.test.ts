// `<holdpoint-chat>` in a real browser, against the run API of a real server: messages, replies, reloads, errors, the
// end.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { card, log, openWidgetStage, press, sendText, shows, type WidgetStage, write } from "./world.ts"

let stage: WidgetStage
beforeAll(async () => {
  stage = await openWidgetStage()
})
beforeEach(() => {
  stage.deeds.length = 0
})
afterEach(async () => expect(await stage.leave()).toEqual([]))
afterAll(() => stage.close())

describe("a message", () => {
  it("is sent with Enter, and Shift+Enter adds a line", async () => {
    const page = await stage.open()
    const input = page.getByLabel("Message")
    await input.fill("one")
    await page.keyboard.press("Shift+Enter")
    await page.keyboard.type("two")
    expect(await input.inputValue()).toBe("one\ntwo")
    await page.keyboard.press("Enter")
    await page.getByText("You said: one").first().waitFor()
    expect(await page.locator("article.mine").innerText()).toBe("one\ntwo")
    expect(await input.inputValue()).toBe("")
  })

  it("can be one of the suggestions, which are shown when no reply is in progress", async () => {
    const page = await stage.open('<holdpoint-chat suggestions="Plan a trip | Say hello"></holdpoint-chat>')
    await press(page, "Plan a trip")
    await card(page, "open").waitFor()
    expect(await page.getByRole("button", { name: "Say hello" }).count()).toBe(0)
    await page.getByLabel("City").fill("Rome")
    await press(page, "Send answer")
    await press(page, "Say hello")
    await shows(page, "You said: Say hello")
  })

  it("is not sent while a reply is in progress, and the page says why", async () => {
    const page = await stage.open()
    await sendText(page, "plan a trip")
    await page.getByText("The reply waits for your answer.").waitFor()
    await write(page, "and a second message")
    expect(await page.getByLabel("Message").inputValue()).toBe("and a second message")
    expect(await page.locator("article.mine").count()).toBe(1)
  })

  it("that cannot be sent is kept, with a button to try again", async () => {
    const page = await stage.open()
    await page.getByLabel("Message").waitFor()
    await page.route("**/run/api/chat", (route) => route.abort())
    await sendText(page, "hello there")
    await page.getByText("Your message was not sent.").waitFor()
    await page.unroute("**/run/api/chat")
    await press(page, "Try again")
    await shows(page, "You said: hello there")
    expect(await page.locator("article.mine").count()).toBe(1)
    // The browser's own message about the failed request.
    expect(await stage.leave()).toEqual(["Failed to load resource: net::ERR_FAILED"])
  })
})

describe("a reply", () => {
  it("has paragraphs, lists, code and links, and none of its text becomes markup", async () => {
    const page = await stage.open()
    await sendText(page, "show my notes")
    await page.getByRole("button", { name: "Send" }).waitFor()
    const reply = page.locator("article.reply")
    expect(await reply.locator("ol > li").allInnerTexts()).toEqual([
      "Groceries: milk, bread",
      "Trip to Lyon, see https://example.com/trip.",
      "<b>Not bold</b>",
    ])
    expect(await reply.locator("strong").innerText()).toBe("three notes")
    expect(await reply.locator("pre code").innerText()).toBe("const answer = 42 < 43")
    expect(await reply.locator("a").getAttribute("href")).toBe("https://example.com/trip")
    expect(await reply.locator("b").count()).toBe(0)
  })

  it("shows each tool call as one line, even one that fails", async () => {
    const page = await stage.open()
    await sendText(page, "break it")
    await shows(page, "break: failed")
    await sendText(page, "hello")
    await shows(page, "You said: hello")
  })

  it("that fails says so, and the same message can be sent again", async () => {
    const page = await stage.open()
    await sendText(page, "crash")
    await page.getByText("This reply failed.").waitFor()
    await press(page, "Try again")
    await expect.poll(() => page.locator("article.mine").count()).toBe(2)
  })

  it("that could not be stopped says so each time, and can be stopped later", async () => {
    const page = await stage.open()
    await sendText(page, "plan a trip")
    await card(page, "open").waitFor()
    await page.route("**/stop", (route) => route.abort())
    await press(page, "Stop")
    await press(page, "Stop the reply")
    const note = page.getByRole("alert").filter({ hasText: "Try again" })
    await note.waitFor()
    const secondRequest = page.waitForEvent("requestfailed")
    await press(page, "Try again")
    await secondRequest
    await note.waitFor()
    await page.unroute("**/stop")
    await press(page, "Try again")
    await card(page, "cancelled").waitFor()
    // The browser's own messages about the failed requests, and no error of the script.
    expect(new Set(await stage.leave())).toEqual(new Set(["Failed to load resource: net::ERR_FAILED"]))
  })

  it("says what happens to its open question before it is stopped, and what happened afterwards", async () => {
    const page = await stage.open()
    await sendText(page, "plan a trip")
    await card(page, "open").waitFor()
    await press(page, "Stop")
    await page.getByText("Its open question will be withdrawn").waitFor()
    await press(page, "Keep waiting")
    await card(page, "open").waitFor()
    await press(page, "Stop")
    await press(page, "Stop the reply")
    await card(page, "cancelled").waitFor()
    await page.getByText("Its open question was withdrawn").waitFor()
    const { hub } = stage.server()
    await expect.poll(async () => (await hub.list({ tenant: "demo", state: "open", limit: 1 })).length).toBe(0)
    await page.reload()
    await card(page, "cancelled").waitFor()
    await page.getByText("You stopped this reply.").waitFor()
  })
})

describe("a conversation", () => {
  it("is restored after a reload in the middle of a question, with the person's message, and continues", async () => {
    const page = await stage.open()
    await sendText(page, "delete the note")
    await card(page, "open").waitFor()
    await page.reload()
    await card(page, "open").waitFor()
    await shows(page, "delete the note")
    await press(page, "Delete note")
    await shows(page, "I heard: note 7 is gone.")
    expect(stage.deeds).toEqual(["deleted 7"])
    expect(await page.locator("article.reply").count()).toBe(1)
    await page.reload()
    await shows(page, "I heard: note 7 is gone.")
    expect(await page.locator("section.card").getAttribute("data-state")).toBe("completed")
    expect(await page.locator("article.mine").count()).toBe(1)
  })

  it("continues when the server was restarted while a question was open", async () => {
    const page = await stage.open()
    await sendText(page, "plan a trip")
    await card(page, "open").waitFor()
    await stage.restart()
    await page.getByLabel("City").fill("Oslo")
    await press(page, "Send answer")
    await shows(page, "I heard: to Oslo.")
    expect(await log(page).getByText("One moment.").count()).toBe(1)
  })

  it("says that the connection is lost, and reconnects", async () => {
    const page = await stage.open()
    await sendText(page, "plan a trip")
    await card(page, "open").waitFor()
    await page.route("**/run/api/**", (route) => route.abort())
    await stage.restart()
    await page.getByText("Connection lost. Trying again").waitFor()
    await page.unroute("**/run/api/**")
    await expect.poll(() => page.getByText("Connection lost. Trying again").count()).toBe(0)
    await page.getByLabel("City").fill("Bern")
    await press(page, "Send answer")
    await shows(page, "I heard: to Bern.")
    await stage.leave()
  })

  it("is the one that the attribute names, and another name selects another conversation", async () => {
    const page = await stage.open('<holdpoint-chat conversation="first"></holdpoint-chat>')
    await sendText(page, "hello")
    await shows(page, "You said: hello")
    await page.evaluate(`document.querySelector("holdpoint-chat").setAttribute("conversation", "second")`)
    await expect.poll(() => page.locator("article.mine").count()).toBe(0)
    await page.evaluate(`document.querySelector("holdpoint-chat").setAttribute("conversation", "first")`)
    await shows(page, "You said: hello")
  })

  it("sends the page events for questions, answers and ends", async () => {
    const page = await stage.open()
    await page.evaluate(`window.told = []; for (const name of ["question", "answer", "end"])
      addEventListener("holdpoint-" + name, ({ type, detail }) => told.push([type, detail.question?.message ?? detail.action ?? detail.status]))`)
    await sendText(page, "quick")
    await press(page, "Leave it")
    await expect
      .poll(() => page.evaluate("told"))
      .toEqual([
        ["holdpoint-question", "Shall I go on?"],
        ["holdpoint-answer", "decline"],
        ["holdpoint-end", "done"],
      ])
  })
})
