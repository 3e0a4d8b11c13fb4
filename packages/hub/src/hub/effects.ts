// Reads from the trail what calls did with the answer to a question, and whether a No came first. If a No and an effect
// compete, the earlier trail entry counts: each side writes its own entry before it reads the trail.

import type { Elicitation } from "../core/elicitation.ts"
import type { AnswerEffect } from "../core/transition.ts"
import type { ProcessId } from "../ports/process.ts"
import type { Entry, NewEntry, Trail } from "../ports/trail.ts"
import { lifeOf, thisProcess } from "./process-id.ts"

export type EffectStep = "begun" | "done" | "failed"

/** One step of an effect. `effect` is an id that is unique among the effects of all calls. */
export interface EffectEntry {
  readonly question: { readonly id: string; readonly tenant: string }
  readonly effect: string
  readonly step: EffectStep
}

export const effectEntry = ({ question, effect, step }: EffectEntry, time: number): NewEntry => ({
  ...question,
  ...{ kind: "effect", at: time, detail: { code: effect, message: step } },
})

/** Returns the first No to a question. Undefined without a No, or when it came after the last entry of `effect`. */
export function findNo(entries: readonly Entry[], effect?: string): Entry | undefined {
  const begunIndex = entries.findLastIndex(({ kind, detail }) => kind === "effect" && detail.code === effect)
  const noIndex = entries.findIndex(isNo)
  return begunIndex === -1 || noIndex < begunIndex ? entries[noIndex] : undefined
}

/**
 * Returns how far the effects that began before the first No have come. A failed effect counts as not begun. A call
 * that was over before the No counts as done.
 */
export function answerEffectOf(entries: readonly Entry[]): AnswerEffect {
  const noIndex = entries.findIndex(isNo)
  const effects = new Map<string, AnswerEffect>()
  for (const [index, { kind, at, detail }] of entries.entries()) {
    const { code = "", message } = detail
    if (kind !== "effect" && kind !== "asker") continue
    const isBeforeNo = noIndex === -1 || index < noIndex
    if (message === "begun" && isBeforeNo) effects.set(code, { state: "begun", at })
    if (message === "over" && isBeforeNo) effects.set(code, { state: "done", at })
    if (message === "done" && effects.has(code)) effects.set(code, { state: "done", at })
    if (message === "failed") effects.delete(code)
  }
  const effectStates = [...effects.values()]
  const isCall = entries.some(({ kind }) => kind === "asker")
  return (
    effectStates.findLast(({ state }) => state === "done") ??
    effectStates.at(-1) ?? { state: isCall ? "stopped" : "unknown" }
  )
}

/** The message for a person who says No to a question that was already answered. */
export function lateNoWords({ state, at = 0 }: AnswerEffect): string {
  const time = `${new Date(at).toISOString().slice(0, 19).replace("T", " ")} UTC`
  const words: Readonly<Record<AnswerEffect["state"], string>> = {
    stopped: "The No came in time: the program had not reported that anything had begun, and it stops.",
    begun: `The No came too late: what was agreed to had begun at ${time}, and could not be stopped.`,
    done: `The No came too late: what was agreed to was finished at ${time}.`,
    unknown: "The program that asked had that answer already, and may act on it.",
  }
  return words[state]
}

/**
 * What the asking call does about the answer. `waits`: the call is held, or woken by the answer. `again`: the call gets
 * the answer when its client repeats it. `given`: like `again`, and the client was given a link to the author's own
 * page which it has no way to accept. `gone`: the caller gave up. `over`: the call has ended.
 */
export type AskerState = "waits" | "again" | "given" | "gone" | "over"

/** What happens after the answer, for the page that thanks the person. */
export interface AfterAnswer {
  /** `unknown`: this process cannot check whether the asker still runs, for example on another machine. */
  readonly asker: "waits" | "again" | "gone" | "unknown"
  /** Whether the asker finds the answer when the same request is made again. */
  readonly isRepeatable: boolean
  readonly effect: AnswerEffect
  /** Whether a person said No. */
  readonly isRefused: boolean
}

/** Builds the trail entry that records what an asking call does about the answer. */
export const askerEntry = ({ question, call, state, wokenParent }: AskerEntry, time: number): NewEntry => ({
  ...{ ...question, kind: "asker", at: time },
  detail: { code: call, message: state, ...holderOf(state, wokenParent) },
})

/** Returns the process of a held call, which ends with it, or the parent of a woken call, which any process resumes. */
function holderOf(state: AskerState, wokenParent: string | undefined): Pick<NewEntry["detail"], "via" | "process"> {
  if (state !== "waits") return {}
  return wokenParent === undefined ? { process: thisProcess() } : { via: wokenParent }
}

export interface AskerEntry {
  readonly question: EffectEntry["question"]
  readonly call: string
  readonly state: AskerState
  /** The parent of a call that is woken when the question is settled. */
  readonly wokenParent?: string
}

/** The parents of the calls that are woken when this question is settled. */
export const wokenParents = (entries: readonly Entry[]): readonly string[] => [
  ...new Set(entries.flatMap(({ kind, detail }) => (kind === "asker" && detail.via !== undefined ? [detail.via] : []))),
]

/** Reads what happens after the answer. `holders` is 0 when every caller that waited for the question has given up. */
export function readAfterAnswer(entries: readonly Entry[], { holders }: Pick<Elicitation, "holders">): AfterAnswer {
  const calls = new Map(entries.flatMap(({ kind, detail }) => (kind === "asker" ? [[detail.code, detail]] : [])))
  const asker = calls.size > 0 ? stateOfCalls([...calls.values()]) : holders === 0 ? "gone" : stateOfWaiters(entries)
  return {
    ...{ asker, effect: answerEffectOf(entries), isRefused: entries.some(isNo) },
    isRepeatable: calls.size > 0,
  }
}

/** Returns what the asking calls do, according to the last entry of each call. */
function stateOfCalls(calls: readonly Entry["detail"][]): AfterAnswer["asker"] {
  const states = calls.map(({ message, via, process }) => {
    if (message === "given") return "again"
    return message === "waits" && via === undefined ? stateOfWaitingProcess(process) : message
  })
  return (["waits", "again", "unknown", "gone"] as const).find((state) => states.includes(state)) ?? "waits"
}

/** Returns what programs that asked without a call do: they wait as long as their process runs. */
function stateOfWaiters(entries: readonly Entry[]): AfterAnswer["asker"] {
  const askers = entries.filter(({ kind }) => kind === "asked" || kind === "joined")
  const states = askers.map(({ detail }) => stateOfWaitingProcess(detail.process))
  return (["waits", "unknown", "gone"] as const).find((state) => states.includes(state)) ?? "unknown"
}

function stateOfWaitingProcess(process: ProcessId | undefined): "waits" | "unknown" | "gone" {
  const life = lifeOf(process)
  return life === "runs" ? "waits" : life
}

/** Whether the page of a link may complete the question although no client accepted the link. */
export const isHandedOut = (entries: readonly Entry[]): boolean =>
  entries.some(({ kind, detail }) => kind === "asker" && detail.message === "given")

/** Whether the entry is a person's No. Entries of an asker that cancels its question name no person. */
const isNo = (entry: Entry): boolean =>
  isLateNo(entry) || (entry.detail.by !== undefined && (entry.kind === "declined" || entry.kind === "cancelled"))

/** Whether the entry is a No that came after the Yes. */
export function isLateNo({ kind, status, detail: { by, code, message } }: Entry): boolean {
  const isLate = by !== undefined && kind === "refused" && status === "completed" && code === "already_settled"
  return isLate && (message === "decline" || message === "cancel")
}

/** Reads all trail entries of one question. */
export async function readTrail(trail: Pick<Trail, "read">, id: string): Promise<readonly Entry[]> {
  const entries: Entry[] = []
  for (;;) {
    const page = await trail.read({ id, afterPosition: entries.at(-1)?.position ?? 0, limit: pageSize })
    entries.push(...page)
    if (page.length < pageSize) return entries
  }
}

const pageSize = 200
