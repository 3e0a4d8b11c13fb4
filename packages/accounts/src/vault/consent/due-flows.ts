// Background work on due flows: the first process that claims a flow polls, finishes, reports or removes it. One timer
// is set to the nearest due time; a check every minute finds flows that other processes left.

import type { Reason } from "@holdpoint/hub"
import { createQueue } from "@holdpoint/hub/internal"
import { discard } from "../grants.ts"
import { pollLoginFlow } from "../login-flow.ts"
import type { VaultParts } from "../parts.ts"
import type { Flow } from "../records.ts"
import { connectionKind, flowKind } from "../records.ts"
import type { ConsentParts } from "./consent.ts"
import { finish } from "./finish.ts"
import { attemptsAt, failAndDiscard, failFlow, flowBinding, isStillWanted, move } from "./flows.ts"
import { keepGrant } from "./keep-grant.ts"

export interface DueFlows {
  start(): void
  arm(time: number): void
  work(): Promise<void>
  stop(): void
}

const lookEveryMs = 60_000

/**
 * The work on flows has no lease: each step changes the version of the flow, so a process that was too slow changes
 * nothing, and a step sets the time after which another process takes over.
 */
const flowWork = { named: "flows", record: flowKind, lookMs: lookEveryMs }

export function createDueFlows({ storage, tools, background }: VaultParts, getParts: () => ConsentParts): DueFlows {
  const { runtime } = tools
  const queue = createQueue({
    ...{ kind: flowWork, records: storage.records(flowKind), runtime, background },
    advance: (flow) => advanceSafely(getParts(), flow),
  })
  return {
    start: () => queue.arm(runtime.now()),
    arm: queue.arm,
    work: queue.sweep,
    stop: queue.stop,
  }
}

/** Advances one flow. An error is reported, blocks no other flow, and is retried after a minute. */
async function advanceSafely(parts: ConsentParts, flow: Flow): Promise<void> {
  try {
    await advance(parts, flow)
  } catch (error) {
    parts.report("working on a flow", error)
    await move(parts, flow, { type: "wait", dueAt: parts.tools.runtime.now() + lookEveryMs })
  }
}

async function advance(parts: ConsentParts, flow: Flow): Promise<void> {
  const now = parts.tools.runtime.now()
  switch (flow.status) {
    case "consented":
      if (now >= flow.expiresAt) await parts.storage.records(flowKind).remove(flow)
      else if (flow.kind === "login_flow") await poll(parts, flow)
      return
    case "exchanging":
      await takeOver(parts, flow)
      return
    case "exchanged": {
      const claimedFlow = await move(parts, flow, { type: "claim", dueAt: now + parts.times.abandonedMs })
      if (claimedFlow !== undefined) await finish(parts, claimedFlow)
      return
    }
    case "confirming":
      await failAndDiscard(parts, flow, { code: "other_account" })
      return
    case "failed":
      // A process may have crashed before it revoked the grant.
      await discard(parts, flow.connection)
      await reportFailure(parts, flow)
      return
    case "finished":
      await parts.storage.records(flowKind).remove(flow)
  }
}

/** Takes over from a process that crashed between taking the response and recording that its grant is stored. */
async function takeOver(parts: ConsentParts, flow: Flow): Promise<void> {
  if (!(await isStored(parts, flow))) {
    // It is unknown whether the provider acted; the person can try again.
    await failFlow(parts, flow, { code: "interrupted" })
    return
  }
  const dueAt = parts.tools.runtime.now() + parts.times.abandonedMs
  const claimedFlow = await move(parts, flow, { type: "keep", dueAt })
  if (claimedFlow !== undefined) await finish(parts, claimedFlow)
}

const isStored = async ({ storage }: ConsentParts, flow: Flow): Promise<boolean> =>
  (await storage.records(connectionKind).get(flow.connection)) !== undefined

/** Polls a login flow: often at first, while the person is probably waiting, and less often later. */
async function poll(parts: ConsentParts, flow: Flow): Promise<void> {
  const provider = parts.providers.get(flow.provider)
  const { runtime } = parts.tools
  if (provider?.kind !== "login_flow" || flow.sealed === undefined || flow.poll === undefined) {
    await failFlow(parts, flow, { code: "unknown_provider" })
    return
  }
  // The person declined, or another attempt was granted first: a second grant would not be kept.
  if (!(await isStillWanted(parts, flow))) {
    await parts.storage.records(flowKind).remove(flow)
    return
  }
  // The process that wins this write polls: one request at a time across all processes.
  const claimedFlow = await move(parts, flow, { type: "claim", dueAt: runtime.now() + pollTimeoutMs })
  if (claimedFlow?.sealed === undefined) return
  // A stored grant was polled by a process that crashed: the server does not return it a second time.
  if (await isStored(parts, claimedFlow)) return takeOver(parts, claimedFlow)
  const token = parts.sealer.open(flowBinding(claimedFlow), claimedFlow.sealed).poll_token ?? ""
  const pollResult = await pollLoginFlow(provider, { endpoint: flow.poll.endpoint, token }, parts.tools)
  const pauseMs = pauseMsOf(runtime.now() - flow.createdAt)
  switch (pollResult.kind) {
    case "granted":
      await keepGrant(parts, claimedFlow, { ...pollResult.credentials, scopes: flow.scopes })
      return
    case "refused":
      await failFlow(parts, claimedFlow, pollResult.reason)
      return
    case "waiting":
      await move(parts, claimedFlow, { type: "wait", dueAt: runtime.now() + pauseMs })
      return
    case "unavailable":
      // Without Retry-After the pause is as usual: a person who has just granted access may be waiting.
      await move(parts, claimedFlow, {
        type: "wait",
        dueAt: runtime.now() + (pollResult.retryAfterMs ?? pauseMs),
      })
  }
}

const pollTimeoutMs = 15_000

const pauseMsOf = (elapsedMs: number): number => (elapsedMs < 60_000 ? 1_000 : elapsedMs < 5 * 60_000 ? 2_000 : 5_000)

/** Removes a failed flow. Notifies the asker of the reason, unless the person has tried again. */
async function reportFailure(parts: ConsentParts, flow: Flow): Promise<void> {
  const attempts = await attemptsAt(parts, flow)
  const isLastAttempt = !attempts.some(
    ({ id, createdAt, status }) => id !== flow.id && (createdAt > flow.createdAt || status === "finished"),
  )
  const reason: Reason = flow.reason ?? { code: "provider_error" }
  const isDenied = reason.code === "access_denied"
  const wasDeclined = isLastAttempt && isDenied && (await decline(parts, flow, reason))
  if (isLastAttempt && !wasDeclined) await parts.questions.fail(flow.elicitation, reason)
  await parts.storage.records(flowKind).remove(flow)
}

/** Declines the question in the person's name. False for a question to a role: their current roles are unknown. */
async function decline({ questions }: ConsentParts, { elicitation, by }: Flow, reason: Reason): Promise<boolean> {
  return (await questions.answer(elicitation, { by, action: "decline", via: "web", reason })).ok
}
