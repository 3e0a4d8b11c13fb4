// The timeline of a run, a call or a question, read from the trail. Pure: entries in, items out. The content of an
// answer is not in the trail, and so not in the items.

import type { YesOrNo } from "../core/decision.ts"
import type { TimelineAnswer, TimelineItem, TimelineStep } from "../core/timeline.ts"
import type { Entry, EntryKind } from "../ports/trail.ts"
import { isLateNo } from "./effects.ts"

export interface Timeline {
  /**
   * Returns the item of an entry. Undefined for an entry that shows people nothing new. Pass the entries in the order
   * of their positions. `answer` is the answer to a confirmation, which is not in the trail.
   */
  add(entry: Entry, answer?: YesOrNo): TimelineItem | undefined
}

/** Creates an empty timeline. The meaning of an entry depends on the entries before it, so start with the first one. */
export function createTimeline(): Timeline {
  const state: State = { askedAt: new Map(), reported: new Set(), pausedAt: undefined }
  return {
    add(entry, answer) {
      const step = readers[entry.kind]?.(entry, state, answer)
      return step === undefined ? undefined : { ...step, at: new Date(entry.at).toISOString(), number: entry.position }
    },
  }
}

interface State {
  /** When each question was asked. */
  readonly askedAt: Map<string, number>
  /** Keys of the items that appear only once: after a crash, another process may write the same entry again. */
  readonly reported: Set<string>
  pausedAt: number | undefined
}

type EntryReader = (entry: Entry, state: State, answer: YesOrNo | undefined) => TimelineStep | undefined

const readAsked: EntryReader = ({ id, at, detail: { question, here = [] } }, { askedAt }) => {
  if (question === undefined) return undefined
  askedAt.set(id, at)
  const { mode, message, requester, context } = question
  const { tool, agent } = context as { readonly tool?: unknown; readonly agent?: unknown }
  return {
    ...{ kind: "asked", elicitationId: id, mode, message, requester: requester.name ?? requester.id, shown: here },
    ...(typeof tool === "string" ? { tool } : {}),
    ...(typeof agent === "string" ? { agent } : {}),
  }
}

const readAnswer =
  (answer: Exclude<TimelineAnswer, YesOrNo>): EntryReader =>
  (entry, state, yesOrNo) => ({
    ...{ kind: "answered", ...questionOf(entry), ...personOf(entry) },
    answer: answer === "completed" ? (yesOrNo ?? answer) : answer,
    waitedMs: waitedMsOf(entry, state),
  })

const readCall: EntryReader = ({ detail: { code, call } }, { reported }) => {
  if (call === undefined || !markReported(reported, `${code === "begun" ? code : "ended"} ${call.id}`)) return undefined
  const { toolId, tool, agent } = call
  const toolFields = { toolId, tool, ...(agent === undefined ? {} : { agent }) }
  if (code === "begun") return { kind: "tool-called", ...toolFields }
  return { kind: "tool-finished", ...toolFields, outcome: code === "failed" || code === "denied" ? code : "done" }
}

const readRun: EntryReader = ({ at, detail: { code, via = "" } }, state) => {
  const { pausedAt } = state
  state.pausedAt = code === "waiting" ? at : undefined
  switch (code) {
    case "begun":
      return { kind: "run-started", agent: via }
    case "waiting":
      return { kind: "paused" }
    case "running":
      return { kind: "resumed", waitedMs: Math.max(0, at - (pausedAt ?? at)) }
    case "stop_requested":
      return { kind: "stop-requested" }
    case "done":
    case "failed":
    case "stopped":
      return { kind: "run-ended", status: code }
    default:
      return undefined
  }
}

const readEffect: EntryReader = (entry, { reported }) => {
  const { code = "", message: step } = entry.detail
  if (step !== "begun" && step !== "done" && step !== "failed") return undefined
  return markReported(reported, `effect ${code} ${step}`) ? { kind: "effect", ...questionOf(entry), step } : undefined
}

const readAsker: EntryReader = ({ detail: { code = "", message } }, { reported }) => {
  if (message !== "over" && message !== "gone") return undefined
  return markReported(reported, `asker ${code} ${message}`) ? { kind: "call-ended", status: message } : undefined
}

const readers: Partial<Record<EntryKind, EntryReader>> = {
  asked: readAsked,
  shown(entry, { reported }) {
    const { via = "" } = entry.detail
    return markReported(reported, `shown ${entry.id} ${via}`) ? { kind: "shown", ...questionOf(entry), via } : undefined
  },
  opened: (entry, { reported }) =>
    markReported(reported, `opened ${entry.id}`) ? { kind: "opened", ...questionOf(entry) } : undefined,
  accepted: (entry, { reported }) =>
    markReported(reported, `accepted ${entry.id}`)
      ? { kind: "accepted", ...questionOf(entry), ...personOf(entry) }
      : undefined,
  voted: (entry) => ({ kind: "voted", ...questionOf(entry), ...personOf(entry) }),
  escalated: (entry) => ({ kind: "escalated", ...questionOf(entry), role: entry.detail.escalatedTo ?? "" }),
  reminded: (entry) => ({ kind: "reminded", ...questionOf(entry) }),
  completed: readAnswer("completed"),
  declined: readAnswer("declined"),
  cancelled: readAnswer("cancelled"),
  failed: readAnswer("failed"),
  unsupported: readAnswer("unsupported"),
  expired: (entry, state) => ({ kind: "expired", ...questionOf(entry), waitedMs: waitedMsOf(entry, state) }),
  edited: (entry) => ({
    ...{ kind: "edited", ...questionOf(entry), ...personOf(entry), names: entry.detail.message ?? "" },
  }),
  refused: (entry) => (isLateNo(entry) ? { kind: "taken-back", ...questionOf(entry), ...personOf(entry) } : undefined),
  run: readRun,
  call: readCall,
  effect: readEffect,
  asker: readAsker,
  call_cancelled: () => ({ kind: "call-ended", status: "cancelled" }),
}

const questionOf = ({ id }: Entry) => ({ elicitationId: id })

const personOf = ({ detail: { by, via } }: Entry) => ({
  ...(by === undefined ? {} : { by: by.subject }),
  ...(via === undefined ? {} : { via }),
})

const waitedMsOf = ({ id, at }: Entry, { askedAt }: State): number => Math.max(0, at - (askedAt.get(id) ?? at))

/** Adds the key of an item. Returns whether the key is new, so that the item has not appeared before. */
function markReported(reported: Set<string>, key: string): boolean {
  const isNew = !reported.has(key)
  reported.add(key)
  return isNew
}
