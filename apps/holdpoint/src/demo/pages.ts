// The routes of the demo's own pages: the chat, the panel, their stylesheets and scripts, and the name of the signed-in
// person.

import { readFile } from "node:fs/promises"
import { type Addresses, paths } from "@holdpoint/hub"
import type { Mount } from "@holdpoint/hub/internal"
import { signedIn } from "@holdpoint/server/http"
import type { Identity } from "@holdpoint/server/identity"
import { widgetScript } from "@holdpoint/widget/script"
import { panelScript } from "./bundle.ts"
import { chatPage } from "./chat-page.ts"
import type { DemoModel } from "./model.ts"
import { respond } from "./respond.ts"
import { tryPage } from "./try-page.ts"

export interface DemoPages {
  readonly addresses: Addresses
  readonly identity: Identity
  readonly standInUrl: string
  readonly dataFolder: string
  readonly model: DemoModel
}

type Route = (request: Request) => Promise<Response>

export function createDemoPages(site: DemoPages): Mount {
  const nameOf = async (request: Request): Promise<string | undefined> =>
    (await signedIn(request, site))?.principal.subject
  const routes: Readonly<Record<string, Route>> = {
    "/": async (request) => {
      const page = await chatPage({ model: site.model, signedInAs: await nameOf(request) })
      return respond(String(page), types.html)
    },
    "/chat/chat.css": async () => respond(await readAsset("chat.css"), types.css),
    "/chat/chat.js": async () => respond(await readAsset("chat.js"), types.script),
    "/chat/holdpoint-widget.js": async () => respond(await widgetScript(), types.script),
    "/try": async (request) => {
      const { addresses, standInUrl, dataFolder } = site
      const mcpUrl = addresses.to(paths.mcp)
      const page = await tryPage({ mcpUrl, standInUrl, dataFolder, signedInAs: await nameOf(request) })
      return respond(String(page), types.html)
    },
    "/try/try.css": async () => respond(await readAsset("try.css"), types.css),
    "/try/panel.js": async () => respond(await panelScript(), types.script),
    "/try/who": async (request) =>
      respond(JSON.stringify({ name: (await nameOf(request)) ?? null }), "application/json"),
  }
  return {
    handles: (path) => Object.hasOwn(routes, path),
    async fetch(request) {
      if (request.method !== "GET" && request.method !== "HEAD")
        return respond("This address accepts GET and HEAD only.\n", "text/plain; charset=utf-8", 405)
      const route = routes[new URL(request.url).pathname]
      return route?.(request) ?? respond("There is nothing at this address.\n", "text/plain; charset=utf-8", 404)
    },
    close: async () => {},
  }
}

const types = {
  html: "text/html; charset=utf-8",
  css: "text/css; charset=utf-8",
  script: "text/javascript; charset=utf-8",
}

/** Reads a static file of this folder. */
const readAsset = (name: string): Promise<string> => readFile(new URL(name, import.meta.url), "utf8")
