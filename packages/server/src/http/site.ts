// The types that every route uses: the parts of the site, the request, and the signed-in person.

import type { Vault } from "@holdpoint/accounts"
import type { Addresses, Hub, Runtime } from "@holdpoint/hub"
import type { Heartbeat } from "@holdpoint/hub/internal"
import type { StreamPlaces } from "../api/index.ts"
import type { AuthorizationServer } from "../identity/authorization/index.ts"
import type { Programs } from "../identity/programs/programs.ts"
import type { Html, PageLink } from "../web/index.ts"
import type { PageChoices } from "./choices.ts"
import type { Jar } from "./cookies.ts"
import type { Gate } from "./gate.ts"
import type { Guest } from "./guest.ts"
import type { PageReach } from "./reach.ts"

/** An address to which a person may return from a page, and its name. */
export interface ReturnTarget {
  readonly href: string
  readonly name: string
}

export interface Site {
  readonly hub: Hub
  readonly vault: Vault
  readonly gate: Gate
  readonly addresses: Addresses
  readonly jar: Jar
  readonly runtime: Runtime
  /** The addresses to which people may return, by id. An address in a request is never followed. */
  readonly returnTargets: ReadonlyMap<string, ReturnTarget>
  /** Origins of pages that may open ours in a popup and receive its outcome, by id. `self` is our own origin. */
  readonly openers: ReadonlyMap<string, string>
  /** The role that may connect accounts for projects. False turns projects off. */
  readonly adminRole: string | false
  /** The pages to which every header links. */
  readonly links: readonly PageLink[]
  /** Whether this is a demo without passwords. The sign-in page then warns about it. */
  readonly demo: boolean
  /** The settings that people may choose on their account page. */
  readonly choices?: PageChoices
  /** How questions reach people; absent without a ladder. */
  readonly reach?: PageReach
  /** Programs that ask over HTTP. Absent if the API is not served. */
  readonly programs?: Programs
  /** The parts of this server, in their order. */
  readonly parts: readonly PageParts[]
  /** The places of open streams. */
  readonly places: StreamPlaces
  /** Keeps the open streams of all inboxes open. */
  readonly heartbeat: Heartbeat
  /** The built-in authorization server, if it is turned on. */
  readonly authorization?: AuthorizationParts
  readonly report: (activity: string, error: unknown) => void
}

/** The parts of the authorization server that the pages need. */
export type AuthorizationParts = Pick<AuthorizationServer, "requests" | "consents" | "resources">

/** One request, as the routes see it. */
export interface Visit {
  readonly site: Site
  readonly request: Request
  readonly url: URL
  /** Returns a named parameter of the path. */
  readonly part: (name: string) => string
}

/** Whether this person is an administrator. In local mode, the person at the machine is one. */
export function isAdmin({ adminRole, gate }: Pick<Site, "adminRole" | "gate">, { principal }: Guest): boolean {
  if (adminRole === false) return false
  return gate.identity === undefined || (principal.roles ?? []).includes(adminRole)
}

/** The part of a view that the top of every page shows. */
export function toTop({ links }: Pick<Site, "links">, { name, csrf, code, opensOneQuestion = false }: Guest) {
  return { signedInAs: name, csrf, isLocal: code !== undefined, links: opensOneQuestion ? [] : links }
}

/** Answers one request of a page. */
export type Route = (visit: Visit) => Promise<Response>

/** One row of a table of routes. */
export interface RouteRow {
  readonly method: "GET" | "POST"
  /** `:id` and the like are path parameters, which `visit.part` returns. A path has at most one. */
  readonly path: string
  readonly route: Route
}

/** A page of a part. */
export interface PartPage extends RouteRow {
  /** The name by which sign-in returns to a page with a parameter: `gate.enter(request, "name:value")`. */
  readonly returnName?: string | undefined
}

/** What a part of the server adds to the pages. */
export interface PageParts {
  readonly name: string
  /** The name for people. */
  readonly title: string
  readonly pages: readonly PartPage[]
  /** The part's section of the account page. */
  readonly accountSection?: AccountSection | undefined
}

/** Writes a section of the person's account page. Undefined when there is nothing to show. */
export type AccountSection = (site: Site, guest: Guest) => Promise<Html | undefined>
