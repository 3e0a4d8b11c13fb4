// From a stored grant to a completed question. Every step can be repeated: a process that finds a flow left by a crash
// starts again from the top.

import type { Account, Connection } from "../../core/connection.ts"
import { coversScopes, isSameOwner } from "../../core/connection.ts"
import type { Reason } from "../../core/elicitation.ts"
import { change, openFields } from "../change.ts"
import { activate, findAccount, mergeInto } from "../grants.ts"
import { providerOf } from "../parts.ts"
import type { Flow } from "../records.ts"
import { connectionKind } from "../records.ts"
import { revokeCredentials } from "../revoke.ts"
import type { ConsentParts } from "./consent.ts"
import { failAndDiscard, failFlow, isDeclined, move } from "./flows.ts"
import { isOwnAccount, judgeAccountOwner } from "./own-account.ts"

export async function finish(parts: ConsentParts, exchanged: Flow): Promise<Flow> {
  if (exchanged.kind === "widening") return finishWidening(parts, exchanged)
  const pending = await parts.storage.records(connectionKind).get(exchanged.connection)
  if (pending === undefined) return completeMerged(parts, exchanged)
  // The person declined during the token request: the grant is discarded.
  if (await isDeclined(parts, exchanged))
    return (await failAndDiscard(parts, exchanged, { code: "declined" })) ?? exchanged
  const identified = await identify(parts, exchanged, pending)
  if (identified === undefined) return exchanged
  if (identified.status !== "exchanged") return identified
  const before = await findRenewed(parts, identified)
  const { account } = identified
  const owner = account === undefined ? "fine" : await judgeAccountOwner(parts, { ...identified, account }, before)
  if (typeof owner === "object") return refuseAccount(parts, identified, owner)
  if (owner === "ask") return askForConfirmation(parts, { ...identified, asks: "own_account" })
  if (isDifferentAccount(before, account)) return askForConfirmation(parts, identified)
  return settle(parts, identified, pending, before)
}

/**
 * Idempotent: adding the scopes twice changes nothing. A connection that was lost in the meantime has to be renewed
 * first.
 */
async function finishWidening(parts: ConsentParts, flow: Flow): Promise<Flow> {
  const { connection: id, scopes, by } = flow
  if (await isDeclined(parts, flow)) return (await failFlow(parts, flow, { code: "declined" })) ?? flow
  const isDone = (current: Connection): boolean => current.status === "active" && coversScopes(current, scopes)
  const changed = await change(
    parts,
    id,
    (current) => (current.status !== "active" || isDone(current) ? undefined : { type: "widen", scopes }),
    { entryKind: "connected", by },
  )
  if (changed.ok && isDone(changed.connection)) return complete(parts, flow, id)
  return (await failFlow(parts, flow, { code: "connection_lost" })) ?? flow
}

/**
 * The grant was merged before a crash: only completing the question is left. A connection that was disconnected since
 * then does not complete it.
 */
async function completeMerged(parts: ConsentParts, flow: Flow): Promise<Flow> {
  const target =
    flow.replaces === undefined ? undefined : await parts.storage.records(connectionKind).get(flow.replaces)
  if (target?.mergedFrom === flow.connection) return complete(parts, flow, target.id)
  return (await failFlow(parts, flow, { code: "interrupted" })) ?? flow
}

/** Activates the connection and completes its question. */
async function settle(
  parts: ConsentParts,
  flow: Flow,
  pending: Connection,
  before: Connection | undefined,
): Promise<Flow> {
  const facts = { by: flow.by, ...(flow.account === undefined ? {} : { account: flow.account }) }
  if (before === undefined) {
    await activate(parts, pending.id, facts)
    return complete(parts, flow, pending.id)
  }
  // Stored first: after a crash, `replaces` leads to the merged connection.
  const noted = flow.replaces === before.id ? flow : await move(parts, flow, { replaces: before.id })
  if (noted === undefined) return flow
  const provider = providerOf(parts, flow.provider)
  // Merged before a crash: the stored fields are already the new ones, and must not be revoked.
  const isMerged = before.mergedFrom === pending.id
  const replaced = parts.kindOf(provider).outlivesRenewal && !isMerged ? openFields(parts, before) : undefined
  await mergeInto(parts, before.id, pending.id, facts)
  if (replaced !== undefined) await revokeCredentials(parts, before, replaced)
  return complete(parts, noted, before.id)
}

/** Called after the connection is durable: only then may its question be completed. */
async function complete(parts: ConsentParts, flow: Flow, connection: string): Promise<Flow> {
  const completed = await parts.questions.complete(flow.elicitation)
  // The asker may have left in the meantime: the connection is kept for its next call.
  if (!completed.ok && completed.refusal.ended === undefined && completed.refusal.code !== "expired") {
    parts.report("completing a question", new Error(completed.refusal.message))
  }
  const dueAt = parts.tools.runtime.now() + parts.times.rememberMs
  return (await move(parts, flow, { status: "finished", dueAt, connection })) ?? flow
}

/** Returns the flow with its account; undefined when the provider is unavailable and this has to be retried. */
async function identify(parts: ConsentParts, flow: Flow, pending: Connection): Promise<Flow | undefined> {
  if (flow.account !== undefined) return flow
  const provider = providerOf(parts, flow.provider)
  const identified = await parts.kindOf(provider).identify(provider, openFields(parts, pending) ?? {}, parts.tools)
  switch (identified.kind) {
    case "known": {
      const { account, email } = identified
      const atProvider = { id: account.id, ...(email === undefined ? {} : { email }) }
      const isOwn = provider.kind === "login_flow" ? isOwnAccount(flow, provider, atProvider) : undefined
      return move(parts, flow, { account, ...(isOwn === undefined ? {} : { isOwn }) })
    }
    case "silent":
      return flow
    case "refused":
      return failAndDiscard(parts, flow, identified.reason)
    case "unavailable":
      return identifyLater(parts, flow)
  }
}

/** Revokes the grant; the trail records who tried. */
async function refuseAccount(parts: ConsentParts, flow: Flow, reason: Reason): Promise<Flow> {
  const failed = await failAndDiscard(parts, flow, reason)
  if (failed === undefined) return flow
  const { elicitation: id, tenant, by } = flow
  const detail = { by, via: "web", code: reason.code }
  await parts.storage.trail.append({ id, tenant, kind: "refused", at: parts.tools.runtime.now(), detail })
  return failed
}

async function identifyLater(parts: ConsentParts, flow: Flow): Promise<Flow | undefined> {
  const now = parts.tools.runtime.now()
  if (now >= flow.expiresAt) return failAndDiscard(parts, flow, { code: "identity_unavailable" })
  await move(parts, flow, { dueAt: now + identifyRetryMs })
  return undefined
}

const identifyRetryMs = 5_000

/** The connection that this consent renews: the one it was asked for, or one of the same account. */
async function findRenewed(parts: ConsentParts, flow: Flow): Promise<Connection | undefined> {
  const named = flow.replaces === undefined ? undefined : await parts.storage.records(connectionKind).get(flow.replaces)
  const isTheirs = named !== undefined && named.provider === flow.provider && isSameOwner(named.owner, flow.owner)
  if (isTheirs && named.status !== "revoked") return named
  if (flow.account === undefined) return undefined
  const same = await findAccount(parts, { owner: flow.owner, provider: flow.provider, account: flow.account.id })
  // Activated before a crash: the connection must not count as its own predecessor.
  return same?.id === flow.connection ? undefined : same
}

/** An unknown account never counts as different. */
function isDifferentAccount(before: Connection | undefined, account: Account | undefined): boolean {
  return before?.account !== undefined && account !== undefined && before.account.id !== account.id
}

async function askForConfirmation(parts: ConsentParts, flow: Flow): Promise<Flow> {
  return (await move(parts, flow, { status: "confirming", dueAt: flow.expiresAt })) ?? flow
}
