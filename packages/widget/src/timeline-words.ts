// The steps of a timeline in words. Pure. A step of a kind that is not known has none, and is left out.

import type { TimelineItem } from "@holdpoint/sdk/stream"
import type { Say } from "./texts.ts"

type Kind = TimelineItem["kind"]
type Item<K extends Kind> = Extract<TimelineItem, { readonly kind: K }>

/** How a step looks: begun or ended, a question, an answer, or one of many. */
export type StepTone = "run" | "ask" | "good" | "bad" | "quiet"

export interface StepWords {
  readonly words: string
  readonly tone: StepTone
}

/** What only the page of a question tells is left out here. */
type Told = Exclude<Kind, "escalated" | "reminded">

type Words = { readonly [K in Told]: (item: Item<K>, say: Say) => StepWords }

export function wordsOfStep(item: TimelineItem, say: Say): StepWords | undefined {
  const write = Object.hasOwn(steps, item.kind)
    ? (steps[item.kind as Told] as (item: TimelineItem, say: Say) => StepWords)
    : undefined
  return write?.(item, say)
}

const steps: Words = {
  "run-started": ({ agent }, say) => ({ words: say("runStarted", { agent }), tone: "run" }),
  "tool-called": ({ tool, agent }, say) => ({ words: by(agent, say("toolCalled", { tool })), tone: "quiet" }),
  "tool-finished": ({ tool, agent, outcome }, say) => ({
    words: by(agent, say(toolEnds[outcome], { tool })),
    tone: outcome === "done" ? "quiet" : "bad",
  }),
  asked: ({ message, agent }, say) => ({
    words: by(agent, say("asked", { message: firstLine(message) })),
    tone: "ask",
  }),
  shown: ({ via }, say) => ({ words: say("shown", { place: placeOf(via, say) }), tone: "quiet" }),
  opened: (_, say) => ({ words: say("linkOpened"), tone: "quiet" }),
  accepted: ({ by: person = "" }, say) => ({ words: by(person, say("linkAccepted")), tone: "quiet" }),
  answered: ({ answer, waitedMs, by: person, via }, say) => ({
    words: [
      by(person, say(answers[answer])),
      ...(via === undefined ? [] : [placeOf(via, say)]),
      say("afterTime", { time: durationOf(waitedMs) }),
    ].join(", "),
    tone: answer === "yes" || answer === "completed" ? "good" : "bad",
  }),
  voted: ({ by: person }, say) => ({ words: by(person, say("voted")), tone: "good" }),
  expired: ({ waitedMs }, say) => ({
    words: `${say("saidExpired")}, ${say("afterTime", { time: durationOf(waitedMs) })}`,
    tone: "bad",
  }),
  edited: ({ names, by: person }, say) => ({ words: by(person, say("edited", { names })), tone: "quiet" }),
  "taken-back": ({ by: person }, say) => ({ words: by(person, say("takenBack")), tone: "bad" }),
  paused: (_, say) => ({ words: say("paused"), tone: "ask" }),
  resumed: ({ waitedMs }, say) => ({ words: say("resumed", { time: durationOf(waitedMs) }), tone: "good" }),
  "stop-requested": (_, say) => ({ words: say("stopRequested"), tone: "quiet" }),
  "run-ended": ({ status }, say) => ({ words: say(runEnds[status]), tone: status === "done" ? "run" : "bad" }),
  effect: ({ step }, say) => ({ words: say(effects[step]), tone: step === "failed" ? "bad" : "quiet" }),
  "call-ended": (_, say) => ({ words: say("callEnded"), tone: "quiet" }),
}

type Name = Parameters<Say>[0]

const toolEnds = { done: "toolDone", failed: "toolFailed", denied: "toolDenied" } as const
const runEnds = { done: "runDone", failed: "failed", stopped: "runStopped" } as const
const effects = { begun: "effectBegun", done: "effectDone", failed: "effectFailed" } as const
const answers: Readonly<Record<Item<"answered">["answer"], Name>> = {
  ...{ yes: "saidYes", no: "saidNo", completed: "saidDone", declined: "saidDeclined", cancelled: "saidCancelled" },
  ...{ failed: "questionFailed", unsupported: "unsupported" },
}

const by = (name: string | undefined, words: string): string =>
  name === undefined || name === "" ? words : `${name}: ${words}`

const firstLine = (message: string): string => message.split("\n")[0]?.replace(/:$/, "") ?? ""

const places: Readonly<Record<string, Name>> = { "run api": "inChat", web: "onPage", page: "onPage", inbox: "inInbox" }

function placeOf(via: string, say: Say): string {
  const name = Object.hasOwn(places, via) ? places[via] : undefined
  return name === undefined ? via : say(name)
}

/** The units are the same in the languages that there are. */
function durationOf(ms: number): string {
  if (ms < 1_000) return `${ms} ms`
  if (ms < 60_000) return `${Math.round(ms / 1_000)} s`
  return ms < 3_600_000 ? `${Math.round(ms / 60_000)} min` : `${Math.round(ms / 3_600_000)} h`
}
