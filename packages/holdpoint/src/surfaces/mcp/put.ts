// Putting a question before a person, by whatever way reaches them through this client, until there is an outcome or the
// client has to come again.

import type { JournalEntry } from "../../asking/journal.ts"
import type { OpenCall } from "../../asking/open-call.ts"
import type { Reply } from "../../asking/reply.ts"
import type { Elicitation, Outcome } from "../../core/elicitation.ts"
import { toOutcome } from "../../core/elicitation.ts"
import type { Problem } from "../../core/error.ts"
import type { Outlet } from "../../ports/outlet.ts"
import type { UrlWay } from "./client.ts"
import { isModern } from "./client.ts"
import { assertOutside } from "./once.ts"
import { watchProgress } from "./progress.ts"
import { toPrompt } from "./prompt.ts"
import { pushAndWait } from "./push.ts"
import { isFirstToShow } from "./shown.ts"
import type { Suspended, Turn } from "./turn.ts"
import type { Way } from "./way.ts"
import { wayOf } from "./way.ts"
import { toAnswer } from "./wire.ts"

/** One question, ready to be asked. */
export interface Question {
  readonly key: string
  readonly mode: "form" | "url"
  readonly digest: string
  readonly urlWay?: UrlWay
  /** False when this client cannot show the form. */
  readonly fits: boolean
  /** Not asked when it is not needed, also where it was asked before. */
  readonly isOptional?: boolean
  /** What came of it when it was done is there no more. */
  readonly isLost?: () => Promise<boolean>
  /** Other calls of the same client may wait for it as well, and one prompt is enough. */
  readonly isShared?: boolean
  readonly ask: (call: OpenCall, outlets: readonly Outlet[]) => Promise<Elicitation>
}

export type Asked = Extract<JournalEntry, { kind: "asked" }>

export async function put(turn: Turn, question: Question): Promise<Outcome | Suspended> {
  const { surface, client, connection } = turn
  assertOutside(turn, question.key)
  const call = await turn.call()
  const known = await stillKnown(turn, question, call.journal.pass(question, turn.isAlone()))
  if (known?.kind === "answered") return known.outcome
  const hasPage = surface.settings.publicUrl !== undefined && connection.caller.principal !== undefined
  const way = wayOf({ ...question, hasPage }, client, surface.settings)
  if (way.carrier === "none") return unsupported(question, client.form ? "unfit" : "no_elicitation")
  if (way.carrier === "push") {
    const left = known?.kind === "asked" && question.mode === "url" ? known : undefined
    const isDone = left !== undefined && (await surface.hub.get(left.elicitation))?.status === "completed"
    // The client gave up on an earlier call while the person was at the page, and they have finished there.
    return isDone ? remember(call, left, { status: "completed" }) : pushAndWait(turn, call, question, way)
  }
  if (known?.kind === "asked") return goOn(turn, call, question, known, way)
  const elicitation = await question.ask(call, [listed])
  const asked = toAsked(question, elicitation)
  call.journal.set(asked)
  const outcome = toOutcome(elicitation)
  if (outcome !== undefined) return remember(call, asked, outcome)
  surface.hub.leave(elicitation.id)
  if (way.carrier === "error") await connection.promise?.(elicitation.id)
  if (way.carrier === "round" && question.isShared === true && !(await isFirstToShow(turn, elicitation, "round"))) {
    const waits = { ...asked, agreed: true }
    call.journal.set(waits)
    return hold(turn, call, question, waits, elicitation, way)
  }
  return toWaiting(turn, question, elicitation, way)
}

/**
 * A call that is known by what is called may find that an earlier one, of which it goes on, was done long ago: it found the
 * account and never came to its journal. An account that was lost since then is asked for anew.
 */
async function stillKnown(
  { surface }: Turn,
  { isLost }: Question,
  known: JournalEntry | undefined,
): Promise<JournalEntry | undefined> {
  if (isLost === undefined || known?.kind !== "asked") return known
  const isDone = (await surface.hub.get(known.elicitation))?.status === "completed"
  return isDone && (await isLost()) ? undefined : known
}

export function toAsked({ key, digest, isOptional }: Question, { id }: Elicitation): Asked {
  return { kind: "asked", key, digest, elicitation: id, attempts: 0, ...(isOptional === true ? { isOptional } : {}) }
}

/** It goes to the client with the result, and cannot be taken back there. */
const listed: Outlet = {
  name: "mcp",
  deliver: async () => ({ state: "listed" }),
  withdraw: async () => {},
}

/** The client came again. */
async function goOn(
  turn: Turn,
  call: OpenCall,
  question: Question,
  asked: Asked,
  way: Way,
): Promise<Outcome | Suspended> {
  const { hub } = turn.surface
  const elicitation = await hub.get(asked.elicitation)
  if (elicitation === undefined) return remember(call, asked, { status: "expired" })
  const settled = toOutcome(elicitation)
  if (settled !== undefined) return remember(call, asked, settled)
  // A link in words ends a call: who brings a state back has not been given it yet.
  if (way.carrier === "text" && turn.incoming.claimed !== undefined) return toWaiting(turn, question, elicitation, way)
  if (way.carrier !== "round") return hold(turn, call, question, asked, elicitation, way)
  const { reply, ...without } = asked
  if (reply === undefined)
    return asked.agreed === true
      ? hold(turn, call, question, asked, elicitation, way)
      : toWaiting(turn, question, elicitation, way)
  const took = await take(turn, elicitation, reply, way)
  if (took.outcome !== undefined) return remember(call, asked, took.outcome)
  if (took.problems !== undefined) return askAgain(turn, call, question, without, elicitation, way, took.problems)
  const agreed = { ...without, agreed: true }
  call.journal.set(agreed)
  return hold(turn, call, question, agreed, elicitation, way)
}

export interface Taken {
  readonly outcome?: Outcome
  /** The answer does not fit. */
  readonly problems?: readonly Problem[]
}

/** What the client brought. Neither an outcome nor problems: the person agreed to open a page. */
async function take(turn: Turn, elicitation: Elicitation, reply: Reply, way: Way): Promise<Taken> {
  const { hub } = turn.surface
  // Who accepts the page of a form has agreed to open it; what they answer there is the answer.
  if (isOnPage(elicitation, way) && reply.action === "accept")
    return toAnswer({ mode: "url" }, reply).action === "accept" ? {} : decline(turn, elicitation)
  const answer = toAnswer(elicitation, reply)
  const step = await hub.answer(elicitation.id, { by: turn.principal, via: turn.connection.via, ...answer })
  if (step.ok) return fromSettled(toOutcome(step.elicitation))
  if (step.refusal.code === "invalid_answer") return { problems: step.refusal.problems ?? [] }
  const now = await hub.get(elicitation.id)
  return now === undefined ? { outcome: { status: "expired" } } : fromSettled(toOutcome(now))
}

export const isOnPage = ({ mode }: Pick<Elicitation, "mode">, { shape }: Way): boolean =>
  mode === "form" && shape !== "form"

async function decline(turn: Turn, elicitation: Elicitation): Promise<Taken> {
  const { surface, principal, connection } = turn
  await surface.hub.answer(elicitation.id, { by: principal, action: "decline", via: connection.via })
  return { outcome: { status: "declined" } }
}

const fromSettled = (outcome: Outcome | undefined): Taken => (outcome === undefined ? {} : { outcome })

/** Asked again with the problems named, at most three times. */
async function askAgain(
  turn: Turn,
  call: OpenCall,
  question: Question,
  asked: Asked,
  elicitation: Elicitation,
  way: Way,
  problems: readonly Problem[],
): Promise<Outcome | Suspended> {
  const attempts = asked.attempts + 1
  if (attempts >= mostAttempts) {
    await turn.surface.hub.cancel(elicitation.id, invalidAnswers)
    return remember(call, asked, { status: "failed", reason: invalidAnswers })
  }
  call.journal.set({ ...asked, attempts })
  return toWaiting(turn, question, elicitation, way, problems)
}

export const mostAttempts = 3
export const clientFailed = { code: "client_failed" }
export const invalidAnswers = { code: "invalid_answers", message: "None of three answers fitted the form" }

/** Waits as long as a request may be held; then the client has to come again, and is shown nothing new. */
async function hold(
  turn: Turn,
  call: OpenCall,
  question: Question,
  asked: Asked,
  elicitation: Elicitation,
  way: Way,
): Promise<Outcome | Suspended> {
  const { surface, signal } = turn
  // It has waited long enough for one request.
  if (call.wasLeft) return toWaiting(turn, question, elicitation, way, undefined, true)
  const over = new AbortController()
  const giveUp = (): void => over.abort(signal.reason)
  signal.addEventListener("abort", giveUp, { once: true })
  const end = (): void => over.abort(over)
  const release = surface.holds.begin(end, call)
  const unhurry = turn.whenShown(end)
  const watch = watchProgress(turn, elicitation)
  try {
    signal.throwIfAborted()
    const outcome = await surface.hub.wait(elicitation.id, { signal: over.signal, onAbort: "leave" })
    await watch.settled(outcome)
    return remember(call, asked, outcome)
  } catch (error) {
    if (error !== over) throw error
    return toWaiting(turn, question, elicitation, way, undefined, isModern(turn.client))
  } finally {
    watch.stop()
    release()
    unhurry()
    signal.removeEventListener("abort", giveUp)
  }
}

function toWaiting(
  turn: Turn,
  { key }: Question,
  elicitation: Elicitation,
  way: Way,
  problems?: readonly Problem[],
  isShown = false,
): Suspended {
  const { prompt, link } = toPrompt(turn, elicitation, way, problems)
  return turn.wait({
    key,
    carrier: way.carrier as "round" | "error" | "text",
    elicitation: elicitation.id,
    lifetimeMs: elicitation.expiresAt - elicitation.createdAt,
    ...(isShown ? {} : { prompt }),
    ...(link === undefined ? {} : { link }),
  })
}

/** An outcome that is not completed is kept, too: a declined question is not put again in that call. */
export function remember(call: OpenCall, { key, digest, elicitation, isOptional }: Asked, given: Outcome): Outcome {
  const isFailed = given.status === "cancelled" && failures.has(given.reason?.code)
  const outcome: Outcome = isFailed ? { ...given, status: "failed" } : given
  const optional = isOptional === true ? { isOptional } : {}
  call.journal.set({ kind: "answered", key, digest, elicitation, outcome, ...optional })
  return outcome
}

/** What was taken back because it could not be answered here was not dismissed by anybody. */
const failures: ReadonlySet<string | undefined> = new Set([invalidAnswers.code, clientFailed.code])

function unsupported({ key }: Question, why: "unfit" | "no_elicitation"): Outcome {
  const message =
    why === "unfit"
      ? `it cannot show the form of “${key}”`
      : "it declares no elicitation, and there is no page to send the user to"
  return { status: "unsupported", reason: { code: why, message } }
}
