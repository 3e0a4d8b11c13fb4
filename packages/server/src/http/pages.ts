// The pages as one fetch handler: checks the host, finds the route, and turns every error into a page without internal
// details.

import type { Vault } from "@holdpoint/accounts"
import type { Addresses, Hub, Runtime } from "@holdpoint/hub"
import { isHoldpointError, systemRuntime } from "@holdpoint/hub"
import type { Mount } from "@holdpoint/hub/internal"
import { createHeartbeat, errorCodes, warn } from "@holdpoint/hub/internal"
import type { Tokens } from "@holdpoint/hub/sealing"
import { Hono } from "hono"
import { createStreamPlaces, type StreamPlaces } from "../api/index.ts"
import type { Identity, LocalIdentity, Programs } from "../identity/index.ts"
import { errorPage, ownPages } from "../web/index.ts"
import { assertAddresses, assertTargets } from "./address.ts"
import type { PageChoices } from "./choices.ts"
import { createJar } from "./cookies.ts"
import { createLocalGate, createSignInGate } from "./gate.ts"
import { hookRow } from "./hooks.ts"
import { arriveAnywhere } from "./provider-callback.ts"
import type { PageReach } from "./reach.ts"
import { isOurHost } from "./request-checks.ts"
import { toPage } from "./respond.ts"
import { routes } from "./routes.ts"
import type { AuthorizationParts, PageParts, ReturnTarget, RouteRow, Site } from "./site.ts"

/** The options of `createPages`. */
export interface PagesOptions {
  readonly hub: Hub
  readonly vault: Vault
  /** The sign-in of people, or local mode with the one person at this machine. */
  readonly identity: Identity | LocalIdentity
  readonly addresses: Addresses
  /** Additional host names of this server. */
  readonly alsoHosts?: readonly string[]
  readonly returnTargets?: Readonly<Record<string, ReturnTarget>>
  /** The exact origins of pages that may open ours in a popup window, by id. */
  readonly openers?: Readonly<Record<string, string>>
  /** The role that may connect accounts for projects, “admin” by default. False turns projects off. */
  readonly adminRole?: string | false
  /** The single redirect URI for providers that allow only one, if it is not /oauth/callback. */
  readonly callbackUrl?: string
  /** Turns on /hooks/complete, where the holder of a question's completion token can report that it is done. */
  readonly tokens?: Tokens
  /** The pages to which the header of every page links, by path. Default: the inbox and the account. */
  readonly links?: readonly { readonly name: string; readonly path: string }[]
  /** Whether this is a demo: the sign-in page warns that anyone can sign in as any of its people. */
  readonly demo?: boolean
  /** The built-in authorization server, whose consent pages are served here. */
  readonly authorization?: AuthorizationParts
  /** Programs that ask over HTTP: people make and withdraw their keys on the account page. */
  readonly programs?: Programs
  /** The settings that people may choose on their account page. */
  readonly choices?: PageChoices
  /** Parts of the server: their pages, and their sections of the account page. */
  readonly parts?: readonly PageParts[] | undefined
  /** How questions reach people: a section of the account page, and the unsubscribe link of mails. */
  readonly reach?: PageReach
  /** The places of open streams, if other surfaces of this process share them. */
  readonly places?: StreamPlaces
  readonly runtime?: Runtime
  readonly report?: (activity: string, error: unknown) => void
}

/**
 * The pages as one fetch handler. They handle every path and answer unknown ones with a 404 page, so mount them last.
 */
export type Pages = Mount

/** Creates the pages: sign-in, inbox, connect, account. `createHoldpoint` calls this function for you. */
export function createPages(options: PagesOptions): Pages {
  const site = toSite(options)
  const { alsoHosts = [] } = options
  const app = new Hono()
  app.use(async (context, next) => {
    if (isOurHost(context.req.raw, site, alsoHosts)) return next()
    const words = "You opened it under a host name that it does not answer to. Use the address that it was set up with."
    return toPage(errorPage({ title: "This server has a different address", words }), { status: 421 })
  })
  const callback = options.callbackUrl === undefined ? [] : [callbackRow(options.callbackUrl)]
  const hooks = options.tokens === undefined ? [] : [hookRow(options.tokens)]
  const ofParts = site.parts.flatMap(({ pages }) => pages)
  for (const { method, path, route } of [...routes, ...callback, ...hooks, ...ofParts]) {
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
    toPage(errorPage({ title: "Page not found", words: "The address may be incomplete or out of date." }), {
      status: 404,
    }),
  )
  app.onError((error, context) => {
    site.report(`answering ${context.req.method} ${context.req.routePath}`, error)
    const status = isHoldpointError(error) ? errorCodes[error.code].http : 500
    const words =
      "The server could not finish this request. Try again in a moment; if it fails again, tell the administrator of this server."
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
  const { links = ownPages, places = createStreamPlaces() } = options
  const { addresses } = options
  assertAddresses(addresses, options.callbackUrl)
  assertTargets(options)
  const jar = createJar(addresses)
  return {
    ...{ hub, vault, addresses, jar, runtime, adminRole, demo, links, report, places },
    parts: options.parts ?? [],
    heartbeat: createHeartbeat(runtime),
    gate: "claim" in identity ? createLocalGate(identity, jar) : createSignInGate(identity, jar),
    ...(options.authorization === undefined ? {} : { authorization: options.authorization }),
    ...(options.programs === undefined ? {} : { programs: options.programs }),
    ...(options.choices === undefined ? {} : { choices: options.choices }),
    ...(options.reach === undefined ? {} : { reach: options.reach }),
    returnTargets: new Map(Object.entries(options.returnTargets ?? {})),
    openers: new Map([...Object.entries(options.openers ?? {}), ["self", new URL(addresses.publicUrl).origin]]),
  }
}
