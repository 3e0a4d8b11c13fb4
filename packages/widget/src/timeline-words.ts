// Describes the steps of a timeline in words. Pure. The timeline leaves out steps of unknown kinds.

import type { TimelineItem } from "@holdpoint/hub/stream"
import type { Translate } from "./texts.ts"

type Kind = TimelineItem["kind"]
type Item<K extends Kind> = Extract<TimelineItem, { readonly kind: K }>

/** The appearance of a step: the begin or end of a run, a question, a success, a failure, or an ordinary step. */
export type StepTone = "run" | "ask" | "good" | "bad" | "quiet"

export interface StepWords {
  readonly words: string
  readonly tone: StepTone
}

/** The kinds that the timeline shows. Only the page of a question shows the others. */
type ShownKind = Exclude<Kind, "escalated" | "reminded">

type Words = { readonly [K in ShownKind]: (item: Item<K>, translate: Translate) => StepWords }

export function wordsOfStep(item: TimelineItem, translate: Translate): StepWords | undefined {
  const write = Object.hasOwn(steps, item.kind)
    ? (steps[item.kind as ShownKind] as (item: TimelineItem, translate: Translate) => StepWords)
    : undefined
  return write?.(item, translate)
}

const steps: Words = {
  "run-started": ({ agent }, translate) => ({ words: translate("runStarted", { agent }), tone: "run" }),
  "tool-called": ({ tool, agent }, translate) => ({
    words: withName(agent, translate("toolCalled", { tool })),
    tone: "quiet",
  }),
  "tool-finished": ({ tool, agent, outcome }, translate) => ({
    words: withName(agent, translate(toolEndTexts[outcome], { tool })),
    tone: outcome === "done" ? "quiet" : "bad",
  }),
  asked: ({ message, agent }, translate) => ({
    words: withName(agent, translate("asked", { message: firstLine(message) })),
    tone: "ask",
  }),
  shown: ({ via }, translate) => ({ words: translate("shown", { place: placeOf(via, translate) }), tone: "quiet" }),
  opened: (_, translate) => ({ words: translate("linkOpened"), tone: "quiet" }),
  accepted: ({ by: person = "" }, translate) => ({ words: withName(person, translate("linkAccepted")), tone: "quiet" }),
  answered: ({ answer, waitedMs, by: person, via }, translate) => ({
    words: [
      withName(person, translate(answerTexts[answer])),
      ...(via === undefined ? [] : [placeOf(via, translate)]),
      translate("afterTime", { time: durationOf(waitedMs) }),
    ].join(", "),
    tone: answer === "yes" || answer === "completed" ? "good" : "bad",
  }),
  voted: ({ by: person }, translate) => ({ words: withName(person, translate("voted")), tone: "good" }),
  expired: ({ waitedMs }, translate) => ({
    words: `${translate("saidExpired")}, ${translate("afterTime", { time: durationOf(waitedMs) })}`,
    tone: "bad",
  }),
  edited: ({ names, by: person }, translate) => ({
    words: withName(person, translate("edited", { names })),
    tone: "quiet",
  }),
  "taken-back": ({ by: person }, translate) => ({ words: withName(person, translate("takenBack")), tone: "bad" }),
  paused: (_, translate) => ({ words: translate("paused"), tone: "ask" }),
  resumed: ({ waitedMs }, translate) => ({ words: translate("resumed", { time: durationOf(waitedMs) }), tone: "good" }),
  "stop-requested": (_, translate) => ({ words: translate("stopRequested"), tone: "quiet" }),
  "run-ended": ({ status }, translate) => ({
    words: translate(runEndTexts[status]),
    tone: status === "done" ? "run" : "bad",
  }),
  effect: ({ step }, translate) => ({ words: translate(effectTexts[step]), tone: step === "failed" ? "bad" : "quiet" }),
  "call-ended": (_, translate) => ({ words: translate("callEnded"), tone: "quiet" }),
}

type Name = Parameters<Translate>[0]

const toolEndTexts = { done: "toolDone", failed: "toolFailed", denied: "toolDenied" } as const
const runEndTexts = { done: "runDone", failed: "failed", stopped: "runStopped" } as const
const effectTexts = { begun: "effectBegun", done: "effectDone", failed: "effectFailed" } as const
const answerTexts: Readonly<Record<Item<"answered">["answer"], Name>> = {
  ...{ yes: "saidYes", no: "saidNo", completed: "saidDone", declined: "saidDeclined", cancelled: "saidCancelled" },
  ...{ failed: "questionFailed", unsupported: "unsupported" },
}

const withName = (name: string | undefined, words: string): string =>
  name === undefined || name === "" ? words : `${name}: ${words}`

const firstLine = (message: string): string => message.split("\n")[0]?.replace(/:$/, "") ?? ""

const placeTexts: Readonly<Record<string, Name>> = {
  "run api": "inChat",
  web: "onPage",
  page: "onPage",
  inbox: "inInbox",
}

function placeOf(via: string, translate: Translate): string {
  const name = Object.hasOwn(placeTexts, via) ? placeTexts[via] : undefined
  return name === undefined ? via : translate(name)
}

/** A duration with its unit, which is the same in every supported language. */
function durationOf(ms: number): string {
  if (ms < 1_000) return `${ms} ms`
  if (ms < 60_000) return `${Math.round(ms / 1_000)} s`
  return ms < 3_600_000 ? `${Math.round(ms / 60_000)} min` : `${Math.round(ms / 3_600_000)} h`
}
