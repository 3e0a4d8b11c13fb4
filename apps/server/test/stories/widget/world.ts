// The stage of the stories with the widget: a server whose agents ask, and a page of its own origin with a chat in it.

import { createMemoryStorage } from "@holdpoint/sdk"
import { withNewKey } from "@holdpoint/sdk/sealing"
import { widgetScript } from "@holdpoint/widget/script"
import type { BrowserContextOptions, Page } from "playwright-core"
import { openBrowser } from "../../../../../test/browser.ts"
import type { AgentsConfig } from "../../../src/agents/definition.ts"
import { createAgents, readAgents } from "../../../src/agents/index.ts"
import { type Server, startServer } from "../../../src/serve/server.ts"
import { withWatchedLogs } from "../../agents/watched-logs.ts"
import { openPeople, type People } from "../people.ts"

export interface WidgetStage extends People {
  server(): Server
  /** Opens a page with this markup in its main part, as alice. */
  open(markup: string, options?: BrowserContextOptions): Promise<Page>
  /** Opens another tab of the same browser. */
  openBeside(page: Page): Promise<Page>
  /** Ends the server and starts another one on the same storage and port. */
  restart(): Promise<void>
  close(): Promise<void>
}

export async function openWidgetStage(agents: AgentsConfig["agents"]): Promise<WidgetStage> {
  const [browser, script] = await Promise.all([openBrowser(), widgetScript()])
  const [storage, keys] = [createMemoryStorage(), withNewKey()]
  const config = readAgents({ agents } as never)
  let markup = ""
  const start = (port: number): Promise<Server> =>
    startServer({
      ...{ storage, keys, host: "localhost", port, people: { from: "embedded" } },
      mounts: (site) => [createAgents(withWatchedLogs(site), config), pageMount(script, () => markup)],
    })
  let server = await start(0)
  const people = openPeople(browser, server.publicUrl)
  return {
    ...people,
    server: () => server,
    async open(body, options) {
      markup = body
      const page = await people.arriveAs("alice", options)
      await page.goto(`${server.publicUrl}/widget-page`)
      return page
    },
    async openBeside(page) {
      const beside = await page.context().newPage()
      await beside.goto(page.url())
      return beside
    },
    async restart() {
      const port = Number(new URL(server.publicUrl).port)
      await server.close()
      server = await start(port)
    },
    close: () => server.close(),
  }
}

const pageMount = (script: string, markup: () => string) => ({
  handles: (path: string) => path.startsWith("/widget-page"),
  fetch: async (request: Request) =>
    request.url.endsWith(".js")
      ? new Response(script, { headers: { "content-type": "text/javascript" } })
      : new Response(pageWith(markup()), {
          headers: {
            "content-type": "text/html; charset=utf-8",
            "content-security-policy": "default-src 'self'; img-src data:",
          },
        }),
  close: async () => {},
})

/** With a strict content security policy: the widget needs no inline script or style. */
const pageWith = (markup: string): string => `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<title>A page</title><link rel="icon" href="data:,"><script type="module" src="/widget-page.js"></script></head>
<body><main><h1>A page</h1>${markup}</main></body></html>`
