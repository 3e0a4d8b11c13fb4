// What is remembered of a call from one run of its handler to the next: what was asked, what was answered, what was done.
// Pure. A handler that is run again gets the same answers to the same keys.

import type { Outcome } from "../core/elicitation.ts"
import { HoldpointError } from "../core/error.ts"
import type { Reply } from "./reply.ts"
import { readReply } from "./reply.ts"

export type JournalEntry = {
  readonly key: string
  /** Of what was asked, so that a key is not used for two things. */
  readonly digest: string
  /** A handler need not come to it again: an account that is there is not asked for. */
  readonly isOptional?: boolean
  /** Nothing else was asked or done at the time: whatever came before it has to come before it again. */
  readonly isAlone?: boolean
} & (
  | AskedPart
  | { readonly kind: "answered"; readonly elicitation: string; readonly outcome: Outcome }
  /** An effect that began; that threw, and may be tried again; that was done. */
  | { readonly kind: "started"; readonly by?: string }
  | { readonly kind: "failed" }
  | { readonly kind: "done"; readonly value?: unknown }
)

interface AskedPart {
  readonly kind: "asked"
  readonly elicitation: string
  /** Answers that did not fit. */
  readonly attempts: number
  /** The client said that the person will open the link; or another call has shown it, and this one only waits. */
  readonly agreed?: boolean
  /** What the client brought, until the handler comes to it. */
  readonly reply?: Reply
}

export type AskedEntry = Extract<JournalEntry, { kind: "asked" }>

export interface Journal {
  readonly entries: ReadonlyMap<string, JournalEntry>
  get(key: string): JournalEntry | undefined
  set(entry: JournalEntry): void
  /** What a client has brought along: kept for when the handler comes to it, however late. */
  bring(replies: Readonly<Record<string, unknown>>): void
  /** Says that the handler has come to this key, and fails if that is another one than before. */
  pass(step: Pick<JournalEntry, "key" | "digest" | "isOptional">, isAlone?: boolean): JournalEntry | undefined
  /** At the end of a run: fails if it came to something new, and not to all that it came to before. */
  check(): void
  /** Its client gave the call up. What was done stays for the next one; what people said was for this one alone. */
  giveUp(): void
  toText(): string
}

/** `strict`: another order than before is an error, as it should be while a handler is being written. */
export function createJournal(known: readonly JournalEntry[], strict: boolean): Journal {
  const entries = new Map(known.map((entry) => [entry.key, entry]))
  let isNew = false
  let run: Run | undefined
  /** What the handler has come to, once it runs: many calls are held before. */
  const running = (): Run => {
    run ??= { seen: new Set(), alone: [] }
    return run
  }
  return {
    entries,
    get: (key) => entries.get(key),
    set(entry) {
      const isAlone = entries.get(entry.key)?.isAlone === true || run?.alone.includes(entry.key) === true
      entries.set(entry.key, isAlone ? { ...entry, isAlone } : entry)
    },
    bring(replies) {
      for (const [key, given] of Object.entries(replies)) {
        const [entry, reply] = [entries.get(key), readReply(given)]
        if (entry?.kind === "asked" && reply !== undefined) entries.set(key, { ...entry, reply })
      }
    },
    pass({ key, digest, isOptional }, isAlone = false) {
      const { seen, alone } = running()
      if (seen.has(key))
        throw diverged(`it used the key “${key}” twice. Give every question and effect a key of its own`)
      if (strict) checkOrder(entries, seen, key)
      seen.add(key)
      if (isAlone && !entries.has(key)) alone.push(key)
      const found = entries.get(key)
      // What need not come again may be something else by now.
      const entry = found?.isOptional === true && found.digest !== digest ? undefined : found
      if (entry?.isOptional === true && isOptional !== true) entries.set(key, toNeeded(entry))
      isNew ||= entry === undefined && isOptional !== true
      // Whoever agreed to one thing has not agreed to another: so this is no matter of being strict.
      if (entry !== undefined && entry.digest !== digest)
        throw diverged(`what it asks under the key “${key}” is not what it asked before. Build it from the arguments`)
      return entry
    },
    check() {
      if (!strict || !isNew) return
      const { seen } = running()
      const ahead = known.flatMap(({ key, isOptional }) => (isOptional === true || seen.has(key) ? [] : [key]))
      if (ahead.length === 0) return
      throw diverged(`it did not come to “${ahead.join("”, “")}”, and went on to something new`)
    },
    giveUp() {
      for (const entry of [...entries.values()]) {
        if (entry.kind === "answered" && !isVisit(entry.outcome)) entries.delete(entry.key)
        else entries.set(entry.key, { ...entry, isOptional: true })
      }
    },
    toText: () => JSON.stringify([...entries.values()]),
  }
}

/** The next call came to it as well. */
const toNeeded = ({ isOptional: _isOptional, ...entry }: JournalEntry): JournalEntry => entry as JournalEntry

/** They were at a page, and finished there. */
const isVisit = (outcome: Outcome): boolean => outcome.status === "completed" && outcome.content === undefined

interface Run {
  readonly seen: Set<string>
  readonly alone: string[]
}

/** Of what goes on side by side, the order does not count. */
function checkOrder(entries: ReadonlyMap<string, JournalEntry>, seen: ReadonlySet<string>, key: string): void {
  if (entries.get(key)?.isAlone !== true) return
  for (const before of entries.values()) {
    if (before.key === key) return
    if (before.isAlone === true && before.isOptional !== true && !seen.has(before.key))
      throw diverged(`it came to “${key}” before “${before.key}”, which came first`)
  }
}

function diverged(how: string): HoldpointError {
  return new HoldpointError(
    "replay_diverged",
    `The handler went another way than before: ${how}. It is run again from its beginning when an answer is there, so ` +
      "it must ask the same questions in the same order: keep what changes in ask.once.",
  )
}
