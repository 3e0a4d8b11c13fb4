// What the pages are made of, and what each request brings along.

import type { Addresses } from "../core/addresses.ts"
import type { Principal } from "../core/principal.ts"
import type { Hub } from "../hub/hub.ts"
import type { AuthorizationServer } from "../identity/authorization/index.ts"
import type { Session } from "../identity/records.ts"
import type { Runtime } from "../ports/runtime.ts"
import type { Vault } from "../vault/vault.ts"
import type { PageChoices } from "./choices.ts"
import type { Jar } from "./cookies.ts"
import type { Gate } from "./gate.ts"

/** Where a person may be sent after a page, and what it is called. */
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
  /** Where people may be sent back to, by id: a raw address is never followed. */
  readonly returnTargets: ReadonlyMap<string, ReturnTarget>
  /** Origins of pages that may open ours in a window and be told how it went, by id. `self` is ours. */
  readonly openers: ReadonlyMap<string, string>
  /** Who may connect accounts for projects. False: nobody. */
  readonly adminRole: string | false
  /** People and password are public: the sign-in page says so. */
  readonly demo: boolean
  /** What people may choose for themselves. */
  readonly choices?: PageChoices
  /** For programs that act in people's names. Undefined where there is none. */
  readonly authorization?: AuthorizationParts
  readonly report: (doing: string, error: unknown) => void
}

/** What of the authorization server the pages need. */
export type AuthorizationParts = Pick<AuthorizationServer, "requests" | "consents" | "resources">

/** One request, as the routes see it. */
export interface Visit {
  readonly site: Site
  readonly request: Request
  readonly url: URL
  /** The named parts of the address. */
  readonly part: (name: string) => string
}

/** Somebody whose identity is verified, in this browser. */
export interface Guest {
  readonly principal: Principal
  readonly session: Session
  /** What stands at the top of the pages. */
  readonly name: string
  readonly csrf: string
  /** Local mode: the code that the terminal shows too. */
  readonly code?: string
  /** Local mode: makes the question this browser's, with a press of its button. False when another was faster. */
  readonly claim?: () => Promise<boolean>
  /** To be set with whatever is answered. */
  readonly cookies: readonly string[]
}

/** The person at this machine is the administrator of what runs on it. */
export function isAdmin({ adminRole, gate }: Pick<Site, "adminRole" | "gate">, { principal }: Guest): boolean {
  if (adminRole === false) return false
  return gate.identity === undefined || (principal.roles ?? []).includes(adminRole)
}

/** What stands at the top of every page. */
export function toTop({ name, csrf, code }: Guest) {
  return { signedInAs: name, csrf, isLocal: code !== undefined }
}

export type Route = (visit: Visit) => Promise<Response>
