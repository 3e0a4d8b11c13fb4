// The accounts of people at providers, as calls use them: the vault implements this port.

import type { Account, Connection, Owner } from "../core/connection.ts"
import type { AskingClient, Elicitation, Requester } from "../core/elicitation.ts"
import type { Audience } from "../core/principal.ts"
import type { Providers } from "../core/provider.ts"
import type { Outlet } from "./outlet.ts"

/** Finds and asks for accounts. The implementer keeps the credentials, and sends them to their provider only. */
export interface Accounts {
  readonly providers: Providers
  /** The connection that meets the need, ready for use. Undefined when there is none. */
  find(need: Need, options?: FindOptions): Promise<ConnectionHandle | undefined>
  /** Asks the owner to connect an account, and does not wait for the answer. */
  ask(need: Need, options?: AskForAccount): Promise<Elicitation>
  list(owner: Owner): Promise<readonly Connection[]>
}

export interface AskForAccount {
  /** Outlets that show the question in addition to the hub's own. */
  readonly outlets?: readonly Outlet[]
  readonly signal?: AbortSignal
  /** The W3C `traceparent` of the request that needs the account. */
  readonly trace?: string
}

export interface FindOptions {
  /**
   * What happens when the connection is lost during use: `ask` asks the owner (the default), `throw` only throws
   * `connection_needed`.
   */
  readonly whenLost?: "ask" | "throw"
}

/** The account that a program needs, the scopes, and who asks for it. */
export interface Need {
  readonly owner: Owner
  readonly provider: string
  readonly scopes?: readonly string[]
  /** Optional scopes, offered only to people who have no connection with this provider yet. */
  readonly offers?: readonly string[]
  /** The id of the account at the provider; any of the owner's accounts when absent. */
  readonly account?: string
  readonly requester: Requester
  readonly client?: AskingClient
  /**
   * Who is asked to connect an account for a project; by default the tenant's administrators. For a person's account,
   * only that person can be asked.
   */
  readonly audience?: Audience
  /** The asker's explanation of why it needs the account. */
  readonly message?: string
  /** The question's lifetime: by default five minutes, or a day when `connect` does not wait. */
  readonly lifetimeMs?: number
  /** The name of the tool that needs the account, for telemetry and for surfaces that show it. */
  readonly tool?: string
  /** Where the person returns to: an id of the configured return targets, never an address. */
  readonly returnTo?: string
}

/** A connection that is ready for use: `fetch` sends its fresh credentials to the provider only. */
export interface ConnectionHandle {
  readonly id: string
  readonly provider: string
  readonly owner: Owner
  readonly account?: Account
  readonly scopes: readonly string[]
  /** The provider's addresses. `fetch` sends to their origins only. The first is the default. */
  readonly api: readonly string[]
  /**
   * Like `fetch`. Throws `unsafe_address` for addresses that are not the provider's, before anything is sent.
   * `timeoutMs` is the time until the response begins; by default the provider's.
   */
  fetch(url: string | URL, init?: RequestInit & { readonly timeoutMs?: number }): Promise<Response>
  /** Credentials that are valid now. Do not keep them longer than the call they are for. */
  credentials(): Promise<AccountCredentials>
}

/** The credentials that a call to the provider has to send. */
export interface AccountCredentials {
  /** The headers that carry the credentials in a call. */
  readonly headers: Readonly<Record<string, string>>
  /** By name: `access_token`; or `login_name`, `app_password` and `server`; or what the person entered. */
  readonly fields: Readonly<Record<string, string>>
  readonly expiresAt?: number
}
