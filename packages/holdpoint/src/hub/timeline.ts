// The timeline of a run, a call or a question, read from the trail. Pure: entries in, items out. The content of an answer
// is not in the trail, and so not in the items.

import type { YesOrNo } from "../core/decision.ts"
import type { TimelineAnswer, TimelineItem, TimelineStep } from "../core/timeline.ts"
import type { Entry, EntryKind } from "../ports/trail.ts"
import { isLateNo } from "./effects.ts"

export interface Timeline {
  /**
   * The item of an entry; undefined for one that tells people nothing, or nothing new. Give entries in the order of their
   * positions. `said` is the answer to a confirmation, which the trail does not have.
   */
  add(entry: Entry, answer?: YesOrNo): TimelineItem | undefined
}

/** A timeline from its beginning. What an entry means depends on those before it. */
export function createTimeline(): Timeline {
  const state: State = { askedAt: new Map(), told: new Set(), pausedAt: undefined }
  return {
    add(entry, said) {
      const step = readers[entry.kind]?.(entry, state, said)
      return step === undefined ? undefined : { ...step, at: new Date(entry.at).toISOString(), number: entry.position }
    },
  }
}

interface State {
  /** When each question was asked. */
  readonly askedAt: Map<string, number>
  /** What was told before, and is told once: a process that dies may write an entry again. */
  readonly told: Set<string>
  pausedAt: number | undefined
}

type Read = (entry: Entry, state: State, answer: YesOrNo | undefined) => TimelineStep | undefined

const asked: Read = ({ id, at, detail: { question, here = [] } }, { askedAt }) => {
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

const answered =
  (answer: Exclude<TimelineAnswer, YesOrNo>): Read =>
  (entry, state, said) => ({
    ...{ kind: "answered", ...questionOf(entry), ...personOf(entry) },
    answer: answer === "completed" ? (said ?? answer) : answer,
    waitedMs: waitedFor(entry, state),
  })

const called: Read = ({ detail: { code, call } }, { told }) => {
  if (call === undefined || !isFirst(told, `${code === "begun" ? code : "ended"} ${call.id}`)) return undefined
  const { toolId, tool, agent } = call
  const which = { toolId, tool, ...(agent === undefined ? {} : { agent }) }
  if (code === "begun") return { kind: "tool-called", ...which }
  return { kind: "tool-finished", ...which, outcome: code === "failed" || code === "denied" ? code : "done" }
}

const moved: Read = ({ at, detail: { code, via = "" } }, state) => {
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

const worked: Read = (entry, { told }) => {
  const { code = "", message: step } = entry.detail
  if (step !== "begun" && step !== "done" && step !== "failed") return undefined
  return isFirst(told, `effect ${code} ${step}`) ? { kind: "effect", ...questionOf(entry), step } : undefined
}

const leftBy: Read = ({ detail: { code = "", message } }, { told }) => {
  if (message !== "over" && message !== "gone") return undefined
  return isFirst(told, `asker ${code} ${message}`) ? { kind: "call-ended", status: message } : undefined
}

const readers: Partial<Record<EntryKind, Read>> = {
  asked,
  shown(entry, { told }) {
    const { via = "" } = entry.detail
    return isFirst(told, `shown ${entry.id} ${via}`) ? { kind: "shown", ...questionOf(entry), via } : undefined
  },
  opened: (entry, { told }) =>
    isFirst(told, `opened ${entry.id}`) ? { kind: "opened", ...questionOf(entry) } : undefined,
  accepted: (entry, { told }) =>
    isFirst(told, `accepted ${entry.id}`) ? { kind: "accepted", ...questionOf(entry), ...personOf(entry) } : undefined,
  voted: (entry) => ({ kind: "voted", ...questionOf(entry), ...personOf(entry) }),
  escalated: (entry) => ({ kind: "escalated", ...questionOf(entry), role: entry.detail.escalatedTo ?? "" }),
  reminded: (entry) => ({ kind: "reminded", ...questionOf(entry) }),
  completed: answered("completed"),
  declined: answered("declined"),
  cancelled: answered("cancelled"),
  failed: answered("failed"),
  unsupported: answered("unsupported"),
  expired: (entry, state) => ({ kind: "expired", ...questionOf(entry), waitedMs: waitedFor(entry, state) }),
  edited: (entry) => ({
    ...{ kind: "edited", ...questionOf(entry), ...personOf(entry), names: entry.detail.message ?? "" },
  }),
  refused: (entry) => (isLateNo(entry) ? { kind: "taken-back", ...questionOf(entry), ...personOf(entry) } : undefined),
  run: moved,
  call: called,
  effect: worked,
  asker: leftBy,
  call_cancelled: () => ({ kind: "call-ended", status: "cancelled" }),
}

const questionOf = ({ id }: Entry) => ({ elicitationId: id })

const personOf = ({ detail: { by, via } }: Entry) => ({
  ...(by === undefined ? {} : { by: by.subject }),
  ...(via === undefined ? {} : { via }),
})

const waitedFor = ({ id, at }: Entry, { askedAt }: State): number => Math.max(0, at - (askedAt.get(id) ?? at))

/** Whether this is told for the first time. */
function isFirst(reported: Set<string>, what: string): boolean {
  const isNew = !reported.has(what)
  reported.add(what)
  return isNew
}
