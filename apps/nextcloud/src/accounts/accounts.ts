// Whose Nextcloud a call is about, and how it gets in. One of these for each mode; the rest of the server knows no modes.

import type { Principal } from "@holdpoint/sdk"
import type { Ask, QuestionOptions } from "@holdpoint/sdk/mcp"
import type { ServerContext } from "@modelcontextprotocol/server"
import type { Nextcloud } from "../api/nextcloud.ts"
import type { Scope } from "../scopes.ts"

/** Whose Nextcloud account a call uses. */
export interface Accounts {
  /** For this call and these scopes. Asks the caller if that is how it works; throws a refusal if they do not agree. */
  open(ask: Ask, scopes: readonly Scope[]): Promise<Nextcloud>
  /** Asks nobody: undefined when there is none yet, or none with these scopes. */
  find(caller: Caller, scopes?: readonly Scope[]): Promise<Nextcloud | undefined>
  /** Where people give their consent here; absent where there is nothing to give. */
  readonly consent?: Consent
}

export interface Caller {
  readonly principal: Principal | undefined
  readonly context?: ServerContext
}

/** What the tools for connecting, looking and disconnecting need. */
export interface Consent {
  /** How it stands with this person's account. */
  status(principal: Principal): Promise<Standing>
  /** A link for them, whether or not their client can show it. */
  link(principal: Principal, scopes: readonly Scope[]): Promise<Link>
  /** Asks by whatever way the client has, and waits. */
  request(ask: Ask, scopes: readonly Scope[], how?: Pick<QuestionOptions, "until">): Promise<Connected>
  /** Gives the access back, at Nextcloud too. */
  revoke(principal: Principal): Promise<{ readonly accounts: readonly string[]; readonly note?: string }>
}

export interface Link {
  readonly url: string
  /** In local mode, for the person to compare with what the page shows. */
  readonly code?: string
}

export interface Connected {
  readonly account?: string
  readonly scopes: readonly string[]
}

export interface Standing {
  readonly status: "connected" | "needs_reconnecting" | "not_connected"
  readonly account?: string
  /** Of the same person, connected beside it. */
  readonly others?: readonly string[]
  readonly scopes: readonly string[]
  /** ISO 8601 */
  readonly since?: string
  /** Why it has to be connected again. */
  readonly reason?: string
  /** A link that was given and not finished with. */
  readonly pending?: string
}
