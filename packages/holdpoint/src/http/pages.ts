// The pages as one fetch handler: host and origin are checked, a route is found, and whatever goes wrong becomes a page
// that says so without saying too much.

import { Hono } from "hono"
import type { Addresses } from "../core/addresses.ts"
import { errorCodes, isHoldpointError } from "../core/error.ts"
import type { Hub } from "../hub/hub.ts"
import { systemRuntime } from "../hub/runtime.ts"
import { warn } from "../hub/warn.ts"
import type { Identity, LocalIdentity } from "../identity/index.ts"
import type { Mount } from "../ports/mount.ts"
import type { Runtime } from "../ports/runtime.ts"
import type { Tokens } from "../ports/sealer.ts"
import { errorPage } from "../surfaces/web/index.ts"
import type { Vault } from "../vault/vault.ts"
import { assertAddresses, assertTargets } from "./address.ts"
import { arriveAnywhere } from "./arrive.ts"
import type { PageChoices } from "./choices.ts"
import { createJar } from "./cookies.ts"
import { isOurHost } from "./entry.ts"
import { createLocalGate, createSignInGate } from "./gate.ts"
import { hookRow } from "./hooks.ts"
import { toPage } from "./respond.ts"
import type { RouteRow } from "./routes.ts"
import { routes } from "./routes.ts"
import type { AuthorizationParts, ReturnTarget, Site } from "./site.ts"

/** What `createPages` is given. */
export interface PagesOptions {
  readonly hub: Hub
  readonly vault: Vault
  /** People sign in, or it is the one at this machine. */
  readonly identity: Identity | LocalIdentity
  readonly addresses: Addresses
  /** Other names under which this server is reached on purpose. */
  readonly alsoHosts?: readonly string[]
  readonly returnTargets?: Readonly<Record<string, ReturnTarget>>
  /** Pages that may open ours in a window, by id: their exact origins. */
  readonly openers?: Readonly<Record<string, string>>
  /** Who may connect accounts for projects: “admin” unless given. False where there are no projects. */
  readonly adminRole?: string | false
  /** The one exact address for providers that allow only one, where it is not /oauth/callback. */
  readonly callbackUrl?: string
  /** With them, whoever holds the completion token of a question can say at /hooks/complete that it is done. */
  readonly tokens?: Tokens
  /** The people who can sign in are for trying out, and their password is public. */
  readonly demo?: boolean
  /** The built-in one: its questions are answered on these pages. */
  readonly authorization?: AuthorizationParts
  /** What people may choose for themselves on their account page. */
  readonly choices?: PageChoices
  readonly runtime?: Runtime
  readonly report?: (doing: string, error: unknown) => void
}

/** The pages as one fetch handler. They handle every path: where nothing is, a page says so. Mount them last. */
export type Pages = Mount

/** Makes the pages: sign-in, inbox, connect, account. `createHoldpoint` does it for you. */
export function createPages(options: PagesOptions): Pages {
  const site = toSite(options)
  const { alsoHosts = [] } = options
  const app = new Hono()
  app.use(async (context, next) => {
    if (isOurHost(context.req.raw, site, alsoHosts)) return next()
    const words = "It was reached under a name that is not its own. Use the address that it was set up with."
    return toPage(errorPage({ title: "This server has another address", words }), { status: 421 })
  })
  const callback = options.callbackUrl === undefined ? [] : [callbackRow(options.callbackUrl)]
  const hooks = options.tokens === undefined ? [] : [hookRow(options.tokens)]
  for (const { method, path, route } of [...routes, ...callback, ...hooks]) {
    app.on(method, path, (context) =>
      route({
        site,
        request: context.req.raw,
        url: new URL(context.req.url),
        part: (name) => context.req.param(name) ?? "",
      }),
    )
  }
  app.notFound(() =>
    toPage(errorPage({ title: "There is no such page", words: "The address may be incomplete." }), { status: 404 }),
  )
  app.onError((error, context) => {
    site.report(`answering ${context.req.method} ${context.req.routePath}`, error)
    const status = isHoldpointError(error) ? errorCodes[error.code].http : 500
    const words = "Nothing was changed by this. Try again in a moment; if it stays, tell whoever runs this server."
    return toPage(errorPage({ title: "Something went wrong here", words }), { status })
  })
  return { handles: () => true, fetch: async (request) => app.fetch(request), close: async () => {} }
}

const callbackRow = (callbackUrl: string): RouteRow => ({
  method: "GET",
  path: new URL(callbackUrl).pathname,
  route: arriveAnywhere,
})

function toSite(options: PagesOptions): Site {
  const { hub, vault, identity, runtime = systemRuntime, adminRole = "admin", demo = false, report = warn } = options
  const { addresses } = options
  assertAddresses(addresses, options.callbackUrl)
  assertTargets(options)
  const jar = createJar(addresses)
  return {
    ...{ hub, vault, addresses, jar, runtime, adminRole, demo, report },
    gate: "claim" in identity ? createLocalGate(identity, jar) : createSignInGate(identity, jar),
    ...(options.authorization === undefined ? {} : { authorization: options.authorization }),
    ...(options.choices === undefined ? {} : { choices: options.choices }),
    returnTargets: new Map(Object.entries(options.returnTargets ?? {})),
    openers: new Map([...Object.entries(options.openers ?? {}), ["self", new URL(addresses.publicUrl).origin]]),
  }
}
