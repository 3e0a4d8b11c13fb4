// What happens while the storm blows, as the actors note it: answers, ends, works and streams.

import type { ActOutcome, AnswerFact, EndFact, NumberedEvent, StreamFact, WorkFact } from "./facts.ts"

/** A piece of work while it is under way. */
export interface Work {
  readonly key: string
  readonly surface: string
  readonly hasEffect: boolean
  readonly needsYes: boolean
  isBegun: boolean
  /** Where the reply is, if the database knows it by its place. */
  place?: string | undefined
  told?: ActOutcome | undefined
  words: string
}

export interface ReadStream {
  readonly id: string
  readonly where: string
  readonly events: NumberedEvent[]
  hasEnd: boolean
  log?: readonly NumberedEvent[] | undefined
}

export interface History {
  readonly answers: AnswerFact[]
  readonly ends: EndFact[]
  readonly works: WorkFact[]
  readonly streams: StreamFact[]
  /** What an actor was told in the meantime about the act of a key, for the traces. */
  readonly notes: { readonly key: string; readonly at: number; readonly words: string }[]
  /** How often each kind of thing happened, for the summary. */
  readonly counts: Map<string, number>
  /** Returns a key that no other act of the storm has. */
  newKey(): string
  begin(work: Omit<Work, "isBegun" | "words" | "place" | "told">): Work
  read(stream: Pick<ReadStream, "id" | "where">): ReadStream
  count(what: string, by?: number): void
}

export function createHistory(): History {
  const [answers, ends, works, streams]: [AnswerFact[], EndFact[], Work[], ReadStream[]] = [[], [], [], []]
  const counts = new Map<string, number>()
  const notes: History["notes"] = []
  let serial = 0
  return {
    ...{ answers, ends, works, streams, notes, counts },
    newKey: () => `k${++serial}x`,
    begin(work) {
      const begun: Work = { ...work, isBegun: true, words: "" }
      works.push(begun)
      return begun
    },
    read(stream) {
      const read: ReadStream = { ...stream, events: [], hasEnd: false }
      streams.push(read)
      return read
    },
    count: (what, by = 1) => void counts.set(what, (counts.get(what) ?? 0) + by),
  }
}

/** What these words, which a person reads in the end, say about the act. */
export function outcomeIn(words: string, key: string): ActOutcome {
  if (/unknown whether|check what it has done/i.test(words)) return "unknown"
  if (new RegExp(`\\bdone ${key}\\b`).test(words) && !words.includes(`not done ${key}`)) return "done"
  // Nothing is said about the person: no process lived long enough to ask them.
  if (words.includes("the step was given up")) return "failed"
  if (words.includes(`not done ${key}`) || notDone.test(words)) return "not done"
  return "failed"
}

/** The words of a reply in Slack, which may be in several messages with notes about answers between and below them. */
export const joinSlackReply = (words: string): string =>
  words.replaceAll(answerNote, " ").replaceAll(/\s+/g, " ").trim()

/** Whether a reply in Slack has its end. */
export const hasSlackEnd = (words: string): boolean => slackEnd.test(joinSlackReply(words))

const answerNote = /^Answered(?: by <@\w+>)?: .*$/gm
const slackEnd = /The result is: \S.*(?:k\d+x|\.)$|could not be used|was stopped|too many|given up/

const notDone =
  /did not allow|declined|took it back|cancelled|no answer|expired|were not asked again|stopped|could not be asked/i
