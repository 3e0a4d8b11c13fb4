// The clock by which pages, widget and panel judge presses (forms/steady.mjs), as tests set it before a page loads.

import type { BrowserContext, Locator, Page } from "playwright-core"

/** Runs fifty times as fast, so that stories wait 14 ms where a person waits 700 ms. Every context of the tests has it. */
const fastClock = `{
  // Those of the browser, also where a test replaces them later.
  const [later, now, startedAt] = [setTimeout, performance.now.bind(performance), performance.timeOrigin]
  globalThis.holdpointClock ??= {
    now: () => (startedAt + now()) * 50,
    after: (ms, run) => later(run, ms / 50),
  }
}`

/**
 * Marks the acts of a page from their first moment until its script guards them, so that Playwright, which waits for what
 * is disabled, does not press between the two.
 */
const waitForGuard = `{
  const acts = "form[data-once] button[type=submit]:not([hidden]), form[data-once] .buttons a"
  const observer = new MutationObserver(() => {
    for (const act of document.querySelectorAll(acts)) {
      if (act.dataset.seen === undefined) act.setAttribute("aria-disabled", "true")
      act.dataset.seen = ""
    }
  })
  observer.observe(document, { childList: true, subtree: true })
  addEventListener("load", () => {
    observer.disconnect()
    for (const act of document.querySelectorAll(acts)) delete act.dataset.seen
  })
}`

/** Stands still until the test advances it. */
const steppedClock = `globalThis.holdpointClock = {
  time: 1_000_000,
  due: [],
  now() { return this.time },
  after(ms, run) { this.due.push({ at: this.time + ms, run }) },
  advance(ms) {
    const end = this.time + ms
    for (;;) {
      const next = this.due.filter(({ at }) => at <= end).sort((one, other) => one.at - other.at)[0]
      if (next === undefined) break
      this.due.splice(this.due.indexOf(next), 1)
      this.time = Math.max(this.time, next.at)
      next.run()
    }
    this.time = end
  },
}`

export const letTimeRunFast = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(`${fastClock}\n${waitForGuard}`)

/** Gives every later page of the context a clock that only `passOnPage` advances. */
export const stopTime = (context: BrowserContext): Promise<unknown> => context.addInitScript(steppedClock)

export const passOnPage = (page: Page, ms: number): Promise<void> => page.evaluate(`holdpointClock.advance(${ms})`)

/** The pages that have scripts. In others nothing can be waited for. */
const guardedPages = new WeakSet<Page>()

/** Lets what the focus has scrolled into view stand still long enough, before a key is pressed. */
export const letStand = async (page: Page): Promise<void> => {
  if (!guardedPages.has(page)) return
  // The page notices in its next frames that something moved, which takes longer than its clock on a busy machine.
  await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
  await page.evaluate(
    "new Promise((done) => (globalThis.holdpointClock ?? { after: (_, run) => run() }).after(1_000, done))",
  )
  await page.waitForFunction("document.activeElement?.getAttribute('aria-disabled') !== 'true'")
}

/**
 * Lets every click of Playwright wait until a press counts. Without this it would wait too, but it scrolls before it
 * tries again, and what was just scrolled takes no press.
 */
export function waitBeforeClicks(page: Page): void {
  guardedPages.add(page)
  const prototype: Pick<Locator, "click" | "evaluate"> = Object.getPrototypeOf(page.locator("body"))
  const { click } = prototype
  if (Object.hasOwn(click, "waits")) return
  const clickWhenStill: Locator["click"] = async function (this: Locator, options) {
    if (!guardedPages.has(this.page())) return click.call(this, options)
    // What is wrong with the element is the click's to say.
    await this.evaluate(
      untilStill,
      undefined,
      options?.timeout === undefined ? {} : { timeout: options.timeout },
    ).catch(() => {})
    return click.call(this, options)
  }
  prototype.click = Object.assign(clickWhenStill, { waits: true })
}

/** The part of an element that waiting needs. */
interface PageElement {
  closest(selector: string): unknown
  scrollIntoViewIfNeeded(): void
  getAttribute(name: string): string | null
}

/** Runs in the page. */
async function untilStill(element: unknown): Promise<void> {
  interface Clock {
    after(ms: number, run: () => void): void
    advance?(ms: number): void
  }
  const clock = (globalThis as { holdpointClock?: Clock }).holdpointClock
  const act = element as PageElement
  if (clock === undefined || clock.advance !== undefined || act.closest(".buttons, form[data-once]") === null) return
  act.scrollIntoViewIfNeeded()
  const pass = () => new Promise<void>((done) => clock.after(200, done))
  await pass()
  for (let tries = 0; tries < 100 && act.getAttribute("aria-disabled") === "true"; tries++) await pass()
}
