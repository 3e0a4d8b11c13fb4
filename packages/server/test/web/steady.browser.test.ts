// Presses that a person does not mean: too early, held from before, under the place of the last press, or on what has just
// moved. The clock of the page stands still until a test advances it.

import type { ServerResponse } from "node:http"
import { choice, form } from "@holdpoint/hub"
import { complaintsOn } from "@holdpoint/testkit/axe"
import { openBrowser } from "@holdpoint/testkit/browser"
import { passOnPage, stopTime } from "@holdpoint/testkit/page-clock"
import { items, now, samples } from "@holdpoint/testkit/server/web/samples"
import { verifies } from "@holdpoint/testkit/verifies"
import type { Locator, Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { type InboxItem, inboxPage } from "../../src/web/index.ts"
import { type Served, serve } from "./serve.ts"

let served: Served
let page: Page
let open: readonly InboxItem[]
let listeners: ServerResponse[]

const requestedSchema = form({ confirmed: choice({ yes: "Pay 9000 EUR", no: "Drop it" }) })
const payment = (id: string): InboxItem => {
  const elicitation = { ...items.approval.elicitation, id, requestedSchema }
  return { elicitation, href: `/inbox/${id}`, action: `/inbox/${id}` } as InboxItem
}

beforeAll(async () => {
  served = await serve((path) => {
    if (path === "inbox/events")
      return (response) => void listeners.push(response.writeHead(200, { "content-type": "text/event-stream" }))
    if (path !== "inbox") return samples[path]?.render()
    return inboxPage({
      signedInAs: "alice",
      csrf: "c5rf",
      now,
      items: open,
      eventsUrl: "/inbox/events",
      streamName: "a",
    })
  })
})
afterAll(() => served?.close())
beforeEach(async () => {
  open = [payment("first"), payment("second")]
  listeners = []
  const browser = await openBrowser()
  const context = await browser.newContext({ reducedMotion: "reduce" })
  context.setDefaultTimeout(10_000)
  await stopTime(context)
  page = await context.newPage()
})
afterEach(() => page.context().close())

const postsDuring = async (work: () => Promise<unknown>): Promise<number> => {
  const before = served.posts.length
  await work()
  // A press that counts has left the page before this answers.
  await page.evaluate("new Promise((done) => setTimeout(done))").catch(() => {})
  return served.posts.length - before
}
const visit = (path: string) => page.goto(`${served.origin}/${path}`)
const allow = () => page.locator("main .primary")
async function middleOf(act: Locator) {
  const { x, y, width, height } = (await act.boundingBox())!
  return { x: x + width / 2, y: y + height / 2 }
}
async function pressAt({ x, y }: { readonly x: number; readonly y: number }): Promise<void> {
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.up()
}
const isInert = (act: Locator): Promise<boolean> => act.evaluate(hasState)
const leaveAndReturn = (): Promise<void> => page.mouse.move(2, 2)
const posted = () => expect.poll(() => served.posts.at(-1)?.path)

describe("a page that has just appeared", () => {
  verifies("answer.stands-still", "takes no press for 700 ms, says why, and takes the next one", async () => {
    await visit("connect")
    await passOnPage(page, 600)
    expect(await isInert(allow())).toBe(true)
    expect(await postsDuring(async () => pressAt(await middleOf(allow())))).toBe(0)
    await page.getByRole("alert").getByText("Not counted").waitFor()
    expect(await complaintsOn(page)).toEqual([])
    await leaveAndReturn()
    await passOnPage(page, 300)
    expect(await isInert(allow())).toBe(false)
    expect(await page.getByRole("alert").count()).toBe(0)
    await pressAt(await middleOf(allow()))
    await page.waitForURL("**/connect/a0de")
  })

  it("takes no press that began before the 700 ms were over", async () => {
    await visit("connect")
    const { x, y } = await middleOf(allow())
    await page.mouse.move(x, y)
    const count = await postsDuring(async () => {
      await page.mouse.down()
      await passOnPage(page, 3_500)
      await page.mouse.up()
    })
    expect(count).toBe(0)
  })

  it("takes no key that was held since before, and keeps the focus", async () => {
    await visit("connect")
    await allow().focus()
    const count = await postsDuring(async () => {
      await page.keyboard.down("Enter")
      await passOnPage(page, 800)
      await page.keyboard.down("Enter")
      await page.keyboard.up("Enter")
    })
    expect(count).toBe(0)
    expect(await allow().evaluate(hasFocus)).toBe(true)
    await page.keyboard.press("Enter")
    await page.waitForURL("**/connect/a0de")
  })

  it("takes no click of assistive technology before, and takes one afterwards", async () => {
    await visit("connect")
    const click = "document.querySelector('main .primary').click()"
    expect(await postsDuring(() => page.evaluate(click))).toBe(0)
    await passOnPage(page, 1_000)
    await page.evaluate(click)
    await page.waitForURL("**/connect/a0de")
  })
})

describe("the place of the last press", () => {
  verifies(
    "answer.not-under-last-press",
    "takes no press on the next page, until the pointer has left it",
    async () => {
      await visit("connect")
      const point = await middleOf(allow())
      await pressAt(point)
      await visit("connect")
      await passOnPage(page, 1_000)
      expect(await isInert(allow())).toBe(true)
      expect(await postsDuring(() => pressAt(point))).toBe(0)
      await leaveAndReturn()
      await passOnPage(page, 200)
      await pressAt(point)
      await page.waitForURL("**/connect/a0de")
    },
  )

  it("is forgotten three seconds after the last press there, for fingers, which never leave", async () => {
    await visit("connect")
    const point = await middleOf(allow())
    await pressAt(point)
    await visit("connect")
    await passOnPage(page, 2_000)
    expect(await postsDuring(() => pressAt(point))).toBe(0)
    await passOnPage(page, 2_800)
    expect(await isInert(allow())).toBe(true)
    await passOnPage(page, 300)
    await pressAt(point)
    await page.waitForURL("**/connect/a0de")
  })
})

describe("a question that ends elsewhere", () => {
  const second = () => page.locator('[data-question="second"]').getByRole("button", { name: "Pay 9000 EUR" })
  const endFirst = async (): Promise<void> => {
    open = open.slice(1)
    const isOver = async (): Promise<number> => {
      for (const listener of listeners) listener.write("data: {}\n\n")
      return page.getByText("This question has ended").count()
    }
    await expect.poll(isOver).toBe(1)
  }

  verifies("answer.keeps-place", "keeps its place until the mouse has left the list", async () => {
    await visit("inbox")
    await expect.poll(() => listeners.length).toBe(1)
    await passOnPage(page, 1_000)
    const point = await middleOf(second())
    await page.mouse.move(point.x, point.y)
    await endFirst()
    await passOnPage(page, 5_000)
    expect(await middleOf(second())).toEqual(point)
    await page.mouse.move(2, 2)
    await page.getByText("This question has ended").waitFor({ state: "detached" })
    expect((await middleOf(second())).y).toBeLessThan(point.y)
    await passOnPage(page, 100)
    expect(await isInert(second())).toBe(true)
    await passOnPage(page, 800)
    await pressAt(await middleOf(second()))
    await posted().toBe("/inbox/second")
  })

  it("keeps its place on a touch screen, where an aiming finger cannot be seen", async () => {
    await visit("inbox")
    await expect.poll(() => listeners.length).toBe(1)
    const point = await middleOf(second())
    await endFirst()
    await passOnPage(page, 60_000)
    expect(await middleOf(second())).toEqual(point)
  })
})

interface InPage {
  readonly ownerDocument: { readonly activeElement: unknown }
  getAttribute(name: string): string | null
}
const hasState = (act: unknown): boolean => (act as InPage).getAttribute("aria-disabled") === "true"
const hasFocus = (act: unknown): boolean => (act as InPage).ownerDocument.activeElement === act
