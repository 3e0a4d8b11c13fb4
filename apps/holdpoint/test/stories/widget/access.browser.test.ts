// Accessibility of the widget: with the keyboard only, checked by axe, light and dark, on a phone, right to left, in
// German, and without a session.

import { scrollsSideways } from "@holdpoint/testkit/in-page"
import { lookAt, takePicture, triedLooks } from "@holdpoint/testkit/looks"
import type { Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { card, expectNoComplaints, openWidgetStage, press, sendText, shows, type WidgetStage } from "./world.ts"

let stage: WidgetStage
beforeAll(async () => {
  stage = await openWidgetStage()
})
beforeEach(() => {
  stage.deeds.length = 0
})
afterEach(async () => expect(await stage.leave()).toEqual([]))
afterAll(() => stage.close())

const isDone = (page: Page) => page.getByRole("button", { name: "Send", exact: true }).waitFor()

/** A conversation with every kind of card: an answered one, a declined one, and an open form. */
async function longTalk(markup: string): Promise<Page> {
  const page = await stage.open(markup)
  await sendText(page, "show my notes")
  await isDone(page)
  await sendText(page, "ask the manager")
  await press(page, "Delete note")
  await isDone(page)
  await sendText(page, "pay the hotel")
  await press(page, "Not now")
  await isDone(page)
  await sendText(page, "every field")
  await card(page, "open").waitFor()
  return page
}

describe("a conversation", () => {
  it("has no complaints from axe and does not scroll sideways, in every look", async () => {
    const page = await longTalk('<holdpoint-chat suggestions="a|b"></holdpoint-chat>')
    for (const look of triedLooks) {
      await lookAt(page, look)
      await expectNoComplaints(page)
      expect(await page.evaluate(scrollsSideways)).toBe(false)
      await takePicture(page, { name: "widget-chat", look, below: 200_000 })
    }
    await press(page, "Stop")
    await expectNoComplaints(page)
    await press(page, "Stop the reply")
    await isDone(page)
    await expectNoComplaints(page)
  })

  it("is mirrored where the page is written from right to left", async () => {
    const page = await longTalk('<div dir="rtl"><holdpoint-chat></holdpoint-chat></div>')
    const [mine, list] = await Promise.all(
      ["article.mine", ".messages"].map((one) => page.locator(one).first().boundingBox()),
    )
    expect(mine?.x).toBeLessThan((list?.x ?? 0) + 2)
    const border = await page.locator("section.card").first().evaluate(borders)
    expect(border).toEqual(["4px", "1px"])
    await expectNoComplaints(page)
  })

  it("is in the language of the page, and uses the page's own texts where it sets some", async () => {
    const page = await stage.open('<div lang="de"><holdpoint-chat></holdpoint-chat></div>')
    await page.evaluate(`document.querySelector("holdpoint-chat").texts = { connect: "x", send: "Ab damit" }`)
    await page.getByLabel("Nachricht").fill("plan a trip")
    await press(page, "Ab damit")
    await page.getByRole("button", { name: "Antwort senden" }).waitFor()
    await page.getByText("Läuft in 9 Minuten ab").waitFor()
    await expectNoComplaints(page)
  })

  it("works with only the keyboard: a message, a question, its reason, a No", async () => {
    const page = await stage.open()
    await page.getByLabel("Message").waitFor()
    await page.keyboard.press("Tab")
    await page.keyboard.press("Tab")
    await page.keyboard.type("delete the note")
    await page.keyboard.press("Enter")
    await card(page, "open").waitFor()
    await expect.poll(() => page.evaluate(focusedWords)).toContain("wants to run")
    const seen: string[] = []
    for (let presses = 0; presses < 6 && !seen.includes("Do not delete"); presses++) {
      await page.keyboard.press("Tab")
      seen.push((await page.evaluate(focusedWords)) as string)
      if (seen.at(-1)?.startsWith("Why not?")) await page.keyboard.type("not today")
    }
    await page.keyboard.press("Space")
    await page
      .getByText(/They said: not today/)
      .first()
      .waitFor()
    // The focused button was removed, so the heading of the card has the focus.
    expect(await page.evaluate(focusedWords)).toContain("wants to run")
  })

  it("has no animations for people who want reduced motion", async () => {
    const page = await stage.open()
    await page.emulateMedia({ reducedMotion: "reduce" })
    await sendText(page, "quick")
    await card(page, "open").waitFor()
    expect(await page.evaluate("document.getAnimations().length")).toBe(0)
  })
})

describe("a person who is not signed in", () => {
  const markup = '<holdpoint-chat sign-in="/signin?to=account" signed-out></holdpoint-chat>'

  it("signs in in a window that opens with the message, which is sent automatically afterwards", async () => {
    const page = await stage.openSignedOut(markup)
    await page.evaluate(`addEventListener("holdpoint-signed-in", () => { document.title = "in" })`)
    await page.getByLabel("Message").fill("hello")
    const opening = page.waitForEvent("popup")
    await page.keyboard.press("Enter")
    const popup = await opening
    await page.getByText("Sign in using the window that opened.").waitFor()
    await popup.getByRole("button", { name: "Continue as alice" }).click()
    await shows(page, "You said: hello")
    expect(await page.title()).toBe("in")
    await expect.poll(() => popup.isClosed()).toBe(true)
    await stage.leave()
  })

  it("is asked to sign in even where the page does not know it, and the message is kept", async () => {
    const page = await stage.openSignedOut(markup.replace(" signed-out", ""))
    await sendText(page, "hello")
    await page.getByRole("heading", { name: "Sign in to continue" }).waitFor()
    const opening = page.waitForEvent("popup")
    await press(page, "Sign in")
    await (await opening).getByRole("button", { name: "Continue as alice" }).click()
    await shows(page, "You said: hello")
    expect(await page.locator("article.mine").count()).toBe(1)
    await stage.leave()
  })
})

describe("a question element on its own", () => {
  const markup = "<holdpoint-question></holdpoint-question>"
  const question = {
    ...{ type: "elicitation-request", elicitationId: "q", mode: "form", message: "Ship it?", status: "pending" },
    context: { trigger: "tool_input_required" },
    requestedSchema: {
      type: "object",
      properties: {
        confirmed: {
          type: "string",
          oneOf: [
            { const: "yes", title: "Ship it" },
            { const: "no", title: "Wait" },
          ],
        },
      },
      required: ["confirmed"],
    },
  }
  const set = (page: Page, event: object) =>
    page.evaluate(`document.querySelector("holdpoint-question").question = ${JSON.stringify(event)}`)

  it.each(["javascript:document.title='run'", "data:text/html,x", "http://elsewhere.example/", "file:///etc/passwd"])(
    "never opens %s, which the page has set as its address",
    async (url) => {
      const page = await stage.open(markup)
      const { requestedSchema: _, ...rest } = question
      const expiresAt = new Date(Date.now() + 600_000).toISOString()
      await page.evaluate(
        `window.told = []; document.querySelector("holdpoint-question").answer = async ({ action }) => told.push(action)`,
      )
      await page.evaluate("window.opened = 0; window.open = () => (opened++, null)")
      await set(page, { ...rest, mode: "url", url, expiresAt })
      await page.getByText("Its address cannot be opened").waitFor()
      for (const button of await page.locator("section.card").getByRole("button").all()) await button.click()
      await expect.poll(() => page.evaluate("told")).toEqual(["decline"])
      expect(await page.evaluate("opened")).toBe(0)
      expect(await page.locator("section.card a").count()).toBe(0)
    },
  )

  it("shows the words of its asker as text, without links", async () => {
    const page = await stage.open(markup)
    const expiresAt = new Date(Date.now() + 600_000).toISOString()
    const message = "[Sign in again](https://evil.example/) **now**?\nSee https://evil.example/"
    const { requestedSchema } = question
    const why = { type: "string", title: "[Why](https://evil.example/)", description: "https://evil.example/" }
    const properties = { ...requestedSchema.properties, why }
    await set(page, { ...question, message, expiresAt, requestedSchema: { ...requestedSchema, properties } })
    await page.getByText("[Sign in again](https://evil.example/) **now**?").first().waitFor()
    await page.getByText("[Why](https://evil.example/)").first().waitFor()
    expect(await page.locator("section.card a").count()).toBe(0)
  })

  it("is answered by the page's own function, and shows the answer", async () => {
    const page = await stage.open(markup)
    await page.evaluate(
      `window.told = []; document.querySelector("holdpoint-question").answer = async (answer) => told.push(answer)`,
    )
    await set(page, { ...question, expiresAt: new Date(Date.now() + 600_000).toISOString() })
    await expectNoComplaints(page)
    await press(page, "Ship it")
    await expect
      .poll(() => page.evaluate("told"))
      .toEqual([{ elicitationId: "q", action: "accept", content: { confirmed: "yes" } }])
    await set(page, {
      ...question,
      type: "elicitation-resolved",
      status: "completed",
      expiresAt: new Date().toISOString(),
    })
    await page.getByText("Your answer: Ship it").first().waitFor()
  })

  it("is not answered by Enter in a text field beside its two buttons", async () => {
    const page = await stage.open(markup)
    await page.evaluate(
      `window.told = []; document.querySelector("holdpoint-question").answer = async ({ action }) => told.push(action)`,
    )
    const { requestedSchema } = question
    const properties = { ...requestedSchema.properties, mail: { type: "string", format: "email", title: "Mail" } }
    const expiresAt = new Date(Date.now() + 600_000).toISOString()
    await set(page, { ...question, expiresAt, requestedSchema: { ...requestedSchema, properties } })
    await page.getByLabel("Mail").fill("anna@example.com")
    await page.keyboard.press("Enter")
    await press(page, "Wait")
    await expect.poll(() => page.evaluate("told")).toEqual(["decline"])
  })

  it("stays open when the page refuses the answer, with the page's message", async () => {
    const page = await stage.open(markup)
    await page.evaluate(
      `document.querySelector("holdpoint-question").answer = async () => { throw new Error("Not now.") }`,
    )
    await set(page, { ...question, expiresAt: new Date(Date.now() + 600_000).toISOString() })
    await press(page, "Wait")
    await page.getByText("Your answer was not sent. Not now.").waitFor()
    await card(page, "open").waitFor()
  })
})

// Globals of the code that runs in the page.
const borders = (one: unknown): readonly string[] => {
  const { borderRightWidth, borderLeftWidth } = (
    globalThis as unknown as { getComputedStyle(of: unknown): Record<string, string> }
  ).getComputedStyle(one)
  return [borderRightWidth ?? "", borderLeftWidth ?? ""]
}
const focusedWords = `(() => {
  const at = document.querySelector("holdpoint-chat").shadowRoot.activeElement
  return at === null ? "" : (at.labels?.[0]?.innerText ?? at.innerText)
})()`
