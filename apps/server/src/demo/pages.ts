// The routes of the demo's page: the page, its stylesheet and script, and the name of the signed-in person.

import { readFile } from "node:fs/promises"
import { type Addresses, paths } from "@holdpoint/sdk"
import type { Mount } from "@holdpoint/sdk/compose"
import { signedIn } from "@holdpoint/sdk/http"
import type { Identity } from "@holdpoint/sdk/identity"
import { panelScript } from "./bundle.ts"
import { demoPage } from "./page.ts"
import { respond } from "./respond.ts"

export interface TryPages {
  readonly addresses: Addresses
  readonly identity: Identity
  readonly standInUrl: string
  readonly keptIn: string
}

type Route = (request: Request) => Promise<Response>

export function createTryPages(site: TryPages): Mount {
  const nameOf = async (request: Request): Promise<string | undefined> =>
    (await signedIn(request, site))?.principal.subject
  const routes: Readonly<Record<string, Route>> = {
    "/": async (request) => {
      const { addresses, standInUrl, keptIn } = site
      const mcpUrl = addresses.to(paths.mcp)
      const page = await demoPage({ mcpUrl, standInUrl, keptIn, signedInAs: await nameOf(request) })
      return respond(String(page), "text/html; charset=utf-8")
    },
    "/try/try.css": async () => respond(await readFile(new URL("try.css", import.meta.url), "utf8"), "text/css"),
    "/try/panel.js": async () => respond(await panelScript(), "text/javascript; charset=utf-8"),
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
