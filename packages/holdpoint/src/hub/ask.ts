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
  if (claim === undefined) return insert(parts, first, options)
  const underWay = parts.asking.get(claim)
  const asked = underWay === undefined ? startAsking(parts, claim, first, options) : underWay
  const elicitation = await asked
  if (!isSameQuestion(elicitation, first)) throw keyConflict(first)
  return elicitation
}

/** Calls of one process that ask the same at the same time become one write. */
function startAsking(parts: HubParts, claim: string, first: Elicitation, options: AskOptions): Promise<Elicitation> {
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
  if (isSettled(existing.status) || parts.live.get(existing.id)?.holding) return existing
  const entry = liveEntry(parts.live, existing.id, existing)
  entry.holding = true
  const joined = await step(parts, existing.id, { type: "join" })
  if (!joined.ok) return (await parts.storage.store.get(existing.id)) ?? existing
  parts.alarm.arm(joined.elicitation.expiresAt)
  deliver(parts, joined.elicitation, options.outlets ?? [])
  return joined.elicitation
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
