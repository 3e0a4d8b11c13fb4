// The port through which calls reach a person's Nextcloud account. Each mode (vault, pass-through, single account) has
// its own implementation; the rest of the server does not know the modes.

import type { Principal } from "@holdpoint/hub"
import type { Ask, QuestionOptions } from "@holdpoint/mcp"
import type { ServerContext } from "@modelcontextprotocol/server"
import type { Nextcloud } from "../api/nextcloud.ts"
import type { Scope } from "../scopes.ts"

/** Opens the Nextcloud account that a call uses. */
export interface Accounts {
  /**
   * Opens the account for this call and these scopes. Asks the caller for consent where the mode needs it, and throws a
   * refusal when they do not agree.
   */
  open(ask: Ask, scopes: readonly Scope[]): Promise<Nextcloud>
  /**
   * Returns the account without asking the person. Undefined when no account, or none with these scopes, is connected.
   */
  find(caller: Caller, scopes?: readonly Scope[]): Promise<Nextcloud | undefined>
  /** The consent operations of this mode. Absent in modes without consent. */
  readonly consent?: Consent
}

export interface Caller {
  readonly principal: Principal | undefined
  readonly context?: ServerContext
}

/** The consent operations behind the tools that connect, check and disconnect an account. */
export interface Consent {
  /** Reads the state of this person's connection, including a consent link that is still open. */
  status(principal: Principal): Promise<ConnectionStatus>
  /** Makes a consent link for this person, whether or not their client can open it. */
  link(principal: Principal, scopes: readonly Scope[]): Promise<Link>
  /** Asks for consent in the way that the client supports, and waits for the answer. */
  request(ask: Ask, scopes: readonly Scope[], waitOptions?: Pick<QuestionOptions, "until">): Promise<ConnectedAccounts>
  /** Revokes the access, also at Nextcloud. */
  revoke(principal: Principal): Promise<{ readonly accounts: readonly string[]; readonly note?: string }>
}

export interface Link {
  readonly url: string
  /** The code that the person compares with the code on the consent page. Only in local mode. */
  readonly code?: string
}

export interface ConnectedAccounts {
  readonly account?: string
  readonly scopes: readonly string[]
}

export interface ConnectionStatus {
  readonly status: "connected" | "needs_reconnecting" | "not_connected"
  readonly account?: string
  /** Other accounts that the same person has connected. */
  readonly others?: readonly string[]
  readonly scopes: readonly string[]
  /** The time of the connection, in ISO 8601. */
  readonly since?: string
  /** Why the account has to be connected again. */
  readonly reason?: string
  /** An open consent link that the person has not finished yet. */
  readonly pending?: string
}
