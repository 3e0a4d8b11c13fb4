// Asking: write the question down, then show it. Those who ask the same thing with the same key share one question.

import type { Elicitation } from "../core/elicitation.ts"
import { isSettled } from "../core/elicitation.ts"
import { HoldpointError } from "../core/error.ts"
import type { Content } from "../core/form.ts"
import type { Draft } from "../core/question.ts"
import { claimOf, isSameQuestion, toElicitation } from "../core/question.ts"
import type { Outlet } from "../ports/outlet.ts"
import type { Inserted } from "../ports/store.ts"
import { deliver } from "./delivery.ts"
import { askedEntry } from "./entries.ts"
import type { HubParts } from "./hub.ts"
import { liveEntry } from "./live.ts"
import { step } from "./steps.ts"
import { giveUp } from "./wait.ts"

export interface AskOptions {
  readonly signal?: AbortSignal
  /** Shown there too, besides the hub's own outlets: the client whose call this is. */
  readonly outlets?: readonly Outlet[]
}

declare const answerType: unique symbol

/** An elicitation that remembers, for the compiler only, what its answer will look like. */
export type Asked<C extends Content = Content> = Elicitation & { readonly [answerType]?: C }

export async function ask(parts: HubParts, draft: Draft, options: AskOptions): Promise<Elicitation> {
  options.signal?.throwIfAborted()
  const { runtime, limits } = parts
  const first = toElicitation(draft, { id: runtime.newId(), now: runtime.now(), limits })
  const claim = claimOf(first)
  const underWay = claim === undefined ? undefined : parts.asking.get(claim)
  const asked = await (underWay ?? startAsking(parts, claim, first, options))
  if (!isSameQuestion(asked, first)) throw keyConflict(first)
  const entry = parts.live.get(asked.id)
  if (entry !== undefined) entry.askers += 1
  if (underWay !== undefined) deliver(parts, asked, options.outlets ?? [])
  if (options.signal?.aborted) {
    giveUp(parts, asked.id)
    throw options.signal.reason
  }
  return asked
}

/** Calls of one process that ask the same at the same time become one write. */
function startAsking(
  parts: HubParts,
  claim: string | undefined,
  first: Elicitation,
  options: AskOptions,
): Promise<Elicitation> {
  if (claim === undefined) return insert(parts, first, options)
  const asked = insert(parts, first, options).finally(() => parts.asking.delete(claim))
  parts.asking.set(claim, asked)
  return asked
}

async function insert(parts: HubParts, first: Elicitation, options: AskOptions): Promise<Elicitation> {
  const { limits, storage, live } = parts
  // Known before it is written: no settlement can slip between the commit and the first wait.
  const entry = liveEntry(live, first.id, first)
  entry.holding = true
  let inserted: Inserted
  try {
    const pending = { perPerson: limits.pendingPerPerson, perTenant: limits.pendingPerTenant }
    inserted = await storage.store.insert(first, askedEntry(first), pending)
  } catch (error) {
    live.delete(first.id)
    throw error
  }
  if (inserted.stored) {
    parts.alarm.arm(first.expiresAt)
    deliver(parts, first, options.outlets ?? [])
    return first
  }
  live.delete(first.id)
  if ("full" in inserted) throw full(inserted.full)
  return join(parts, inserted.existing, first, options)
}

async function join(
  parts: HubParts,
  existing: Elicitation,
  first: Elicitation,
  options: AskOptions,
): Promise<Elicitation> {
  if (!isSameQuestion(existing, first)) throw keyConflict(first)
  if (isSettled(existing.status)) return existing
  const entry = liveEntry(parts.live, existing.id, existing)
  if (entry.holding) {
    deliver(parts, existing, options.outlets ?? [])
    return existing
  }
  entry.holding = true
  const joined = await step(parts, existing.id, { type: "join" }).catch((error: unknown) => {
    entry.holding = false
    throw error
  })
  if (!joined.ok) return joinedTooLate(parts, existing, first, options)
  parts.alarm.arm(joined.elicitation.expiresAt)
  deliver(parts, joined.elicitation, options.outlets ?? [])
  return joined.elicitation
}

/** It ended while this was joining. If only because its askers gave up, and its key is free again, it is asked anew. */
async function joinedTooLate(
  parts: HubParts,
  existing: Elicitation,
  first: Elicitation,
  options: AskOptions,
): Promise<Elicitation> {
  const ended = (await parts.storage.store.get(existing.id)) ?? existing
  const isFree = first.keyReuse === "open" && ended.reason?.code === "asker_gone"
  return isFree ? insert(parts, first, options) : ended
}

function full(which: "person" | "tenant"): HoldpointError {
  const [code, whose] =
    which === "person"
      ? (["too_many_for_person", "This person"] as const)
      : (["too_many_for_tenant", "This tenant"] as const)
  return new HoldpointError(
    code,
    `${whose} has too many open questions. Ask again when some are answered, or raise the limit.`,
  )
}

function keyConflict(first: Elicitation): HoldpointError {
  return new HoldpointError(
    "key_conflict",
    `The key “${first.key}” already names a different question of “${first.requester.id}”. Use another key, or ask exactly the same again.`,
  )
}
