// Asks questions on behalf of another program, such as an MCP server. These verbs return the outcome and never throw a
// refusal. Also continues that program's call over several runs. For surfaces, not authors.

import type { ErrorCode, FormSource, Outcome } from "@holdpoint/hub"
import { defaultLimits, HoldpointError, isHoldpointError, isSettled } from "@holdpoint/hub"
import type { Ask } from "./ask.ts"
import { stateOf } from "./ask.ts"
import type { Asking } from "./asking.ts"
import { digestOf } from "./digest.ts"
import { checkKey, keyWithin, scopeWithin } from "./key.ts"
import { keepResult } from "./once.ts"
import { isCallParent } from "./parent.ts"
import { askQuestion } from "./prompting.ts"
import type { Question, QuestionOptions, Wording } from "./question.ts"
import { formQuestion, urlQuestion } from "./question.ts"
import type { Run } from "./run.ts"
import { callOf, leaveAt, runStep } from "./run.ts"

/** A question that another program asks through this call. */
export interface RelayedQuestion extends Wording {
  /** Called with the question's id each time this process asks the question. */
  readonly onAsked?: (elicitation: string) => void
  /** When the other program stops waiting. The question expires at that time at the latest. */
  readonly expiresAt?: number
}

export function askFormFor(ask: Ask, relayedQuestion: RelayedQuestion, schema: FormSource): Promise<Outcome> {
  return relay(ask, relayedQuestion, (run, wording) => formQuestion(run, wording, schema))
}

export function askUrlFor(ask: Ask, relayedQuestion: RelayedQuestion, url: string): Promise<Outcome> {
  return relay(ask, relayedQuestion, (run, wording) => urlQuestion(run, wording, url))
}

/** Whether the error means that a question cannot be shown to a person, so that the other program gets a decline. */
export const isUnaskable = (error: unknown): error is HoldpointError =>
  isHoldpointError(error) && unaskableCodes.has(error.code)

/** The codes for secrets in forms, unsupported forms, unsafe addresses, and too many open questions. */
const unaskableCodes: ReadonlySet<ErrorCode> = new Set([
  "secret_in_form",
  "invalid_question",
  "unsafe_url",
  "too_many_for_person",
  "too_many_for_tenant",
  "too_many_for_program",
])

/** Whether the error means that the person has too many open questions now, so that the other program gets a cancel. */
export const isTooMany = ({ code }: Pick<HoldpointError, "code">): boolean => code.startsWith("too_many_")

/**
 * Asks the question. That it was not asked because too many are open is stored, so that a later run of the call, which
 * finds more places, does not ask it after all.
 */
async function relay(ask: Ask, relayedQuestion: RelayedQuestion, build: BuildQuestion): Promise<Outcome> {
  const crowdedKey = `crowded ${relayedQuestion.key}`
  const keepProblem = (problem: string): Promise<string> => resultOf(ask, crowdedKey, async () => problem)
  if (await isDone(ask, crowdedKey)) throw new HoldpointError("too_many_for_program", await keepProblem(""))
  try {
    return await askNow(ask, relayedQuestion, build)
  } catch (error) {
    if (isUnaskable(error) && isTooMany(error)) await keepProblem(error.message)
    throw error
  }
}

type BuildQuestion = (run: Run, wording: Wording) => Question

function askNow(ask: Ask, relayedQuestion: RelayedQuestion, build: BuildQuestion): Promise<Outcome> {
  const { run, scope } = stateOf(ask)
  const { onAsked, expiresAt, ...wording } = relayedQuestion
  const options =
    expiresAt === undefined ? wording.options : { ...wording.options, lifetimeMs: lifetimeTo(run, expiresAt) }
  const question = build(run, { ...wording, options, key: keyWithin(scope, checkKey(relayedQuestion.key)) })
  const observedQuestion: Question = {
    ...question,
    async ask(call, outlets) {
      const elicitation = await question.ask(call, outlets)
      onAsked?.(elicitation.id)
      return elicitation
    },
  }
  return runStep(run, askQuestion, observedQuestion)
}

const lifetimeTo = ({ asker, asking }: Run, expiresAt: number): number =>
  Math.max(defaultLimits.minLifetimeMs, Math.min(asker.lifetimeMs, expiresAt - asking.runtime.now()))

/**
 * Waits for a question that another call has asked at the same hub. Effects that rely on the answer belong to that
 * other call.
 */
export function joinQuestion(ask: Ask, key: string, joined: JoinedQuestion): Promise<Outcome> {
  const { run, scope } = stateOf(ask)
  return runStep(run, askJoined, { ...joined, key: keyWithin(scope, checkKey(key)) })
}

async function askJoined(run: Run, { key, elicitation: id, mode, until }: JoinedQuestion & { readonly key: string }) {
  const { hub } = run.asking
  const elicitation = await hub.get(id)
  const question: Question = {
    ...{ key, mode, digest: digestOf(["joined", id]) },
    // Undefined when the question was removed, which matters only if this call has no answer to it.
    ...(elicitation?.mode === "form" ? { form: elicitation.requestedSchema } : {}),
    options: { until },
    isShared: true,
    isJoined: true,
    async ask() {
      if (elicitation !== undefined) return elicitation
      throw new HoldpointError("not_found", `The question “${id}” of another call no longer exists.`)
    },
  }
  return askQuestion(run, question)
}

export interface JoinedQuestion {
  readonly elicitation: string
  readonly mode: Question["mode"]
  /** Until when that other call waits for a link. */
  readonly until?: QuestionOptions["until"]
}

/** Does work that belongs to the run: the run is not suspended before the work is done. */
export function workFor<T>(ask: Ask, work: () => Promise<T>): Promise<T> {
  return runStep(stateOf(ask).run, work, undefined)
}

/** Whether another process resumes the call by itself when this process closes. */
export const canLeave = async (ask: Ask): Promise<boolean> => isCallParent(await parentFor(ask))

/**
 * Ends this run, so that a new run resumes the call, here or in another process. Never resolves. Requires `canLeave`.
 */
export function leaveRun(ask: Ask): Promise<never> {
  return runStep<undefined, never>(stateOf(ask).run, async (run) => leaveAt(run), undefined)
}

/**
 * Returns a signal that aborts when a person answers a question of this run. Long work should then stop, so that the
 * next run uses the answer. Questions for which `isOwn` is true, which the work itself waits for, do not count.
 */
export function answeredSignal(ask: Ask, isOwn: (elicitation: string) => boolean): AbortSignal {
  const { run } = stateOf(ask)
  const controller = new AbortController()
  const unfollow = run.asking.followers.followAll(({ id, status, kind }) => {
    const isAnswer = status !== undefined && (isSettled(status) || kind === "accepted")
    if (isAnswer && !isOwn(id) && run.waiting.some(({ elicitation }) => elicitation === id)) controller.abort()
  })
  run.endListeners = [...run.endListeners, unfollow]
  return controller.signal
}

/**
 * Like `ask.once`, for work that may be repeated and does not rely on an answer. Only the result is stored, which costs
 * one write instead of two.
 */
export function resultOf<T>(ask: Ask, key: string, work: () => Promise<T>): Promise<T> {
  const { run, scope } = stateOf(ask)
  return runStep(run, keepResult<T>, { key: keyWithin(scope, key), effect: work })
}

/** Calls back when this run of the handler ends or is suspended. */
export function onRunEnd(ask: Ask, listener: () => void): void {
  const { run } = stateOf(ask)
  run.endListeners = [...run.endListeners, listener]
}

/** Returns a signal that aborts when the caller gives up the call. A late No of a person does not abort the signal. */
export const givenUpSignal = (ask: Ask): AbortSignal => stateOf(ask).run.signal

export const askingOf = (ask: Ask): Asking => stateOf(ask).run.asking

/** The parent of the questions of this call. */
export async function parentFor(ask: Ask): Promise<string> {
  const { run } = stateOf(ask)
  return run.carrier.address(run, await callOf(run)).parent
}

/** An id for the request that an effect sends: equal in every run and in every process. */
export async function idFor(ask: Ask, key: string): Promise<string> {
  const { run, scope } = stateOf(ask)
  const { id, generation } = await callOf(run)
  return digestOf([id, generation, keyWithin(scope, key)])
}

/** Whether an effect is done, according to the journal. */
export async function isDone(ask: Ask, key: string): Promise<boolean> {
  const { run, scope } = stateOf(ask)
  return (await callOf(run)).journal.get(`once ${keyWithin(scope, key)}`)?.kind === "done"
}

/** The effects of the call that are done: their keys, including scopes, and their results. */
export async function effectsOf(ask: Ask): Promise<readonly { readonly key: string; readonly value: unknown }[]> {
  const { journal } = await callOf(stateOf(ask).run)
  return [...journal.entries.values()].flatMap((entry) =>
    entry.kind === "done" ? [{ key: entry.key.replace(/^once /, ""), value: entry.value }] : [],
  )
}

/** Marks an effect that is done as failed, so that the next run repeats it. */
export async function undoEffect(ask: Ask, key: string): Promise<void> {
  const { run, scope } = stateOf(ask)
  const call = await callOf(run)
  const entry = call.journal.get(`once ${keyWithin(scope, key)}`)
  if (entry?.kind !== "done") return
  const { value: _value, ...withoutValue } = entry
  call.journal.set({ ...withoutValue, kind: "failed" })
  await call.save()
}

/** The id of the question that was asked under this key. Undefined when there is none. */
export async function elicitationOf(ask: Ask, key: string): Promise<string | undefined> {
  const { run, scope } = stateOf(ask)
  const entry = (await callOf(run)).journal.get(keyWithin(scope, key))
  return entry !== undefined && "elicitation" in entry ? entry.elicitation : undefined
}

/** A question of an earlier run: the digest of its content, and its id at the hub. */
export interface VisitedQuestion {
  readonly digest: string
  readonly elicitation: string
}

/**
 * Marks all questions and effects that earlier runs reached in a scope as reached, so that this run may skip them.
 * Returns the questions.
 */
export async function visitScope(ask: Ask, name: string): Promise<readonly VisitedQuestion[]> {
  const { run, scope } = stateOf(ask)
  const { journal } = await callOf(run)
  const fullScope = scopeWithin(scope, name)
  const scopeEntries = [...journal.entries.values()].filter(({ key }) => isWithin(key, fullScope))
  for (const entry of scopeEntries) journal.visitStep(entry)
  return scopeEntries.flatMap((entry) => ("elicitation" in entry ? [entry] : []))
}

/**
 * The result that the last effect of a scope had in an earlier run, which lets this run skip the scope. Undefined when
 * that effect is not done.
 */
export async function finishedScope<T>(ask: Ask, name: string, key: string): Promise<T | undefined> {
  const { run, scope } = stateOf(ask)
  const entry = (await callOf(run)).journal.get(`once ${scopeWithin(scope, name)}${key}`)
  if (entry?.kind !== "done" || entry.value === undefined) return undefined
  await visitScope(ask, name)
  return entry.value as T
}

/** Whether an earlier run asked or did something in a scope. */
export async function isBegunScope(ask: Ask, name: string): Promise<boolean> {
  const { run, scope } = stateOf(ask)
  const fullScope = scopeWithin(scope, name)
  return [...(await callOf(run)).journal.entries.values()].some(({ key }) => isWithin(key, fullScope))
}

const isWithin = (key: string, scope: string): boolean => key.replace(/^once /, "").startsWith(scope)
