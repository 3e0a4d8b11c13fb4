// What calls have done with the answer to a question, and whether a No came first, as the trail tells: of a No and an
// effect, the one that was written first counts. Each side writes before it reads.

import type { Aftermath } from "../core/transition.ts"
import type { Entry, NewEntry, Trail } from "../ports/trail.ts"

export type EffectStep = "begun" | "done" | "failed"

/** `effect` names it among all effects of all calls. */
export interface EffectEntry {
  readonly question: { readonly id: string; readonly tenant: string }
  readonly effect: string
  readonly step: EffectStep
}

export const effectEntry = ({ question, effect, step }: EffectEntry, at: number): NewEntry => ({
  ...question,
  ...{ kind: "effect", at, detail: { code: effect, message: step } },
})

/** The first No to a question that was answered, unless this effect had begun before it. */
export function findNo(entries: readonly Entry[], effect?: string): Entry | undefined {
  const begun = entries.findLastIndex(({ kind, detail }) => kind === "effect" && detail.code === effect)
  const no = entries.findIndex(isNo)
  return begun === -1 || no < begun ? entries[no] : undefined
}

/** What was done by the time of the first No. An effect that failed was not done; a call that is over has done its work. */
export function aftermathOf(entries: readonly Entry[]): Aftermath {
  const no = entries.findIndex(isNo)
  const effects = new Map<string, Aftermath>()
  for (const [index, { kind, at, detail }] of entries.entries()) {
    const { code = "", message } = detail
    if (kind !== "effect" && kind !== "asker") continue
    const isBefore = no === -1 || index < no
    if (message === "begun" && isBefore) effects.set(code, { state: "begun", at })
    if (message === "over" && isBefore) effects.set(code, { state: "done", at })
    if (message === "done" && effects.has(code)) effects.set(code, { state: "done", at })
    if (message === "failed") effects.delete(code)
  }
  const all = [...effects.values()]
  const isCall = entries.some(({ kind }) => kind === "asker")
  return all.findLast(({ state }) => state === "done") ?? all.at(-1) ?? { state: isCall ? "stopped" : "unknown" }
}

/** For a person who says No to what was answered before. */
export function lateNoWords({ state, at = 0 }: Aftermath): string {
  const when = `${new Date(at).toISOString().slice(0, 19).replace("T", " ")} UTC`
  const words: Readonly<Record<Aftermath["state"], string>> = {
    stopped: "The No came in time: nothing that the program tells of had begun, and it stops.",
    begun: `The No came too late: what was agreed to had begun at ${when}, and could not be stopped.`,
    done: `The No came too late: what was agreed to was finished at ${when}.`,
    unknown: "The program that asked had that answer already, and may act on it.",
  }
  return words[state]
}

/**
 * `waits`: its call is held, or woken by the answer. `again`: it hears it when it comes again. `given`: so it does, and its
 * client was given a link to a page of the author's own in a way in which it cannot accept it. `gone`: it gave up. `over`:
 * its call has come to its end.
 */
export type AskerState = "waits" | "again" | "given" | "gone" | "over"

/** What follows the answer. */
export interface Sequel {
  readonly asker: "waits" | "again" | "gone"
  readonly effect: Aftermath
  /** A No came after it. */
  readonly isRefused: boolean
}

/** Of one call that asks: what it does about the answer. */
export const askerEntry = (
  {
    question,
    call,
    state,
  }: { readonly question: EffectEntry["question"]; readonly call: string; readonly state: AskerState },
  at: number,
): NewEntry => ({ ...question, kind: "asker", at, detail: { code: call, message: state } })

export function sequelOf(entries: readonly Entry[]): Sequel {
  const last = new Map(entries.flatMap(({ kind, detail }) => (kind === "asker" ? [[detail.code, detail.message]] : [])))
  const states = new Set(last.values())
  const asker = (["waits", "again", "given", "gone"] as const).find((state) => states.has(state)) ?? "waits"
  return { asker: asker === "given" ? "again" : asker, effect: aftermathOf(entries), isRefused: entries.some(isNo) }
}

/** Its page need not wait for a client that agrees to open it. */
export const isGiven = (entries: readonly Entry[]): boolean =>
  entries.some(({ kind, detail }) => kind === "asker" && detail.message === "given")

/** Of a person: what the asker takes back has no person's name. */
const isNo = (entry: Entry): boolean =>
  isLateNo(entry) || (entry.detail.by !== undefined && (entry.kind === "declined" || entry.kind === "cancelled"))

/** One that comes after the Yes. */
export function isLateNo({ kind, status, detail: { by, code, message } }: Entry): boolean {
  const isLate = by !== undefined && kind === "refused" && status === "completed" && code === "already_settled"
  return isLate && (message === "decline" || message === "cancel")
}

/** All that is known of one question. */
export async function readTrail(trail: Pick<Trail, "read">, id: string): Promise<readonly Entry[]> {
  const entries: Entry[] = []
  for (;;) {
    const page = await trail.read({ id, afterPosition: entries.at(-1)?.position ?? 0, limit: pageSize })
    entries.push(...page)
    if (page.length < pageSize) return entries
  }
}

const pageSize = 200
