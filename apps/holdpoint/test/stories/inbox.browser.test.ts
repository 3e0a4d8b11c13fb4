// The inbox in a real browser: every kind of field, by mouse and by keyboard, with and without scripts; it follows
// events, and opens pages in a window.

import { form, text } from "@holdpoint/hub"
import { whereFocusIs } from "@holdpoint/testkit/server/web/in-page"
import { everyField } from "@holdpoint/testkit/server/web/samples"
import { verifies } from "@holdpoint/testkit/verifies"
import type { BrowserContextOptions, Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { tabTo } from "./people.ts"
import { openStage, type Stage } from "./world.ts"

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())
afterEach(async () => {
  expect(await stage.leave()).toEqual([])
  expect(stage.problems).toEqual([])
  const left = await stage.server.hub.list({ tenant: "local", state: "open", limit: 100 })
  await Promise.all(left.map(({ id }) => stage.server.hub.cancel(id)))
})

async function openInbox(user: string, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await stage.arriveAs(user, options)
  await page.goto(`${stage.server.publicUrl}/inbox`)
  await page.getByRole("heading", { level: 1, name: "Inbox" }).waitFor()
  return page
}

const requester = { id: "travel", name: "Travel desk" }

const askTrip = (subject: string) =>
  stage.server.hub.ask({ form: everyField, message: "Check the trip.", audience: stage.person(subject), requester })

const askName = (subject: string, message: string) =>
  stage.server.hub.ask({
    form: form({ name: text({ title: "Name" }) }),
    message,
    audience: stage.person(subject),
    requester,
  })

/** Resolves when the page's event stream is open. */
const isLive = (page: Page) => page.waitForResponse((response) => response.url().endsWith("/inbox/events"))

const filled = {
  title: "Autumn meeting",
  notes: "one\ntwo",
  contact: "zoë@example.com",
  page: "https://example.com/programme",
  from: "2026-10-01",
  leave: "2026-10-01T05:30:00+02:00",
  budget: 99.5,
  people: 3,
  carriage: "first",
  city: "Dijon",
  meals: ["lunch", "dinner"],
  insured: false,
}

describe("a form with every type of field", () => {
  verifies("page.inbox-follows", "is answered by mouse, with times in the browser's time zone", async () => {
    const asked = await askTrip("alice")
    const page = await openInbox("alice", { timezoneId: "Europe/Paris" })
    await stage.look(page, "Inbox")
    await page.getByLabel("Name of the trip").fill(filled.title)
    await page.getByLabel("Notes").fill(filled.notes)
    await page.getByLabel("Contact").fill(filled.contact)
    await page.getByLabel("Programme").fill(filled.page)
    await page.getByLabel("First day").fill(filled.from)
    await page.getByLabel("Departure").fill("2026-10-01T05:30")
    await page.getByLabel("Budget per person").fill("99.5")
    await page.getByLabel("Travellers").fill("3")
    await page.getByLabel("First", { exact: true }).check()
    await page.getByLabel("Stop on the way").selectOption("Dijon")
    await page.getByLabel("Lunch").check()
    await page.getByLabel("Dinner").check()
    await page.getByLabel("Insure the tickets").uncheck()
    await page.getByRole("button", { name: "Send" }).click()
    await stage.look(page, "Your answer was sent")
    expect(await stage.server.hub.wait(asked)).toMatchObject({ status: "completed", content: filled })
  })

  verifies("page.keyboard", "is answered with only the keyboard", async () => {
    const asked = await askTrip("alice")
    const page = await openInbox("alice")
    await tabTo(page, "Name of the trip")
    await page.keyboard.press("Control+A")
    await page.keyboard.type("Winter meeting")
    await tabTo(page, "Notes")
    await page.keyboard.type("three")
    await page.keyboard.press("Enter")
    await page.keyboard.type("four")
    await tabTo(page, "Contact")
    await page.keyboard.type("alice@example.com")
    await tabTo(page, "Travellers")
    await page.keyboard.press("ArrowUp")
    // One tab stop for the whole group: the arrow keys choose.
    await tabTo(page, "Second")
    await page.keyboard.press("ArrowUp")
    await tabTo(page, "Stop on the way")
    await page.keyboard.type("Gre")
    await tabTo(page, "Breakfast")
    await page.keyboard.press("Space")
    await tabTo(page, "Insure the tickets")
    await page.keyboard.press("Space")
    await tabTo(page, "Send")
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { name: "Your answer was sent" }).waitFor()
    const outcome = await stage.server.hub.wait(asked)
    expect(outcome).toMatchObject({
      status: "completed",
      content: {
        title: "Winter meeting",
        notes: "three\nfour",
        contact: "alice@example.com",
        leave: "2026-04-14T06:45:00+00:00",
        people: 5,
        carriage: "first",
        city: "Grenoble",
        meals: ["breakfast"],
        insured: false,
      },
    })
  })

  it.each([true, false])("says beside each field what is wrong, and keeps what was typed: scripts %s", async (on) => {
    const asked = await askTrip("alice")
    const page = await openInbox("alice", { javaScriptEnabled: on })
    await page.getByLabel("Notes").fill("kept as it was")
    // Only the server can find this problem.
    await page.getByLabel("Contact").fill("no-address")
    await page.getByLabel("Departure").fill("2026-05-01T08:00")
    for (const meal of ["Breakfast", "Lunch", "Dinner"]) await page.getByLabel(meal).check()
    stage.pass(1_000)
    await page.getByRole("button", { name: "Send" }).click()
    await page.getByRole("alert").waitFor()
    expect(page.url()).toBe(`${stage.server.publicUrl}/inbox/${asked.id}`)
    if (on) {
      await stage.look(page, "Travel desk asks")
      expect(await page.evaluate(whereFocusIs)).toMatchObject({ role: "alert" })
    }
    expect(await page.getByRole("alert").getByRole("link").count()).toBe(2)
    const contact = page.getByLabel("Contact")
    expect(await contact.getAttribute("aria-invalid")).toBe("true")
    const described = (await contact.getAttribute("aria-describedby"))?.split(" ").at(-1)
    expect(await page.locator(`#${described}`).innerText()).toMatch(/e-?mail/i)
    expect(await contact.inputValue()).toBe("no-address")
    expect(await page.getByLabel("Notes").inputValue()).toBe("kept as it was")
    expect(await page.getByLabel("Departure").inputValue()).toBe("2026-05-01T08:00")
    await contact.fill("alice@example.com")
    await page.getByLabel("Lunch").uncheck()
    stage.pass(1_000)
    await page.getByRole("button", { name: "Send" }).click()
    await page.getByRole("heading", { name: "Your answer was sent" }).waitFor()
    expect(await stage.server.hub.wait(asked)).toMatchObject({ content: { meals: ["breakfast", "dinner"] } })
  })
})

describe("an inbox that stays open", () => {
  verifies(
    "page.inbox-follows",
    "shows a new question and removes one that was answered elsewhere, without a reload",
    async () => {
      const page = await stage.arriveAs("alice")
      const live = isLive(page)
      await page.goto(`${stage.server.publicUrl}/inbox`)
      await live
      await page.evaluate("window.isTheSame = true")
      const first = await askName("alice", "How shall the first be called?")
      await page.getByText("How shall the first be called?").waitFor()
      const second = await askName("alice", "How shall the second be called?")
      await page.getByText("How shall the second be called?").waitFor()
      await askName("bob", "Nothing for alice.")
      await page.locator(`[data-question="${second.id}"]`).getByText("Answer").click()
      const typed = page.locator(`[data-question="${second.id}"]`).getByLabel("Name")
      await typed.fill("half a na")
      const elsewhere = await openInbox("alice")
      await elsewhere.locator(`[data-question="${first.id}"]`).getByText("Answer").click()
      await elsewhere.locator(`[data-question="${first.id}"]`).getByLabel("Name").fill("One")
      await elsewhere.locator(`[data-question="${first.id}"]`).getByRole("button", { name: "Send" }).click()
      await page.getByText("How shall the first be called?").waitFor({ state: "detached" })
      expect(await page.getByRole("status").innerText()).toBe("One question is waiting for you.")
      expect(await typed.inputValue()).toBe("half a na")
      expect(await page.getByText("Nothing for alice.").count()).toBe(0)
      expect(await page.evaluate("window.isTheSame")).toBe(true)
      await stage.look(page, "Inbox")
    },
  )

  it("shows a person who is typing that the question is over", async () => {
    const asked = await askName("alice", "Too slow?")
    const page = await stage.arriveAs("alice")
    const live = isLive(page)
    await page.goto(`${stage.server.publicUrl}/inbox`)
    await live
    await page.getByLabel("Name").fill("half a na")
    await stage.server.hub.cancel(asked.id)
    await page.getByText("This question has ended").waitFor()
    expect(await page.evaluate(whereFocusIs)).toMatchObject({ words: expect.stringContaining("has ended") })
  })
})

describe("a question whose time runs out", () => {
  verifies("page.countdown", "stays in an open inbox, says that its time is over, and is not counted", async () => {
    const page = await stage.arriveAs("alice")
    const live = isLive(page)
    await page.goto(`${stage.server.publicUrl}/inbox`)
    await live
    await stage.server.hub.ask({
      ...{ form: form({ name: text({ title: "Name" }) }), message: "Quick?", audience: stage.person("alice") },
      ...{ requester, lifetimeMs: 4_000 },
    })
    await page.getByText("Quick?").waitFor()
    await page.getByText("No questions are waiting for you").waitFor()
    const card = page.getByRole("listitem").filter({ hasText: "Quick?" })
    await card.getByText("The time to answer is over.").waitFor()
    await stage.look(page, "Inbox")
    await page.reload()
    expect(await card.count()).toBe(0)
  })
})

describe("a question that asks for a connection", () => {
  it("opens in a window, which reports the result to the inbox and closes", async () => {
    const { ended } = await stage.call("alice", { account: "in-a-window" })
    stage.notes.settings.user = "in-a-window"
    const page = await openInbox("alice")
    const [popup] = await Promise.all([page.waitForEvent("popup"), page.getByRole("link", { name: "Review" }).click()])
    await page.evaluate("addEventListener('message', ({ data, origin }) => { window.told = { data, origin } })")
    await popup.getByRole("button", { name: "Continue to Example Notes" }).click()
    await popup.getByRole("heading", { name: "Connected as in-a-window" }).waitFor()
    await page.getByText("No questions are waiting for you.").waitFor()
    const message = await page.evaluate<{ readonly data: object; readonly origin: string }>("window.told")
    expect(message.origin).toBe(stage.server.publicUrl)
    expect(message.data).toMatchObject({ type: "holdpoint", status: "completed" })
    expect(Object.keys(message.data).sort()).toEqual(["id", "status", "type"])
    const closed = popup.waitForEvent("close")
    // The window may close before the click has finished.
    await popup
      .getByRole("button", { name: "Close this window" })
      .click()
      .catch(() => undefined)
    await closed
    expect((await ended).account?.id).toBe("in-a-window")
  })

  it("is declined in the window, and disappears from the inbox", async () => {
    const { ended } = await stage.call("alice", { account: "no-in-a-window" })
    const page = await openInbox("alice")
    const [popup] = await Promise.all([page.waitForEvent("popup"), page.getByRole("link", { name: "Review" }).click()])
    await popup.getByRole("button", { name: "No", exact: true }).click()
    await popup.getByRole("heading", { name: "Not connected" }).waitFor()
    await page.getByText("No questions are waiting for you.").waitFor()
    await expect(ended).rejects.toThrow()
  })

  it("opens in the same tab where windows are blocked", async () => {
    const { ended, link } = await stage.call("alice", { account: "in-place" })
    stage.notes.settings.user = "in-place"
    const page = await openInbox("alice")
    await page.evaluate("window.open = () => null")
    await page.getByRole("link", { name: "Review" }).click()
    await page.getByRole("button", { name: "Continue to Example Notes" }).click()
    await page.getByRole("heading", { name: "Connected as in-place" }).waitFor()
    expect(page.url()).toBe(link)
    expect((await ended).account?.id).toBe("in-place")
  })

  verifies(
    "page.without-scripts",
    "opens in the same tab without scripts, and is gone from the inbox afterwards",
    async () => {
      const { ended } = await stage.call("alice", { account: "without-scripts" })
      stage.notes.settings.user = "without-scripts"
      const page = await openInbox("alice", { javaScriptEnabled: false })
      await page.getByRole("link", { name: "Review" }).click()
      const yes = page.getByRole("button", { name: "Continue to Example Notes" })
      await yes.waitFor()
      stage.pass(1_000)
      await yes.click()
      await page.getByRole("heading", { name: "Connected as without-scripts" }).waitFor()
      expect((await ended).account?.id).toBe("without-scripts")
      await page.goto(`${stage.server.publicUrl}/inbox`)
      await page.getByText("No questions are waiting for you.").waitFor()
    },
  )

  it("is declined from the inbox, even without scripts", async () => {
    const { ended } = await stage.call("alice", { account: "declined" })
    const page = await openInbox("alice", { javaScriptEnabled: false })
    stage.pass(1_000)
    await page.getByRole("button", { name: "Decline" }).click()
    await page.getByRole("heading", { name: "You declined" }).waitFor()
    await expect(ended).rejects.toThrow()
  })
})
