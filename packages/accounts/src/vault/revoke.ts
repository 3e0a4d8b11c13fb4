// Revokes a grant without a gap: stop its use and notify all nodes, revoke it at the provider, delete the secrets. An
// unconfirmed revocation stays in an outbox, sealed again, until the provider confirms it. Any process can finish what
// another began.

import { runWithDeadline } from "@holdpoint/fetching/internal"
import type { PrincipalId, Reason } from "@holdpoint/hub"
import { HoldpointError, isHoldpointError } from "@holdpoint/hub"
import type { Attempt, Connection, DueKind, Owner } from "@holdpoint/hub/internal"
import { createDueWork, type DueWork, doubling, sealBindings, toPrincipalId } from "@holdpoint/hub/internal"
import { change, openFields } from "./change.ts"
import type { ProviderRevokeResult, SecretFields } from "./kind.ts"
import type { VaultParts } from "./parts.ts"
import { providerOf } from "./parts.ts"
import type { Revocation } from "./records.ts"
import { connectionKind, revocationKind } from "./records.ts"
import type { VaultTimes } from "./times.ts"

export interface DisconnectResult {
  readonly kind: "disconnected"
  /** `later`: the provider was unavailable; the revocation is retried. `impossible`: the provider has no revocation. */
  readonly upstream: "revoked" | "later" | "impossible"
  /** Where the person can remove the grant at the provider. */
  readonly settings?: string
}

export interface DisconnectOptions {
  readonly by: PrincipalId
  readonly reason?: Reason
}

export async function disconnect(parts: VaultParts, id: string, options: DisconnectOptions): Promise<DisconnectResult> {
  const current = await parts.storage.records(connectionKind).get(id)
  if (current === undefined) throw new HoldpointError("not_found", `There is no connection with the id “${id}”.`)
  if (current.status === "revoked" && current.sealed === undefined) {
    const isPending = (await parts.storage.records(revocationKind).get(id)) !== undefined
    return { kind: "disconnected", upstream: isPending ? "later" : "revoked" }
  }
  const revocations = openRevocations(parts, { looks: false })
  // The revocation is stored first, so that after a crash at any point another process finishes it.
  const plan = await planRevocation(
    parts,
    revocations,
    { id, connection: id, owner: current.owner, provider: current.provider },
    openIfReadable(parts, () => openFields(parts, current)) ?? {},
  )
  await stopUse(parts, id, options)
  if (plan === undefined) return { kind: "disconnected", upstream: "later" }
  const later: DisconnectResult = { kind: "disconnected", upstream: "later" }
  const carriedOut = revocations.underLease(plan, (leased, attempt) => carryOut(parts, leased, attempt), isLeased)
  return (await carriedOut) ?? later
}

const isLeased = { isLeased: true }

/** Revokes tokens without a connection: a refresh that returned after the connection was disconnected. */
export async function revokeCredentials(
  parts: VaultParts,
  connection: Connection,
  fields: SecretFields,
): Promise<void> {
  const { owner, provider } = connection
  const revocations = openRevocations(parts, { looks: false })
  const plan = await planRevocation(
    parts,
    revocations,
    { id: parts.tools.runtime.newId(), connection: connection.id, owner, provider },
    fields,
  )
  if (plan !== undefined)
    await revocations.underLease(plan, (leased, attempt) => carryOut(parts, leased, attempt), isLeased)
}

type RevocationEvent = { readonly type: "revoked" }
type Revocations = DueWork<Revocation, RevocationEvent>

/** The late work of revocations: the pauses grow, and it is never given up. */
export const revocationWork = (times: VaultTimes): DueKind<Revocation, RevocationEvent> => ({
  named: "revocations",
  record: revocationKind,
  transition: () => "remove",
  exhausted: { type: "revoked" },
  delaysMs: doubling(times.revokeFirstMs, times.revokeMostMs, 32),
  isEndless: true,
  // One at a time for each provider: closing waits for few of them.
  lane: { keyOf: ({ provider }) => provider, limit: 1 },
  lookMs: times.revokeLookMs,
})

export function openRevocations(parts: VaultParts, { looks }: { readonly looks: boolean }): Revocations {
  const { report, background } = parts
  return createDueWork({
    ...{ kind: revocationWork(parts.vaultTimes), records: parts.storage.records(revocationKind), report, background },
    ...{ runtime: parts.tools.runtime, looks },
    carryOut: async (revocation, { underLease }) => {
      await underLease(revocation, async (leased, attempt) => {
        if (isOfConnection(leased)) await stopUse(parts, leased.connection, {})
        return carryOut(parts, leased, attempt)
      })
    },
  })
}

interface RevocationFacts {
  readonly id: string
  readonly connection: string
  readonly owner: Owner
  readonly provider: string
}

/** Stores the revocation before it is carried out. Undefined when another process is already revoking. */
async function planRevocation(
  parts: VaultParts,
  revocations: Pick<Revocations, "leased">,
  facts: RevocationFacts,
  fields: SecretFields,
): Promise<Revocation | undefined> {
  const now = parts.tools.runtime.now()
  const { tenant } = facts.owner
  const revocation = revocations.leased({
    ...facts,
    tenant,
    version: 1,
    attempts: 0,
    createdAt: now,
    dueAt: now,
    sealed: parts.sealer.seal(sealBindings.revocation({ ...facts, tenant }), fields),
  })
  return (await parts.storage.records(revocationKind).insert(revocation)) ? revocation : undefined
}

async function stopUse(parts: VaultParts, id: string, options: Partial<DisconnectOptions>): Promise<void> {
  const reason = options.reason ?? { code: "disconnected" }
  const by = options.by === undefined ? {} : { by: toPrincipalId(options.by) }
  await change(parts, id, ({ status }) => (status === "revoked" ? undefined : { type: "revoke", reason }), {
    ...by,
    // A pending connection is in no cache. The replaced record's status counts: it may just have been activated.
    entryKind: ({ status }) => (status === "pending" ? undefined : "disconnected"),
  })
}

async function carryOut(
  parts: VaultParts,
  plan: Revocation,
  attempt: Attempt<Revocation, RevocationEvent>,
): Promise<DisconnectResult> {
  const connection = isOfConnection(plan) ? await parts.storage.records(connectionKind).get(plan.connection) : undefined
  // Before an attempt has failed, a refresh may have changed the connection since the plan was made. Its fields are then final: a
  // running refresh cannot write to a revoked connection. Later, the plan has the latest fields.
  const fields =
    openIfReadable(parts, () =>
      plan.lastProblem === undefined && connection ? openFields(parts, connection) : undefined,
    ) ?? openIfReadable(parts, () => parts.sealer.open(sealBindings.revocation(plan), plan.sealed))
  const result = await revokeUpstream(parts, plan.provider, fields)
  if (result.kind === "later") {
    const { reason, retryAfterMs, renewedFields = fields } = result
    const sealed = renewedFields && parts.sealer.seal(sealBindings.revocation(plan), renewedFields, plan.sealed)
    await attempt.fail({ retryAfterMs, note: { lastProblem: reason.code, ...(sealed && { sealed }) } })
  }
  if (connection !== undefined)
    await change(parts, connection.id, ({ sealed }) => (sealed === undefined ? undefined : { type: "shred" }))
  if (result.kind !== "later") await attempt.end({ type: "revoked" })
  const settings = result.kind === "impossible" && result.settings !== undefined ? { settings: result.settings } : {}
  return { kind: "disconnected", upstream: result.kind, ...settings }
}

/** Revokes the grant at the provider. An unexpected error returns `later`, so that the grant is not forgotten. */
async function revokeUpstream(
  parts: VaultParts,
  providerId: string,
  fields: SecretFields | undefined,
): Promise<ProviderRevokeResult> {
  if (fields === undefined || Object.keys(fields).length === 0) return { kind: "impossible" }
  try {
    const provider = providerOf(parts, providerId)
    const { tools, vaultTimes, kindOf } = parts
    return await runWithDeadline(tools.runtime, vaultTimes.requestMs, () =>
      kindOf(provider).revoke(provider, fields, tools),
    )
  } catch (error) {
    parts.report(`revoking a grant of ${providerId}`, error)
    return { kind: "later", reason: { code: "unavailable" } }
  }
}

/** Opens secrets. Undefined when their key is lost: nothing can be revoked, but people can still disconnect. */
function openIfReadable<T>(parts: VaultParts, open: () => T): T | undefined {
  try {
    return open()
  } catch (error) {
    if (!isHoldpointError(error) || error.code !== "sealed_unreadable") throw error
    parts.report("opening a grant that is to be revoked", error)
    return undefined
  }
}

const isOfConnection = ({ id, connection }: Pick<Revocation, "id" | "connection">): boolean => id === connection
