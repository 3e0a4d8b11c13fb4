// Turns consented credentials into a connection: stored as pending, then activated, merged into the connection it
// widens or renews, or discarded. Each step can be repeated after a crash.

import type { PrincipalId } from "@holdpoint/hub"
import { HoldpointError } from "@holdpoint/hub"
import type { Account, Connection, Grant, Owner, Sealed } from "@holdpoint/hub/internal"
import {
  change as changeRecord,
  hasOwnScopes,
  isSameOwner,
  ownerKey,
  sealBindings,
  toPrincipalId,
  unionScopes,
} from "@holdpoint/hub/internal"
import type { ChangeResult } from "./change.ts"
import { change, openFields } from "./change.ts"
import type { Credentials } from "./kind.ts"
import type { VaultParts } from "./parts.ts"
import { providerOf } from "./parts.ts"
import { connectionKind } from "./records.ts"
import { disconnect } from "./revoke.ts"

/** The parts that storing a grant needs; revoking one needs all of `VaultParts`. */
export type GrantParts = Pick<VaultParts, "storage" | "sealer" | "tools">

export interface NewGrant {
  /** The id of the connection, given by a caller that has to find it again after a crash. */
  readonly id?: string
  readonly owner: Owner
  readonly provider: string
  readonly credentials: Credentials
  /** The person who gave the consent. */
  readonly by: PrincipalId
}

export interface Confirmation {
  readonly account?: Account
  readonly by: PrincipalId
}

/** Stores the grant as a pending connection, which is not used before it is activated. */
export async function storeGrant(parts: GrantParts, grant: NewGrant): Promise<Connection> {
  const { owner, provider, credentials } = grant
  const { runtime } = parts.tools
  const id = grant.id ?? runtime.newId()
  const pending: Connection = {
    id,
    tenant: owner.tenant,
    owner,
    provider,
    status: "pending",
    version: 1,
    ...toGrant(parts, { id, tenant: owner.tenant, owner }, credentials),
    connectedBy: toPrincipalId(grant.by),
    createdAt: runtime.now(),
  }
  if (await parts.storage.records(connectionKind).insert(pending)) return pending
  const existing = await parts.storage.records(connectionKind).get(id)
  if (existing !== undefined && existing.provider === provider && isSameOwner(existing.owner, owner)) return existing
  throw new HoldpointError("connection_revoked", "The connection was removed while it was being stored. Start again.")
}

/** Makes the connection usable and notifies every node. */
export async function activate(parts: GrantParts, id: string, { account, by }: Confirmation): Promise<Connection> {
  const accountField = account === undefined ? {} : { account }
  const changed = await change(
    parts,
    id,
    ({ status }) => (status === "active" ? undefined : { type: "activate", ...accountField, by }),
    { entryKind: "connected", by: toPrincipalId(by) },
  )
  return connectionOrThrow(changed)
}

/** Moves the pending grant into the target connection, whose old grant stays usable until then. */
export async function mergeInto(
  parts: GrantParts & Pick<VaultParts, "providers">,
  targetId: string,
  pendingId: string,
  { account, by }: Confirmation,
): Promise<Connection> {
  const pending = await parts.storage.records(connectionKind).get(pendingId)
  const fields = pending === undefined ? undefined : openFields(parts, pending)
  const accountField = account === undefined ? {} : { account }
  const changed = await change(
    parts,
    targetId,
    (target) => {
      // A merged grant may have been refreshed since: its older tokens must not overwrite the newer ones.
      if (pending === undefined || fields === undefined || target.mergedFrom === pendingId) return undefined
      const { issuedAt, expiresAt, hint } = pending
      // Scopes that Holdpoint enforces do not depend on the credentials, so the old ones are kept.
      const isEnforcedHere = !hasOwnScopes(providerOf(parts, target.provider))
      const scopes = isEnforcedHere ? unionScopes(target.scopes, pending.scopes) : pending.scopes
      const credentials = {
        fields,
        scopes,
        issuedAt,
        ...(expiresAt === undefined ? {} : { expiresAt }),
        ...(hint === undefined ? {} : { hint }),
      }
      const grant = { ...toGrant(parts, target, credentials, target.sealed), mergedFrom: pendingId }
      return { type: "activate", grant, ...accountField, by }
    },
    { entryKind: "connected", by: toPrincipalId(by) },
  )
  const merged = connectionOrThrow(changed)
  if (merged.mergedFrom !== pendingId)
    throw new HoldpointError("connection_needed", "The grant no longer exists. Access has to be allowed again.")
  await removePending(parts, pendingId)
  return merged
}

/** Revokes a pending grant at the provider and removes it. An activated connection is left as it is. */
export async function discard(parts: VaultParts, pendingId: string): Promise<void> {
  const pending = await parts.storage.records(connectionKind).get(pendingId)
  // Only its owner may disconnect a connection that was activated.
  if (pending === undefined || pending.activatedAt !== undefined) return
  await disconnect(parts, pendingId, { by: pending.connectedBy, reason: { code: "discarded" } })
  await removePending(parts, pendingId)
}

/** The owner's connection with this account, with any scopes, unless it was disconnected. */
export async function findAccount(
  parts: Pick<VaultParts, "storage">,
  filter: { readonly owner: Owner; readonly provider: string; readonly account: string },
): Promise<Connection | undefined> {
  const connections = await listOwned(parts, filter.owner)
  return connections.find(
    ({ provider, account, status }) =>
      provider === filter.provider &&
      account?.id === filter.account &&
      (status === "active" || status === "needs_reauth"),
  )
}

export function listOwned(parts: Pick<VaultParts, "storage">, owner: Owner): Promise<Connection[]> {
  return listAll(parts, { tenant: owner.tenant, owner: ownerKey(owner) })
}

export async function listAll(
  { storage }: Pick<VaultParts, "storage">,
  filter: { readonly tenant: string; readonly owner?: string },
): Promise<Connection[]> {
  const connections: Connection[] = []
  for (;;) {
    const lastId = connections.at(-1)?.id
    const cursor = lastId === undefined ? {} : { afterId: lastId }
    const page = await storage.records(connectionKind).list({ ...filter, ...cursor, limit: pageSize })
    connections.push(...page)
    if (page.length < pageSize) return connections
  }
}

const pageSize = 200

/** Seals the credentials for this connection; with `previous`, as its next generation. */
export function toGrant(
  parts: Pick<VaultParts, "sealer">,
  connection: Pick<Connection, "id" | "tenant" | "owner">,
  credentials: Credentials,
  previous?: Sealed,
): Grant {
  const { fields, scopes, issuedAt, expiresAt, hint } = credentials
  return {
    sealed: parts.sealer.seal(sealBindings.connection(connection), fields, previous),
    scopes,
    issuedAt,
    hasRefreshToken: fields.refresh_token !== undefined,
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(hint === undefined ? {} : { hint }),
  }
}

async function removePending({ storage }: GrantParts, id: string): Promise<void> {
  await changeRecord(storage.records(connectionKind), id, ({ activatedAt }) =>
    activatedAt === undefined ? "remove" : undefined,
  )
}

function connectionOrThrow(result: ChangeResult): Connection {
  if (result.ok) return result.connection
  throw new HoldpointError(result.code, result.message)
}
