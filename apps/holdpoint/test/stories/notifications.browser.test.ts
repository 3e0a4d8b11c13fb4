// Notifications of the inbox in a real browser: requested only by a click, shown while no inbox is visible, without the
// question's text, and switched off again.

import { form, text } from "@holdpoint/hub"
import { whereFocusIs } from "@holdpoint/testkit/in-page"
import { verifies } from "@holdpoint/testkit/verifies"
import type { Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, expect, it } from "vitest"
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

/**
 * A headless browser cannot show notifications, so this script records them. The permissions are the browser's real
 * ones. `away` makes the page believe that it is not visible.
 */
const witness = `{
  const Native = Notification
  window.asked = 0
  window.made = []
  window.Notification = class extends EventTarget {
    constructor(title, options) {
      super()
      made.push({ title, ...options })
      window.last = this
    }
    close() {}
    static requestPermission() {
      asked += 1
      return Native.requestPermission()
    }
  }
  Object.defineProperty(document, "hidden", { get: () => window.away === true })
}`

async function openInbox(permission: "granted" | "denied", page?: Page): Promise<Page> {
  const tab = page ?? (await stage.arriveAs("alice"))
  const context = tab.context()
  const origin = stage.server.publicUrl
  if (permission === "granted") await context.grantPermissions(["notifications"], { origin })
  else {
    const inspector = await context.newCDPSession(tab)
    const { targetInfo } = await inspector.send("Target.getTargetInfo")
    const where = { origin, ...(targetInfo.browserContextId ? { browserContextId: targetInfo.browserContextId } : {}) }
    const browser = await stage.browser.newBrowserCDPSession()
    await browser.send("Browser.setPermission", { permission: { name: "notifications" }, setting: "denied", ...where })
    await browser.detach()
  }
  await tab.addInitScript(witness)
  // Further tabs share the stream of the first.
  const isStream = (response: { url(): string }): boolean => response.url().endsWith("/inbox/events")
  const live = page === undefined ? tab.waitForResponse(isStream) : undefined
  await tab.goto(`${origin}/inbox`)
  await live
  await tab.getByRole("button", { name: /Notify me here|Stop notifying me here/ }).waitFor()
  return tab
}

const ask = (message: string) =>
  stage.server.hub.ask({
    ...{ form: form({ name: text({ title: "Name" }) }), message, audience: stage.person("alice") },
    requester: { id: "travel", name: "Travel desk" },
  })

interface PageNotification {
  readonly title: string
  readonly body?: string
  readonly tag: string
}

const notifications = (page: Page): Promise<readonly PageNotification[]> => page.evaluate("made")
/** Longer than the half second that a tab waits for a visible tab to handle the event. */
const longerThanTabsWait = "new Promise((resolve) => setTimeout(resolve, 2_000))"
const lookAway = (page: Page) => page.evaluate("window.away = true; 0")

verifies(
  "page.notifications",
  "notifications are requested only by a click, and name the asker but not the question",
  async () => {
    const page = await openInbox("granted")
    expect(await page.evaluate("asked")).toBe(0)
    await page.getByRole("button", { name: "Notify me here" }).click()
    await page.getByText("This browser tells you of new questions").first().waitFor()
    expect(await page.evaluate("asked")).toBe(1)
    await stage.look(page, "Inbox")
    await lookAway(page)
    const { id } = await ask("Is the PIN of the door still 4711?")
    await page.getByText("Is the PIN of the door").waitFor()
    await expect.poll(async () => (await notifications(page)).length, { timeout: 10_000 }).toBe(2)
    const [, second] = await notifications(page)
    expect(second).toEqual({ title: "Travel desk asks", body: "Open your inbox to answer.", tag: `holdpoint ${id}` })
  },
)

verifies(
  "page.notifications",
  "a click on a notification leads to the question with its form unfolded, and does not answer it",
  async () => {
    const page = await openInbox("granted")
    await page.getByRole("button", { name: "Notify me here" }).click()
    await page.getByText("This browser tells you of new questions").first().waitFor()
    await ask("The first?")
    await page.getByText("The first?").waitFor()
    await lookAway(page)
    const { id } = await ask("The second?")
    await expect.poll(async () => (await notifications(page)).length, { timeout: 10_000 }).toBe(2)
    await page.evaluate("last.dispatchEvent(new Event('click'))")
    const card = page.locator(`[data-question="${id}"]`)
    await card.getByLabel("Name").waitFor()
    expect(await page.evaluate(whereFocusIs)).toMatchObject({ words: "Travel desk asks" })
    expect((await stage.server.hub.get(id))?.status).toBe("pending")
  },
)

it("a notification is shown once, and only while no tab shows the inbox", async () => {
  const page = await openInbox("granted")
  await page.getByRole("button", { name: "Notify me here" }).click()
  await page.getByText("This browser tells you of new questions").first().waitFor()
  const other = await openInbox("granted", await page.context().newPage())
  await other.getByRole("button", { name: "Stop notifying me here" }).waitFor()
  await lookAway(page)
  await ask("Seen in the other tab?")
  for (const tab of [page, other]) await tab.getByText("Seen in the other tab?").waitFor()
  await lookAway(other)
  await ask("Seen in no tab?")
  await expect.poll(async () => (await notifications(page)).length, { timeout: 10_000 }).toBe(2)
  await expect.poll(async () => (await notifications(other)).length, { timeout: 10_000 }).toBe(1)
  const tags = [...(await notifications(page)), ...(await notifications(other))].slice(1).map(({ tag }) => tag)
  expect(new Set(tags).size, "one for the person").toBe(1)
})

verifies("page.notifications", "notifications can be switched off again, and stay off after a reload", async () => {
  const page = await openInbox("granted")
  await page.getByRole("button", { name: "Notify me here" }).click()
  await page.getByText("This browser tells you of new questions").first().waitFor()
  await page.reload()
  await page.getByRole("button", { name: "Stop notifying me here" }).click()
  await page.getByText("no longer tells you of new questions").first().waitFor()
  await page.getByRole("button", { name: "Notify me here" }).waitFor()
  await page.reload()
  await page.getByRole("button", { name: "Notify me here" }).waitFor()
  await lookAway(page)
  await ask("In silence?")
  await page.getByText("In silence?").waitFor()
  await page.evaluate(longerThanTabsWait)
  expect(await notifications(page)).toEqual([])
})

verifies("page.notifications", "the page says so where the browser blocks notifications", async () => {
  const page = await openInbox("denied")
  await page.getByRole("button", { name: "Notify me here" }).click()
  await page.getByText("This browser blocks notifications from this page.").first().waitFor()
  await stage.look(page, "Inbox")
  await lookAway(page)
  await ask("Blocked?")
  await page.getByText("Blocked?").waitFor()
  await page.evaluate(longerThanTabsWait)
  expect(await notifications(page)).toEqual([])
})

it("the page says so when the browser blocks notifications later", async () => {
  const page = await openInbox("granted")
  await page.getByRole("button", { name: "Notify me here" }).click()
  await page.getByText("This browser tells you of new questions").first().waitFor()
  await lookAway(page)
  await ask("Blocked since?")
  await expect.poll(async () => (await notifications(page)).length, { timeout: 10_000 }).toBe(2)
  await page.evaluate("last.dispatchEvent(new Event('error'))")
  await page.getByText("This browser blocks notifications from this page.").first().waitFor()
})
