// From a stored grant to a completed question. Every step can be repeated: a process that finds a flow left by a crash
// starts again from the top.

import type { Reason } from "@holdpoint/hub"
import type { Account, Connection } from "@holdpoint/hub/internal"
import { coversScopes, isSameOwner } from "@holdpoint/hub/internal"
import { change, openFields } from "../change.ts"
import { activate, findAccount, mergeInto } from "../grants.ts"
import { providerOf } from "../parts.ts"
import type { Flow } from "../records.ts"
import { connectionKind } from "../records.ts"
import { revokeCredentials } from "../revoke.ts"
import type { ConsentParts } from "./consent.ts"
import { failAndDiscard, failFlow, isDeclined, move } from "./flows.ts"
import { isOwnAccount, judgeAccountOwner } from "./own-account.ts"

export async function finish(parts: ConsentParts, flow: Flow): Promise<Flow> {
  if (flow.kind === "widening") return finishWidening(parts, flow)
  const pending = await parts.storage.records(connectionKind).get(flow.connection)
  const merged = await findMerged(parts, flow)
  // A process crashed after it stored the connection, and the owner has disconnected it since.
  if ((merged ?? pending)?.status === "revoked")
    return (await failAndDiscard(parts, flow, disconnectedMeanwhile)) ?? flow
  if (pending === undefined && merged !== undefined) return complete(parts, flow, merged.id)
  if (pending === undefined) return (await failFlow(parts, flow, { code: "interrupted" })) ?? flow
  // The person declined during the token request: the grant is discarded.
  if (await isDeclined(parts, flow)) return (await failAndDiscard(parts, flow, { code: "declined" })) ?? flow
  const identifiedFlow = await identify(parts, flow, pending)
  if (identifiedFlow === undefined) return flow
  if (identifiedFlow.status !== "exchanged") return identifiedFlow
  const previous = await findRenewed(parts, identifiedFlow)
  const { account } = identifiedFlow
  const verdict =
    account === undefined ? "fine" : await judgeAccountOwner(parts, { ...identifiedFlow, account }, previous)
  if (typeof verdict === "object") return refuseAccount(parts, identifiedFlow, verdict)
  if (verdict === "ask") return askForConfirmation(parts, identifiedFlow, "own_account")
  if (isDifferentAccount(previous, account)) return askForConfirmation(parts, identifiedFlow)
  return settle(parts, identifiedFlow, pending, previous)
}

/**
 * Adds the flow's scopes to the connection and completes the question. Idempotent. The flow fails if the connection was
 * lost in the meantime.
 */
async function finishWidening(parts: ConsentParts, flow: Flow): Promise<Flow> {
  const { connection: id, scopes, by } = flow
  if (await isDeclined(parts, flow)) return (await failFlow(parts, flow, { code: "declined" })) ?? flow
  const isWidened = (current: Connection): boolean => current.status === "active" && coversScopes(current, scopes)
  const changed = await change(
    parts,
    id,
    (current) => (current.status !== "active" || isWidened(current) ? undefined : { type: "widen", scopes }),
    { entryKind: "connected", by },
  )
  if (changed.ok && isWidened(changed.connection)) return complete(parts, flow, id)
  return (await failFlow(parts, flow, { code: "connection_lost" })) ?? flow
}

/** The connection into which this flow's grant was merged before a crash. */
async function findMerged(parts: ConsentParts, flow: Flow): Promise<Connection | undefined> {
  const target =
    flow.replaces === undefined ? undefined : await parts.storage.records(connectionKind).get(flow.replaces)
  return target?.mergedFrom === flow.connection ? target : undefined
}

const disconnectedMeanwhile: Reason = {
  code: "disconnected",
  message: "The account was disconnected before the request was finished.",
}

/** Activates the connection, or merges it into the previous one, and completes its question. */
async function settle(
  parts: ConsentParts,
  flow: Flow,
  pending: Connection,
  previous: Connection | undefined,
): Promise<Flow> {
  const confirmation = { by: flow.by, ...(flow.account === undefined ? {} : { account: flow.account }) }
  if (previous === undefined) {
    await activate(parts, pending.id, confirmation)
    return complete(parts, flow, pending.id)
  }
  // `replaces` is stored before the merge, so that after a crash it leads to the merged connection.
  const notedFlow = flow.replaces === previous.id ? flow : await move(parts, flow, { type: "merge", into: previous.id })
  if (notedFlow === undefined) return flow
  const provider = providerOf(parts, flow.provider)
  // If the grant was merged before a crash, the stored fields are already the new ones, and must not be revoked.
  const isMerged = previous.mergedFrom === pending.id
  const replacedFields = parts.kindOf(provider).outlivesRenewal && !isMerged ? openFields(parts, previous) : undefined
  await mergeInto(parts, previous.id, pending.id, confirmation)
  if (replacedFields !== undefined) await revokeCredentials(parts, previous, replacedFields)
  return complete(parts, notedFlow, previous.id)
}

/** Completes the question and ends the flow. Called only after the connection is stored as active. */
async function complete(parts: ConsentParts, flow: Flow, connection: string): Promise<Flow> {
  const completion = await parts.questions.complete(flow.elicitation)
  // Not an error when the question has ended: its asker has left, and the connection is kept for the next call.
  if (!completion.ok && completion.refusal.ended === undefined && completion.refusal.code !== "expired") {
    parts.report("completing a question", new Error(completion.refusal.message))
  }
  const dueAt = parts.tools.runtime.now() + parts.times.rememberMs
  return (await move(parts, flow, { type: "finish", dueAt, connection })) ?? flow
}

/** The flow with its account, or the failed flow. Undefined when it is tried again later or another process has it. */
async function identify(parts: ConsentParts, flow: Flow, pending: Connection): Promise<Flow | undefined> {
  if (flow.account !== undefined) return flow
  const provider = providerOf(parts, flow.provider)
  const identification = await parts.kindOf(provider).identify(provider, openFields(parts, pending) ?? {}, parts.tools)
  switch (identification.kind) {
    case "known": {
      const { account, email } = identification
      const providerAccount = { id: account.id, ...(email === undefined ? {} : { email }) }
      const isOwn = provider.kind === "login_flow" ? isOwnAccount(flow, provider, providerAccount) : undefined
      return move(parts, flow, { type: "identify", account, isOwn })
    }
    case "silent":
      return flow
    case "refused":
      return failAndDiscard(parts, flow, identification.reason)
    case "unavailable":
      return identifyLater(parts, flow)
  }
}

/** Ends the flow and revokes the grant. The trail records who tried to connect the account. */
async function refuseAccount(parts: ConsentParts, flow: Flow, reason: Reason): Promise<Flow> {
  const failedFlow = await failAndDiscard(parts, flow, reason)
  if (failedFlow === undefined) return flow
  const { elicitation: id, tenant, by } = flow
  const detail = { by, via: "web", code: reason.code }
  await parts.storage.trail.append({ id, tenant, kind: "refused", at: parts.tools.runtime.now(), detail })
  return failedFlow
}

async function identifyLater(parts: ConsentParts, flow: Flow): Promise<Flow | undefined> {
  const now = parts.tools.runtime.now()
  if (now >= flow.expiresAt) return failAndDiscard(parts, flow, { code: "identity_unavailable" })
  await move(parts, flow, { type: "wait", dueAt: now + identifyRetryMs })
  return undefined
}

const identifyRetryMs = 5_000

/** The connection to renew: the one that the flow names, or one with the same account. Undefined when there is none. */
async function findRenewed(parts: ConsentParts, flow: Flow): Promise<Connection | undefined> {
  const namedConnection =
    flow.replaces === undefined ? undefined : await parts.storage.records(connectionKind).get(flow.replaces)
  const isSameAccess =
    namedConnection !== undefined &&
    namedConnection.provider === flow.provider &&
    isSameOwner(namedConnection.owner, flow.owner)
  if (isSameAccess && namedConnection.status !== "revoked") return namedConnection
  if (flow.account === undefined) return undefined
  const sameAccountConnection = await findAccount(parts, {
    owner: flow.owner,
    provider: flow.provider,
    account: flow.account.id,
  })
  // A connection that was activated before a crash must not count as its own predecessor.
  return sameAccountConnection?.id === flow.connection ? undefined : sameAccountConnection
}

/** Whether both accounts are known and differ. */
function isDifferentAccount(previous: Connection | undefined, account: Account | undefined): boolean {
  return previous?.account !== undefined && account !== undefined && previous.account.id !== account.id
}

async function askForConfirmation(parts: ConsentParts, flow: Flow, asks?: Flow["asks"]): Promise<Flow> {
  return (await move(parts, flow, { type: "ask", asks })) ?? flow
}
