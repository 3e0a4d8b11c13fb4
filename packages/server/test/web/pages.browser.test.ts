// The pages in a real browser: axe finds nothing, a keyboard reaches everything, small screens hold them, and they work
// without scripts. Leaves pictures behind.

import { readContent, validate } from "@holdpoint/hub/forms"
import { complaintsOn } from "@holdpoint/testkit/axe"
import { openBrowser } from "@holdpoint/testkit/browser"
import { focusOnEach, loseFocus, openEverything, scrollsSideways, whereFocusIs } from "@holdpoint/testkit/in-page"
import { lookAt, looks, picturedIn, takePicture, toPicture, triedLooks } from "@holdpoint/testkit/looks"
import { everyField, samples } from "@holdpoint/testkit/server/web/samples"
import { verifies } from "@holdpoint/testkit/verifies"
import type { Browser, BrowserContextOptions, ConsoleMessage, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Respond, type Served, serve } from "./serve.ts"

let browser: Browser
let served: Served

beforeAll(async () => {
  browser = await openBrowser()
  served = await serve((path) => (path.endsWith("/status") ? stillWaiting : samples[path]?.render()))
})

afterAll(async () => {
  await served?.close()
})

/** Keeps the waiting pages from moving on while they are looked at. */
const stillWaiting: Respond = (response) =>
  response.setHeader("content-type", "application/json").end(JSON.stringify({ status: "waiting" }))

/** Two pages leave by themselves. */
const names = Object.keys(samples).filter((name) => name !== "depart" && name !== "visit-leaving")
const schemes = ["light", "dark"] as const

async function newPage(options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({ locale: "en-GB", timezoneId: "UTC", ...options })
  context.setDefaultTimeout(10_000)
  return context.newPage()
}

async function withPage<T>(options: BrowserContextOptions, work: (page: Page) => Promise<T>): Promise<T> {
  const page = await newPage(options)
  try {
    return await work(page)
  } finally {
    await page.context().close()
  }
}

/** One for all tests around it: they only look, and a new one takes longer than a look. */
function onePage(options: BrowserContextOptions = {}): () => Page {
  let page: Page
  beforeAll(async () => {
    page = await newPage(options)
  })
  afterAll(() => page.context().close())
  return () => page
}

const visit = (page: Page, name: string) => page.goto(`${served.origin}/${name}`)

describe("every page", () => {
  const page = onePage({ reducedMotion: "reduce" })
  const seen = new Map<string, Promise<Observed>>()

  const lookNow = (name: string): Promise<Observed> => {
    const look = lookAtPage(page(), name)
    seen.set(name, look)
    return look
  }

  /** What is wrong with any page, with the page's name. */
  const wrongWith = async (find: (seen: Observed) => readonly string[]): Promise<readonly string[]> => {
    const wrong: string[] = []
    for (const name of names)
      wrong.push(...find(await (seen.get(name) ?? lookNow(name))).map((what) => `${name}: ${what}`))
    return wrong
  }

  it.each(names)(
    "has nothing that axe complains about, in light and dark, on a phone and a desktop: %s",
    async (name) => {
      // For the tests below too: loading a page takes longer than looking at it.
      await lookNow(name)
      await page().evaluate(loseFocus)
      for (const look of triedLooks) {
        await lookAt(page(), look)
        expect(await complaintsOn(page()), `${look.scheme}, ${look.size}`).toEqual([])
      }
    },
  )

  it("makes axe complain if it has a fault", async () => {
    await withPage({}, async (page) => {
      await visit(page, "connect")
      await page.evaluate('document.querySelector("main").innerHTML = "<input><p style=color:#eee>pale</p>"')
      const complaints = (await complaintsOn(page)).join("\n")
      expect(complaints).toContain("label")
      expect(complaints).toContain("page-has-heading-one")
    })
  })

  // A page that was found clean is looked at again in another look: each of these faults shows in half of them.
  const faults = [
    ["color-contrast", "dark", "(prefers-color-scheme: dark) { .brand { color: #222 !important; background: #111 } }"],
    [
      "color-contrast",
      "light",
      "(prefers-color-scheme: light) { .brand { color: #eee !important; background: #fff } }",
    ],
    [
      "target-size",
      "phone",
      "(max-width: 500px) { [aria-label] { all: unset; width: 9px; height: 9px; float: left } }",
    ],
    ["button-name", "desktop", "(min-width: 500px) { button span { display: none } }"],
  ] as const
  it.each(faults)("makes axe complain about %s that is broken in one look only: %s", async (rule, where, css) => {
    await withPage({}, async (page) => {
      await visit(page, "connect")
      const small = '<button aria-label="Go"></button>'
      const html = `<h1 data-fault="${where}">One</h1>${small}${small}<button><span>Go</span></button>`
      await page.evaluate(`document.querySelector("main").innerHTML = ${JSON.stringify(html)}`)
      await page.evaluate(`(async () => {
        document.adoptedStyleSheets = [await new CSSStyleSheet().replace(${JSON.stringify(`@media ${css}`)})]
      })()`)
      for (const look of looks) {
        await lookAt(page, look)
        const complaints = (await complaintsOn(page)).filter((complaint) => complaint.startsWith(rule))
        expect(complaints.length > 0, `${look.scheme}, ${look.size}`).toBe(
          [look.scheme, look.size].some((one) => one === where),
        )
      }
    })
  })

  it("fits a screen of 320 px without scrolling sideways", async () => {
    expect(await wrongWith(({ isWide }) => (isWide ? ["scrolls"] : []))).toEqual([])
  })

  it("breaks its Content Security Policy nowhere, and has no script error", async () => {
    expect(await wrongWith(({ broken }) => broken)).toEqual([])
  })

  it.each(schemes)("shows the focus on every element that Tab reaches: %s", async (scheme) => {
    expect(await wrongWith(({ unseen }) => unseen[scheme])).toEqual([])
  })
})

interface Observed {
  /** Whether it scrolls sideways on a small screen. */
  readonly isWide: boolean
  readonly broken: readonly string[]
  /** Where Tab stops and the focus cannot be seen. */
  readonly unseen: Readonly<Record<(typeof schemes)[number], readonly string[]>>
}

/** Opens it, goes through it by keyboard in both schemes, and leaves everything in it open. */
async function lookAtPage(page: Page, name: string): Promise<Observed> {
  const broken: string[] = []
  const onConsole = (message: ConsoleMessage): void => {
    if (message.text().includes("Content Security Policy")) broken.push(message.text())
  }
  const onError = (error: Error): void => void broken.push(error.message)
  page.on("console", onConsole).on("pageerror", onError)
  await lookAt(page, { scheme: "light", size: "desktop" })
  await visit(page, name)
  const stops = await walk(page)
  await lookAt(page, { scheme: "dark", size: "desktop" })
  const again = await page.evaluate<readonly Stop[]>(focusOnEach)
  const isSeen = (words: string): boolean => again.some((stop) => stop.words === words && stop.seen)
  const unseen = {
    light: stops.filter(({ seen }) => !seen).map(({ words }) => words),
    dark: [...stops.filter(({ words }) => !isSeen(words)), ...again.filter(({ seen }) => !seen)].map(
      ({ words }) => words,
    ),
  }
  await page.evaluate(openEverything)
  await page.setViewportSize({ width: 320, height: 640 })
  const isWide = await page.evaluate<boolean>(scrollsSideways)
  page.off("console", onConsole).off("pageerror", onError)
  return { isWide, broken, unseen }
}

describe("with only the keyboard", () => {
  it("a person reaches Continue, No and Sign out, in this order", async () => {
    await withPage({}, async (page) => {
      await visit(page, "connect")
      const [brand, inbox, account, ...decision] = (await walk(page)).map(({ words }) => words)
      expect([brand, inbox, account]).toEqual(["Holdpoint", "Inbox", "Account"])
      expect(decision).toEqual(["Continue to Nextcloud", "No", "Not you? Sign out"])
    })
  })

  verifies("page.keyboard", "a person connects an account", async () => {
    await withPage({}, async (page) => {
      await visit(page, "connect-key")
      await page.getByLabel("Key for Weather service").focus()
      await page.keyboard.type("k3y")
      await page.keyboard.press("Enter")
      await page.waitForURL("**/connect/a0de")
      const { body } = served.posts.at(-1)!
      expect([body.get("csrf"), body.get("do"), body.get("key")]).toEqual(["c5rf", "continue", "k3y"])
    })
  })

  it("focus goes to the problems, and from there to the field", async () => {
    await withPage({}, async (page) => {
      await visit(page, "question-problems")
      expect(await page.evaluate(whereFocusIs)).toMatchObject({ role: "alert" })
      await page.keyboard.press("Tab")
      await page.keyboard.press("Tab")
      await page.keyboard.press("Enter")
      expect(await page.evaluate(whereFocusIs)).toMatchObject({ words: "Contact", seen: true })
    })
  })
})

describe("without scripts", () => {
  const off = { javaScriptEnabled: false }

  verifies("page.without-scripts", "a form with every type of field is sent as it was filled in", async () => {
    const { body } = await withPage(off, async (page) => {
      await visit(page, "question")
      await page.getByLabel("Notes").fill("one\ntwo")
      await page.getByLabel("Contact").fill("zoë@example.com")
      await page.getByLabel("First", { exact: true }).check()
      await page.getByLabel("Stop on the way").selectOption("Genève")
      await page.getByLabel("Breakfast").check()
      await page.getByLabel("Dinner").check()
      await page.getByLabel("Insure the tickets").uncheck()
      await page.getByRole("button", { name: "Send" }).click()
      await page.waitForURL("**/inbox/7f3a")
      return served.posts.at(-1)!
    })
    const content = readContent(everyField, body)
    expect(content).toEqual({
      title: "Spring meeting in Lyon",
      notes: "one\ntwo",
      contact: "zoë@example.com",
      from: "2026-04-14",
      leave: "2026-04-14T06:45:00Z",
      budget: 420.5,
      people: 4,
      carriage: "first",
      city: "Genève",
      meals: ["breakfast", "dinner"],
      insured: false,
    })
    expect(validate(everyField, content).ok).toBe(true)
    expect(body.get("do")).toBe("send")
  })

  it("a form can be declined although it is not filled in", async () => {
    await withPage(off, async (page) => {
      await visit(page, "question-problems")
      await page.getByRole("button", { name: "Decline" }).click()
      await page.waitForURL("**/inbox/7f3a")
      expect(served.posts.at(-1)!.body.get("do")).toBe("decline")
    })
  })

  it("an account is disconnected in two steps", async () => {
    await withPage(off, async (page) => {
      await visit(page, "account")
      const sure = page.getByRole("button", { name: "Yes, disconnect" }).first()
      expect(await sure.isVisible()).toBe(false)
      await page.getByText("Disconnect Nextcloud").click()
      await sure.click()
      await page.waitForURL("**/disconnect")
      expect(served.posts.at(-1)!.path).toBe("/account/connections/c1/disconnect")
    })
  })

  it("the waiting page reloads every five seconds", async () => {
    await withPage(off, async (page) => {
      await visit(page, "waiting")
      expect(await page.locator('meta[http-equiv="refresh"]').getAttribute("content")).toBe("5")
    })
  })
})

describe("the pictures", () => {
  const pictured = [
    "account",
    "account-reach",
    "connect",
    "connect-key",
    "connect-more",
    "connect-lost",
    "confirm-account",
    "done",
    "inbox",
    "question",
    "sign-in",
    "webhook",
    "visit",
    "visit-begun",
    "visit-done",
    "visit-careful",
    "authorize",
    "authorize-local",
  ]
  const refusals = names.filter((name) => name.startsWith("refused-"))
  const page = onePage()

  it.each(toPicture([...pictured, ...refusals]))("are taken and small: %s", async (name) => {
    await visit(page(), name)
    for (const look of picturedIn(name)) {
      await lookAt(page(), look)
      await takePicture(page(), { name, look, below: 60_000 })
    }
  })
})

interface Stop {
  readonly words: string
  readonly id: string
  readonly seen: boolean
}

/** Every place that Tab stops at, from the top until the page is left. */
async function walk(page: Page): Promise<readonly Stop[]> {
  const stops: Stop[] = []
  await page.evaluate(loseFocus)
  for (let pressed = 0; pressed < 80; pressed++) {
    await page.keyboard.press("Tab")
    const stop = await page.evaluate<Stop | null>(whereFocusIs)
    if (stop === null) break
    stops.push(stop)
  }
  return stops
}
