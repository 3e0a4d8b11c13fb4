// The story of `npm start` in a real browser: from the page to the notes in five clicks, and the next requests.

import { openBrowser } from "@holdpoint/testkit/browser"
import { scrollsSideways } from "@holdpoint/testkit/in-page"
import { lookAt, picturedIn, takePicture, triedLooks } from "@holdpoint/testkit/looks"
import { verifies } from "@holdpoint/testkit/verifies"
import type { Browser, Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { requests } from "../../src/demo/script.ts"
import { openPanel, type Panel } from "../stories/panel-world.ts"
import { withWitness } from "../stories/people.ts"
import { booking, connectAccount, signInFor, visitChat, visitChatAs } from "./chat-world.ts"

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

const screens = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 860 } }

/** The steps in the timeline, in this order. */
const wholeRun = /nc_notes_list_notes[\s\S]*connect Nextcloud[\s\S]*nc_notes_list_notes/

/** Checks the page in each colour scheme and screen size, and takes pictures. */
async function see(page: Page, name: string): Promise<void> {
  for (const at of triedLooks) {
    await lookAt(page, at, screens)
    await panel.look(page, "Any program can stop and ask you")
    expect(await page.evaluate(scrollsSideways), name).toBe(false)
    if (picturedIn(name).includes(at)) await takePicture(page, { name, look: at, below: 90_000, fullPage: false })
  }
  await lookAt(page, { scheme: "light", size: "desktop" }, screens)
}

describe("the demo in a browser", () => {
  verifies("page.five-presses", "brings a newcomer to the notes in five clicks, in the same reply", async () => {
    const visitor = await visitChat(panel)
    const { page, chat, pressed, card, says } = visitor
    await withWitness(page.context(), async () => {
      await see(page, "chat-start")
      await signInFor(visitor, requests.notes)
      await page.getByText("Signed in as alice").waitFor()
      const asked = card("to read your notes")
      await asked.getByRole("button", { name: "Connect" }).waitFor()
      expect(await chat.getByText(requests.notes, { exact: true }).count()).toBe(1)
      await see(page, "chat-asks")
      await connectAccount(visitor)
      await card("Connected as Alice Example").waitFor()
      await says("Zwetschgenkuchen")
      const next = chat.getByRole("button", { name: requests.deletion })
      await next.waitFor()
      // The suggestions for the next request are visible above the message field.
      const writing = await chat.getByRole("textbox").boundingBox()
      await expect.poll(async () => (await next.boundingBox())?.y).toBeLessThan(writing?.y ?? 0)
      expect(pressed).toEqual([
        requests.notes,
        "Continue as alice",
        "Connect",
        "Continue to Nextcloud (stand-in)",
        "Grant access as alice",
      ])
      const reply = chat.getByRole("article", { name: "Assistant" })
      expect(await reply.count()).toBe(1)
      expect(await reply.innerText()).toMatch(
        /I will look in your Nextcloud\.[\s\S]*Connected as[\s\S]*You have 10 notes/,
      )
      const steps = page.locator("holdpoint-timeline").getByRole("listitem")
      await expect.poll(async () => (await steps.allInnerTexts()).join(" ")).toMatch(wholeRun)
      await see(page, "chat-notes")
    })
  })

  it("deletes a note only after an answer on the card that names it", async () => {
    const visitor = await visitChatAs(panel, "alice")
    const { page, card, press, says } = visitor
    await withWitness(page.context(), async () => {
      await press(requests.deletion)
      const ours = await visitor.opens("Connect")
      await ours.getByRole("button", { name: "Allow", exact: true }).click()
      const question = card("Delete the note “Wi-Fi at the cottage”?")
      await question.getByRole("button").first().waitFor()
      await see(page, "chat-deletes")
      await page.keyboard.press("Enter")
      expect(await question.getByRole("button").count()).toBe(2)
      await question.getByRole("button").filter({ hasText: "Delete" }).click()
      await says("Deleted: Wi-Fi at the cottage.")
    })
  })

  it("shows a form for a trip, and the question of a second agent", async () => {
    const { page, card, press, says } = await visitChatAs(panel, "bob")
    await withWitness(page.context(), async () => {
      await press(requests.trip)
      const form = card("A few questions about your trip")
      await form.getByLabel("Where to?").fill("Lisbon")
      await form.getByLabel("First day").fill("2027-04-02")
      await form.getByLabel("Treat us").check()
      await form.getByLabel("Food").check()
      await see(page, "chat-form")
      await form.getByRole("button", { name: "Send" }).click()
      await says("Lisbon, 3 days from 2027-04-02: you go by train, stay in a grand hotel")
      await press(requests.desk)
      const approval = card("book_train")
      await approval.getByText("Travel-desk").first().waitFor()
      await see(page, "chat-agent")
      await approval.getByRole("button", { name: booking.yes }).click()
      await says("The travel desk says: Booked: 2 seats from Berlin to Vienna.")
    })
  })
})
