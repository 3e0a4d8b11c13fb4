// The stage of the stories with the widget: a server whose agents ask, and a page of its own origin with a chat in it.

import { createMemoryStorage } from "@holdpoint/hub"
import { withNewKey } from "@holdpoint/hub/sealing"
import { withWatchedLogs } from "@holdpoint/testkit/agents/watched-logs"
import { complaintsOn } from "@holdpoint/testkit/axe"
import { openBrowser } from "@holdpoint/testkit/browser"
import { freePort } from "@holdpoint/testkit/free-port"
import { widgetScript } from "@holdpoint/widget/script"
import type { BrowserContextOptions, Page } from "playwright-core"
import { expect } from "vitest"
import { createAgents, readAgents } from "../../../src/agents.ts"
import { type Server, startServer } from "../../../src/serve/server.ts"
import { openPeople, type People } from "../people.ts"
import { storyAgents } from "./agents.ts"

export interface WidgetStage extends People {
  server(): Server
  /** The actions of the agents' tools. */
  readonly deeds: string[]
  /** Sets how long a question of “quick” is open. */
  setQuick(ms: number): void
  /** Opens a page with this markup in its main part, as alice. */
  open(markup?: string, options?: BrowserContextOptions): Promise<Page>
  /** Opens the page without a session. */
  openSignedOut(markup: string): Promise<Page>
  /** Ends the server and starts another one on the same storage and port. */
  restart(): Promise<void>
  close(): Promise<void>
}

export async function openWidgetStage(): Promise<WidgetStage> {
  const [browser, script] = await Promise.all([openBrowser(), widgetScript()])
  const [storage, keys] = [createMemoryStorage(), withNewKey()]
  const deeds: string[] = []
  let [markup, quick] = ["", 600_000]
  const payPage = (id: string): string => `${server.publicUrl}/widget-page/pay?id=${id}`
  const config = readAgents({
    default: "helper",
    agents: storyAgents({ deeds, payPage, quickMs: () => quick }),
  } as never)
  const pages = {
    handles: (path: string) => path.startsWith("/widget-page"),
    fetch: async (request: Request) => respond(request),
    close: async () => {},
  }
  async function respond(request: Request): Promise<Response> {
    const url = new URL(request.url)
    if (url.pathname.endsWith(".js")) return new Response(script, { headers: { "content-type": "text/javascript" } })
    if (url.pathname.endsWith("/paid")) await server.hub.complete(url.searchParams.get("id") ?? "")
    const isPay = url.pathname.endsWith("/pay")
    const body = isPay
      ? `<a href="/widget-page/paid${url.search}">Pay now</a>`
      : url.pathname.endsWith("/paid")
        ? "Paid."
        : markup
    return new Response(pageWith(body), { headers })
  }
  const start = (port: number): Promise<Server> =>
    startServer({
      ...{ storage, keys, host: "localhost", port, people: { from: "embedded" } },
      mounts: (site) => [createAgents(withWatchedLogs(site), config), pages],
    })
  let server = await start(await freePort())
  const people = openPeople(browser, server.publicUrl)
  const goTo = async (page: Page): Promise<Page> => {
    await page.goto(`${server.publicUrl}/widget-page`)
    return page
  }
  return {
    ...people,
    ...{ deeds, server: () => server },
    setQuick(ms) {
      quick = ms
    },
    async open(body = chatMarkup, options = {}) {
      markup = body
      return goTo(await people.arriveAs("alice", options))
    },
    async openSignedOut(body) {
      markup = body
      return goTo(await people.arrive())
    },
    async restart() {
      const port = Number(new URL(server.publicUrl).port)
      await server.close()
      server = await start(port)
    },
    close: () => server.close(),
  }
}

const chatMarkup = "<holdpoint-chat></holdpoint-chat>"

/** Without inline scripts and styles: the widget needs neither. */
const headers = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": "default-src 'self'; img-src data:",
}

const pageWith = (body: string): string => `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<title>A page</title><link rel="icon" href="data:,"><script type="module" src="/widget-page.js"></script></head>
<body><main><h1>A page</h1>${body}</main></body></html>`

/** Writes a message and sends it with Enter, after the previous reply has ended. It cannot be sent before. */
export async function sendText(page: Page, words: string): Promise<void> {
  await page.getByRole("button", { name: "Send", exact: true }).waitFor()
  await write(page, words)
}

/** Writes a message and presses Enter. */
export async function write(page: Page, words: string): Promise<void> {
  await page.getByLabel("Message").fill(words)
  await page.keyboard.press("Enter")
}

export const log = (page: Page) => page.getByRole("log")
export const shows = (page: Page, words: string) => log(page).getByText(words, { exact: true }).waitFor()
export const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click()
export const card = (page: Page, state: string) => page.locator(`section.card[data-state="${state}"]`)

export const expectNoComplaints = async (page: Page): Promise<void> => expect(await complaintsOn(page)).toEqual([])
