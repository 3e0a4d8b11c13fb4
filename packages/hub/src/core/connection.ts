// A connection: a standing grant with one provider, with its owner, scopes and status. Pure; its secrets are sealed and
// never opened here.

import type { Reason } from "./elicitation.ts"
import type { ErrorCode } from "./error.ts"
import type { PrincipalId } from "./principal.ts"
import { toPrincipalId } from "./principal.ts"
import type { Sealed } from "./sealed.ts"

export type ConnectionStatus = "pending" | "active" | "needs_reauth" | "revoked"

/** A person owns what they connected; a project owns what an administrator connected for it. */
export type Owner =
  | ({ readonly kind: "person" } & PrincipalId)
  | { readonly kind: "project"; readonly tenant: string; readonly project: string }

/** The account at the provider. `id` is compared, `name` is shown. */
export interface Account {
  readonly id: string
  readonly name?: string
}

/** The label of an account for people: `name (id@host)`. It includes the id, because names can be chosen and change. */
export function toLabel(id: string, host: string, name: string | undefined): string {
  const address = `${id}@${host}`
  return name === undefined || name === id ? address : `${name} (${address})`
}

/** A standing grant with one provider, as it is stored. */
export interface Connection {
  readonly id: string
  readonly tenant: string
  readonly owner: Owner
  readonly provider: string
  readonly status: ConnectionStatus
  /** Incremented by one with every change. */
  readonly version: number
  /** The granted scopes, which may be fewer than requested. */
  readonly scopes: readonly string[]
  readonly account?: Account
  /** The last characters of an entered key, by which people recognise it. */
  readonly hint?: string
  /** Tokens or credentials. Absent after they were deleted. */
  readonly sealed?: Sealed
  /** When the access token expires; absent when it does not. */
  readonly expiresAt?: number
  /** When the present access token was issued. */
  readonly issuedAt: number
  readonly hasRefreshToken: boolean
  /** The holder that is refreshing, and until when no other holder may. */
  readonly lease?: Lease
  /** Why the connection needs consent again, or why it was revoked. */
  readonly reason?: Reason
  /** The person who gave the consent. */
  readonly connectedBy: PrincipalId
  readonly createdAt: number
  readonly activatedAt?: number
  readonly lastUsedAt?: number
  /** When it was disconnected. */
  readonly endedAt?: number
  /** The pending connection that was merged last, so that it is merged only once. */
  readonly mergedFrom?: string
}

export interface Lease {
  readonly holder: string
  readonly until: number
}

/** The result of a successful consent, refresh or test. */
export interface Grant {
  readonly sealed: Sealed
  readonly scopes: readonly string[]
  readonly expiresAt?: number
  readonly issuedAt: number
  readonly hasRefreshToken: boolean
  readonly hint?: string
  readonly mergedFrom?: string
}

export type ConnectionEvent =
  /** Consent was given and the account is known: makes the connection usable, with the new grant if there is one. */
  | { readonly type: "activate"; readonly account?: Account; readonly grant?: Grant; readonly by?: PrincipalId }
  /** The owner allows more of the scopes that Holdpoint enforces itself, or fewer. */
  | { readonly type: "widen"; readonly scopes: readonly string[] }
  | { readonly type: "narrow"; readonly scopes: readonly string[] }
  | { readonly type: "lease"; readonly lease: Lease }
  /** Only the current holder of the lease may write its result. */
  | { readonly type: "refresh"; readonly holder: string; readonly grant: Grant }
  /** The holder releases its lease without new credentials. */
  | { readonly type: "unlease"; readonly holder: string }
  | { readonly type: "lose"; readonly reason: Reason }
  | { readonly type: "use" }
  | { readonly type: "rewrap"; readonly sealed: Sealed }
  | { readonly type: "revoke"; readonly reason: Reason }
  | { readonly type: "shred" }

export type ConnectionEventType = ConnectionEvent["type"]

export type ConnectionJudgement =
  | { readonly ok: true; readonly next: Connection }
  | { readonly ok: false; readonly code: ErrorCode; readonly message: string }

/** The next status for each status and event. Combinations that are not listed are refused. */
export const connectionTransitions: Record<ConnectionStatus, Partial<Record<ConnectionEventType, ConnectionStatus>>> = {
  pending: { activate: "active", rewrap: "pending", revoke: "revoked" },
  active: {
    activate: "active",
    widen: "active",
    narrow: "active",
    lease: "active",
    refresh: "active",
    unlease: "active",
    lose: "needs_reauth",
    use: "active",
    rewrap: "active",
    revoke: "revoked",
  },
  needs_reauth: { activate: "active", narrow: "needs_reauth", rewrap: "needs_reauth", revoke: "revoked" },
  revoked: { rewrap: "revoked", shred: "revoked" },
}

export function transitionConnection(current: Connection, event: ConnectionEvent, now: number): ConnectionJudgement {
  const status = connectionTransitions[current.status][event.type]
  if (status === undefined) return refuse(current)
  const next = { ...current, status, version: current.version + 1 }
  switch (event.type) {
    case "activate": {
      const { reason: _reason, lease: _lease, ...rest } = next
      const account = event.account === undefined ? {} : { account: event.account }
      const connectedBy = event.by === undefined ? {} : { connectedBy: toPrincipalId(event.by) }
      return { ok: true, next: { ...withGrant(rest, event.grant), ...account, ...connectedBy, activatedAt: now } }
    }
    case "widen":
      return { ok: true, next: { ...next, scopes: unionScopes(current.scopes, event.scopes) } }
    case "narrow":
      return { ok: true, next: { ...next, scopes: current.scopes.filter((scope) => !event.scopes.includes(scope)) } }
    case "lease":
      if (current.lease !== undefined && current.lease.until > now && current.lease.holder !== event.lease.holder)
        return { ok: false, code: "refresh_under_way", message: "Another caller is refreshing this connection." }
      return { ok: true, next: { ...next, lease: event.lease } }
    case "refresh":
    case "unlease": {
      if (current.lease?.holder !== event.holder)
        return { ok: false, code: "refresh_under_way", message: "Another caller has taken over the lease." }
      const { lease: _lease, ...rest } = next
      return { ok: true, next: event.type === "refresh" ? withGrant(rest, event.grant) : rest }
    }
    case "lose": {
      const { lease: _lease, ...rest } = next
      return { ok: true, next: { ...rest, reason: event.reason } }
    }
    case "use":
      return { ok: true, next: { ...next, lastUsedAt: now } }
    case "rewrap":
      return { ok: true, next: { ...next, sealed: event.sealed } }
    case "revoke": {
      const { lease: _lease, ...rest } = next
      return { ok: true, next: { ...rest, reason: event.reason, endedAt: now } }
    }
    case "shred": {
      const { sealed: _sealed, expiresAt: _expiresAt, ...rest } = next
      return { ok: true, next: { ...rest, hasRefreshToken: false } }
    }
  }
}

/** Whether all of the given scopes were granted. */
export function coversScopes(connection: Pick<Connection, "scopes">, scopes: readonly string[]): boolean {
  return scopes.every((scope) => connection.scopes.includes(scope))
}

/** The scopes of all lists in order of first mention, without repeats. */
export function unionScopes(...lists: readonly (readonly string[])[]): readonly string[] {
  return [...new Set(lists.flat())]
}

export function isSameOwner(a: Owner, b: Owner): boolean {
  return a.tenant === b.tenant && ownerKey(a) === ownerKey(b)
}

/** The owner's index key within the tenant. JSON keeps the parts distinct for any characters. */
export function ownerKey(owner: Owner): string {
  return owner.kind === "person"
    ? JSON.stringify(["person", owner.issuer, owner.subject])
    : JSON.stringify(["project", owner.project])
}

/** The person as the owner of a connection. */
export function toOwner({ tenant, issuer, subject }: PrincipalId): Owner {
  return { kind: "person", tenant, issuer, subject }
}

function withGrant(connection: Connection, grant: Grant | undefined): Connection {
  if (grant === undefined) return connection
  const { expiresAt: _expiresAt, hint: _hint, ...rest } = connection
  return { ...rest, ...grant }
}

function refuse(current: Connection): ConnectionJudgement {
  const words: Record<ConnectionStatus, string> = {
    pending: "This connection has not been confirmed yet.",
    active: "This connection is still active.",
    needs_reauth: "The owner has to allow this connection again.",
    revoked: "This connection was disconnected.",
  }
  const code = current.status === "revoked" ? "connection_revoked" : "connection_needed"
  return { ok: false, code, message: words[current.status] }
}
