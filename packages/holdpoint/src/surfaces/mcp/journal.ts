// What is remembered of a call from one run of its handler to the next: what was asked, what was answered, what was done.
// Pure. A handler that is run again gets the same answers to the same keys.

import type { Outcome } from "../../core/elicitation.ts"
import { HoldpointError } from "../../core/error.ts"

export type JournalEntry = {
  readonly key: string
  /** Of what was asked, so that a key is not used for two things. */
  readonly digest: string
  /** Those asked together have the same number; their order among themselves does not count. */
  readonly batch: number
} & /** `agreed`: the client said that the person will open the link. `attempts`: answers that did not fit. */
(
  | { readonly kind: "asked"; readonly elicitation: string; readonly attempts: number; readonly agreed?: boolean }
  | { readonly kind: "answered"; readonly elicitation: string; readonly outcome: Outcome }
  | { readonly kind: "started" }
  | { readonly kind: "done"; readonly value?: unknown }
)

export interface Journal {
  readonly entries: ReadonlyMap<string, JournalEntry>
  get(key: string): JournalEntry | undefined
  set(entry: JournalEntry): void
  forget(key: string): void
  /** Says that the handler has come to this key, and fails if it came another way before. */
  pass(key: string, digest: string): JournalEntry | undefined
  /** The number for what is asked now. */
  readonly batch: number
  toText(): string
}

/** `strict`: another order than before is an error, as it should be while a handler is being written. */
export function createJournal(known: readonly JournalEntry[], strict: boolean): Journal {
  const entries = new Map(known.map((entry) => [entry.key, entry]))
  const ahead = new Set(entries.keys())
  const seen = new Set<string>()
  const batch = 1 + Math.max(0, ...known.map((entry) => entry.batch))
  return {
    entries,
    batch,
    get: (key) => entries.get(key),
    set(entry) {
      entries.set(entry.key, entry)
    },
    forget(key) {
      entries.delete(key)
    },
    pass(key, digest) {
      if (seen.has(key))
        throw diverged(`it used the key “${key}” twice. Give every question and effect a key of its own`)
      seen.add(key)
      const entry = entries.get(key)
      if (strict) checkOrder(entries, ahead, key)
      ahead.delete(key)
      if (entry !== undefined && entry.digest !== digest && strict)
        throw diverged(`what it asks under the key “${key}” is not what it asked before. Build it from the arguments`)
      return entry
    },
    toText: () => JSON.stringify([...entries.values()]),
  }
}

function checkOrder(entries: ReadonlyMap<string, JournalEntry>, ahead: ReadonlySet<string>, key: string): void {
  if (ahead.size === 0) return
  const next = Math.min(...[...ahead].map((name) => entries.get(name)?.batch ?? 0))
  if (ahead.has(key) && entries.get(key)?.batch === next) return
  const expected = [...ahead].filter((name) => entries.get(name)?.batch === next)
  throw diverged(`it came to “${key}” where it came to “${expected.join("” or “")}” before`)
}

function diverged(how: string): HoldpointError {
  return new HoldpointError(
    "replay_diverged",
    `The handler went another way than before: ${how}. It is run again from its beginning when an answer is there, so ` +
      "it must ask the same questions in the same order: keep what changes in ask.once.",
  )
}
