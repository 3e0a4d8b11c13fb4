// Questions that a call asks on behalf of another program: with details of that program, and answered with an outcome
// instead of an exception. Also what carries such a program's own call over several runs. For surfaces, not for authors.

import type { Outcome } from "../core/elicitation.ts"
import { isSettled } from "../core/elicitation.ts"
import type { ErrorCode } from "../core/error.ts"
import { HoldpointError, isHoldpointError } from "../core/error.ts"
import { defaultLimits } from "../core/limits.ts"
import type { FormSource } from "../core/question.ts"
import type { Ask } from "./ask.ts"
import { stateOf } from "./ask.ts"
import type { Asking } from "./asking.ts"
import { digestOf } from "./digest.ts"
import { checkKey, keyWithin, scopeWithin } from "./key.ts"
import { keepResult } from "./once.ts"
import { isCallParent } from "./parent.ts"
import { askQuestion } from "./prompting.ts"
import type { Question, Wording } from "./question.ts"
import { formQuestion, urlQuestion } from "./question.ts"
import type { Run } from "./run.ts"
import { callOf, leaveAt, runStep } from "./run.ts"

/** What the other program asks. */
export interface AskedFor extends Wording {
  /** Gets the id of the question, whenever it is asked in this process. */
  readonly onAsked?: (elicitation: string) => void
  /** When the other program stops waiting. The question lives no longer, if it would otherwise. */
  readonly expiresAt?: number
}

export function askFormFor(ask: Ask, asked: AskedFor, schema: FormSource): Promise<Outcome> {
  return put(ask, asked, (run, wording) => formQuestion(run, wording, schema))
}

export function askUrlFor(ask: Ask, asked: AskedFor, url: string): Promise<Outcome> {
  return put(ask, asked, (run, wording) => urlQuestion(run, wording, url))
}

/** Whether the error says that a question cannot be put to a person, so that the other program is told No. */
export const isUnaskable = (error: unknown): error is HoldpointError =>
  isHoldpointError(error) && unaskable.has(error.code)

/** Secrets in forms, forms outside of the subset, unsafe addresses, floods. */
const unaskable: ReadonlySet<ErrorCode> = new Set([
  "secret_in_form",
  "invalid_question",
  "unsafe_url",
  "too_many_for_person",
  "too_many_for_tenant",
])

function put(ask: Ask, asked: AskedFor, build: (run: Run, wording: Wording) => Question): Promise<Outcome> {
  const { run, scope } = stateOf(ask)
  const { onAsked, expiresAt, ...wording } = asked
  const options =
    expiresAt === undefined ? wording.options : { ...wording.options, lifetimeMs: lifetimeTo(run, expiresAt) }
  const question = build(run, { ...wording, options, key: keyWithin(scope, checkKey(asked.key)) })
  const noted: Question = {
    ...question,
    async ask(call, outlets) {
      const elicitation = await question.ask(call, outlets)
      onAsked?.(elicitation.id)
      return elicitation
    },
  }
  return runStep(run, askQuestion, noted)
}

const lifetimeTo = ({ asker, asking }: Run, expiresAt: number): number =>
  Math.max(defaultLimits.minLifetimeMs, Math.min(asker.lifetimeMs, expiresAt - asking.runtime.now()))

/**
 * Waits for a question that another call has asked at the same hub, as for one of this call. The other call does what
 * relies on the answer.
 */
export function joinQuestion(ask: Ask, key: string, { elicitation, mode }: Joined): Promise<Outcome> {
  const { run, scope } = stateOf(ask)
  const question: Question = {
    key: keyWithin(scope, checkKey(key)),
    mode,
    digest: digestOf(["joined", elicitation]),
    options: {},
    isShared: true,
    isJoined: true,
    async ask() {
      const found = await run.asking.hub.get(elicitation)
      if (found !== undefined) return found
      throw new HoldpointError("not_found", `The question “${elicitation}” of another call is not there any more.`)
    },
  }
  return runStep(run, askQuestion, question)
}

interface Joined {
  readonly elicitation: string
  readonly mode: Question["mode"]
}

/** Counts as work of the run, which is not suspended before it is done. */
export function workFor<T>(ask: Ask, work: () => Promise<T>): Promise<T> {
  return runStep(stateOf(ask).run, work, undefined)
}

/** Whether another process goes on with the call by itself, when this one closes. */
export const canLeave = async (ask: Ask): Promise<boolean> => isCallParent(await parentFor(ask))

/** Leaves the call to its next run: here after an answer, or in another process. Never resolves. Only when `canLeave`. */
export function leaveRun(ask: Ask): Promise<never> {
  return runStep<undefined, never>(stateOf(ask).run, async (run) => leaveAt(run), undefined)
}

/**
 * Aborted when a question at which this run is suspended was answered. Work that keeps the run for long should then be
 * left, so that the run goes on with the answer. The questions that the work itself waits for do not count.
 */
export function answeredSignal(ask: Ask, isOwn: (elicitation: string) => boolean): AbortSignal {
  const { run } = stateOf(ask)
  const answered = new AbortController()
  const unfollow = run.asking.followers.followAll(({ id, status, kind }) => {
    const isAnswer = status !== undefined && (isSettled(status) || kind === "accepted")
    if (isAnswer && !isOwn(id) && run.waiting.some(({ elicitation }) => elicitation === id)) answered.abort()
  })
  run.ends = [...run.ends, unfollow]
  return answered.signal
}

/**
 * Like `ask.once` for work that may be done again and relies on no answer. Only its result is stored, so that it costs
 * one write instead of two.
 */
export function resultOf<T>(ask: Ask, key: string, work: () => Promise<T>): Promise<T> {
  const { run, scope } = stateOf(ask)
  return runStep(run, keepResult<T>, { key: keyWithin(scope, key), effect: work })
}

/** Calls back when this run of the handler ends or is suspended. */
export function onRunEnd(ask: Ask, end: () => void): void {
  const { run } = stateOf(ask)
  run.ends = [...run.ends, end]
}

/** Aborted when the caller gives up the call. A No of a person does not abort it, for work that has begun before. */
export const givenUpSignal = (ask: Ask): AbortSignal => stateOf(ask).run.signal

export const askingOf = (ask: Ask): Asking => stateOf(ask).run.asking

/** The parent of the questions of this call. */
export async function parentFor(ask: Ask): Promise<string> {
  const { run } = stateOf(ask)
  return run.carrier.address(run, await callOf(run)).parent
}

/** An id for what an effect sends: the same whenever, and in whichever process, the effect is done. */
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

/** The effects of the call that are done: their keys, with the scopes, and what they gave. */
export async function effectsOf(ask: Ask): Promise<readonly { readonly key: string; readonly value: unknown }[]> {
  const { journal } = await callOf(stateOf(ask).run)
  return [...journal.entries.values()].flatMap((entry) =>
    entry.kind === "done" ? [{ key: entry.key.replace(/^once /, ""), value: entry.value }] : [],
  )
}

/** Counts an effect that is done as not done: the next run does it again. */
export async function undoEffect(ask: Ask, key: string): Promise<void> {
  const { run, scope } = stateOf(ask)
  const call = await callOf(run)
  const entry = call.journal.get(`once ${keyWithin(scope, key)}`)
  if (entry?.kind !== "done") return
  const { value: _value, ...rest } = entry
  call.journal.set({ ...rest, kind: "failed" })
  await call.save()
}

/** The question at the hub that was asked under this key. Undefined when none was. */
export async function elicitationOf(ask: Ask, key: string): Promise<string | undefined> {
  const { run, scope } = stateOf(ask)
  const entry = (await callOf(run)).journal.get(keyWithin(scope, key))
  return entry !== undefined && "elicitation" in entry ? entry.elicitation : undefined
}

/** A question of an earlier run: what was asked, and the question at the hub. */
export interface PassedQuestion {
  readonly digest: string
  readonly elicitation: string
}

/**
 * Marks everything that earlier runs asked and did in a scope as reached, because this run need not come to it again.
 * Returns the questions.
 */
export async function passScope(ask: Ask, name: string): Promise<readonly PassedQuestion[]> {
  const { run, scope } = stateOf(ask)
  const { journal } = await callOf(run)
  const within = scopeWithin(scope, name)
  const passed = [...journal.entries.values()].filter(({ key }) => isWithin(key, within))
  for (const entry of passed) journal.pass(entry)
  return passed.flatMap((entry) => ("elicitation" in entry ? [entry] : []))
}

/**
 * What an effect at the end of a scope gave in an earlier run: then this run need not come to the scope again. Undefined
 * when it is not done.
 */
export async function finishedScope<T>(ask: Ask, name: string, key: string): Promise<T | undefined> {
  const { run, scope } = stateOf(ask)
  const entry = (await callOf(run)).journal.get(`once ${scopeWithin(scope, name)}${key}`)
  if (entry?.kind !== "done" || entry.value === undefined) return undefined
  await passScope(ask, name)
  return entry.value as T
}

/** Whether an earlier run asked or did something in a scope. */
export async function isBegunScope(ask: Ask, name: string): Promise<boolean> {
  const { run, scope } = stateOf(ask)
  const within = scopeWithin(scope, name)
  return [...(await callOf(run)).journal.entries.values()].some(({ key }) => isWithin(key, within))
}

const isWithin = (key: string, scope: string): boolean => key.replace(/^once /, "").startsWith(scope)
