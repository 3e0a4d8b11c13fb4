// People with a browser each, and the problems on the pages that they visit: console errors of our pages, and
// violations that axe finds.

import { complaintsOn } from "@holdpoint/testkit/axe"
import { noteResponse } from "@holdpoint/testkit/canaries/visits"
import { type JarBrowser, openJarBrowser } from "@holdpoint/testkit/holdpoint/pages/browser"
import { whereFocusIs } from "@holdpoint/testkit/in-page"
import { letStand } from "@holdpoint/testkit/page-clock"
import type { Browser, BrowserContext, BrowserContextOptions, ConsoleMessage, Page } from "playwright-core"

export interface People {
  /** Opens a browser for a person, with its first tab. */
  arrive(options?: BrowserContextOptions): Promise<Page>
  /** Opens a browser in which this person has signed in before. */
  arriveAs(user: string, options?: BrowserContextOptions): Promise<Page>
  /** Signs in on the current sign-in page. */
  signIn(page: Page, user: string): Promise<void>
  /** Checks the page with axe, which must find nothing. */
  look(page: Page, heading: string): Promise<void>
  /** Closes all browsers. Returns the problems that were seen. */
  leave(): Promise<readonly string[]>
}

/** Console messages of `elsewhere`, a provider's origin, are ignored. */
export function openPeople(browser: Browser, publicUrl: string, elsewhere?: string): People {
  const contexts: BrowserContext[] = []
  const wrong: string[] = []
  const watch = (page: Page): void => {
    page.on("console", (message) => isComplaint(message, publicUrl) && wrong.push(message.text()))
    page.on("pageerror", (error) => wrong.push(error.message))
  }
  const arrive = async (options: BrowserContextOptions = {}): Promise<Page> => {
    // Turns off animations, which browsers without a graphics card render slowly.
    const calm = { locale: "en-GB", timezoneId: "UTC", reducedMotion: "reduce" } as const
    const context = await browser.newContext({ ...calm, ...options })
    context.setDefaultTimeout(15_000)
    contexts.push(context)
    context.on("page", watch)
    context.on("response", (response) => {
      if (new URL(response.url()).origin !== elsewhere) void noteResponse(response)
    })
    return context.newPage()
  }
  return {
    arrive,
    async arriveAs(user, options) {
      const [page, jar] = await Promise.all([arrive(options), signInByForm(publicUrl, user)])
      // Skips the cookies of the identity provider, which have their own path.
      const [name, value] = [...jar.cookies(publicUrl)].find(([name]) => name.endsWith("hp_session")) ?? ["", ""]
      await page.context().addCookies([{ name, value, url: publicUrl, httpOnly: true, sameSite: "Lax" }])
      return page
    },
    async signIn(page, user) {
      await page.getByRole("button", { name: `Continue as ${user}` }).click()
    },
    async look(page, heading) {
      await page.getByRole("heading", { level: 1, name: heading }).waitFor()
      const complaints = await complaintsOn(page)
      wrong.push(...complaints.map((complaint) => `${new URL(page.url()).pathname}: ${complaint}`))
    },
    async leave() {
      await Promise.all(contexts.splice(0).map((context) => context.close()))
      return wrong.splice(0)
    },
  }
}

/** Browsers log pages with the status 403, 404, 409 or 422; that is not a fault of the page. */
function isComplaint(message: ConsoleMessage, publicUrl: string): boolean {
  if (message.type() !== "error" && message.type() !== "warning") return false
  const isStatus = /^Failed to load resource: the server responded with a status of 4(03|04|09|22) /.test(
    message.text(),
  )
  const { url } = message.location()
  return !(isStatus && url.startsWith(publicUrl))
}

/** Signs in without a browser, by the same requests, for stories that do not test the sign-in. */
export async function signInByForm(publicUrl: string, user: string): Promise<JarBrowser> {
  const jar = openJarBrowser()
  const page = await jar.submit(await jar.open(`${publicUrl}/signin?to=account`), { user })
  if (!page.url.href.startsWith(`${publicUrl}/account`))
    throw new Error(`${user} is not signed in, but at ${page.url}.`)
  return jar
}

/** Signs in on the sign-in page, with the keyboard only. */
export async function pressSignIn(page: Page, user: string): Promise<void> {
  await page.getByRole("button", { name: `Continue as ${user}` }).waitFor()
  await tabTo(page, `Continue as ${user}`)
  await page.keyboard.press("Enter")
}

/** When a story fails, its error says what each open page showed, and what had the focus. */
export async function withWitness(context: BrowserContext, story: () => Promise<void>): Promise<void> {
  try {
    await story()
  } catch (error) {
    const seen = context.pages().map(async (page) => {
      const at = await page.evaluate<{ readonly words: string } | null>(whereFocusIs).catch(() => null)
      const visibleText = await page.evaluate<string>("document.body.innerText").catch(String)
      return `${page.url()}\nFocus: ${at?.words ?? "nothing"}\n${visibleText}`
    })
    const pages = (await Promise.all(seen)).join("\n\n")
    throw new Error(`${error instanceof Error ? error.message : error}\n\n${pages}`, { cause: error })
  }
}

/** Presses Tab until the element with these words has the focus. */
export async function tabTo(page: Page, words: string): Promise<void> {
  const passed: string[] = []
  for (let pressed = 0; pressed < 60; pressed++) {
    const at = await page.evaluate<{ readonly words: string } | null>(whereFocusIs)
    const text = at?.words.replaceAll(/\s+/g, " ") ?? "nothing"
    if (at !== null && text.startsWith(words)) return letStand(page)
    passed.push(text)
    await page.keyboard.press("Tab")
  }
  throw new Error(`The keyboard does not reach “${words}”. It went to ${passed.join(", ")}.`)
}
