// The journal of a call: the questions, answers and effects of earlier runs of its handler. A handler that runs again
// gets the same answers for the same keys. Pure.

import type { Outcome } from "@holdpoint/hub"
import { HoldpointError } from "@holdpoint/hub"
import type { Reply } from "./reply.ts"
import { readReply } from "./reply.ts"

export type JournalEntry = {
  readonly key: string
  /** The digest of the question or effect, so that one key is not used for two of them. */
  readonly digest: string
  /**
   * Whether a later run may skip this entry: it asked for an account that is connected by then, or it is left from a
   * call that the client gave up.
   */
  readonly isOptional?: boolean
  /**
   * Whether the handler did nothing else at that time. If so, a later run must reach all earlier entries before this
   * one.
   */
  readonly isAlone?: boolean
  /** Whether another call asked the question and acts on the answer, so that this call only waits. */
  readonly isJoined?: boolean
} & (
  | AskedPart
  | { readonly kind: "answered"; readonly elicitation: string; readonly outcome: Outcome }
  /** Effects: `started` has begun, `failed` threw and may be retried, `done` has succeeded. */
  | { readonly kind: "started" }
  | { readonly kind: "failed" }
  | { readonly kind: "done"; readonly value?: unknown }
)

interface AskedPart {
  readonly kind: "asked"
  readonly elicitation: string
  /** The number of answers that did not fit the form. */
  readonly attempts: number
  /** Whether the client reported that the person will open the link, or another call has shown the link. */
  readonly agreed?: boolean
  /** How long the call waits for a link; see `QuestionOptions`. */
  readonly until?: "accepted" | "held"
  /** The client's reply, kept until the handler reaches this question. */
  readonly reply?: Reply
}

export type AskedEntry = Extract<JournalEntry, { kind: "asked" }>

export interface Journal {
  readonly entries: ReadonlyMap<string, JournalEntry>
  get(key: string): JournalEntry | undefined
  set(entry: JournalEntry): void
  /** Adds a client's replies, which are kept until the handler reaches their questions. */
  addReplies(replies: Readonly<Record<string, unknown>>): void
  /**
   * Records that the handler reached this key, and returns its entry, undefined for a new key. Throws if the handler
   * diverges from its earlier run.
   */
  visitStep(step: Pick<JournalEntry, "key" | "digest" | "isOptional">, isAlone?: boolean): JournalEntry | undefined
  /**
   * Called at the end of a run. Throws if the run reached something new without reaching everything it reached before.
   */
  check(): void
  /**
   * Called when the client gave up the call. Keeps the effects for the next call and removes the answers to forms.
   * Returns false when no entry is left.
   */
  giveUp(): boolean
  /** Returns a journal for another run, which repeats this one because the storage failed. */
  again(): Journal
  /** Returns a journal for another run without the optional entries, which that run asks for again. */
  restart(): Journal
  /** The keys of new, changed or removed entries. The code that writes these entries clears the set. */
  readonly changed: Set<string>
}

export interface JournalOptions {
  /** Whether a different order than before is an error. Useful while a handler is being developed. */
  readonly strict: boolean
  /** The keys of entries that changed since they were last written. */
  readonly changed?: Iterable<string>
}

export function createJournal(
  earlierEntries: readonly JournalEntry[],
  { strict, changed = [] }: JournalOptions,
): Journal {
  return new CallJournal(earlierEntries, strict, changed)
}

class CallJournal implements Journal {
  readonly entries: Map<string, JournalEntry>
  readonly changed: Set<string>
  readonly #earlierEntries: readonly JournalEntry[]
  readonly #strict: boolean
  #hasNewEntries = false
  /** The keys that this run reached. Undefined until the first one, to save memory in held calls. */
  #visitedKeys: Set<string> | undefined
  /** The new keys that were reached while nothing else was in progress. */
  #loneKeys: string[] | undefined

  constructor(earlierEntries: readonly JournalEntry[], strict: boolean, changed: Iterable<string>) {
    this.entries = new Map(earlierEntries.map((entry) => [entry.key, entry]))
    this.changed = new Set(changed)
    this.#earlierEntries = earlierEntries
    this.#strict = strict
  }

  get(key: string): JournalEntry | undefined {
    return this.entries.get(key)
  }

  set(entry: JournalEntry): void {
    const isAlone = this.entries.get(entry.key)?.isAlone === true || this.#loneKeys?.includes(entry.key) === true
    this.#setEntry(isAlone ? { ...entry, isAlone } : entry)
  }

  addReplies(replies: Readonly<Record<string, unknown>>): void {
    for (const [key, value] of Object.entries(replies)) {
      const [entry, reply] = [this.entries.get(key), readReply(value)]
      if (entry?.kind === "asked" && reply !== undefined) this.#setEntry({ ...entry, reply })
    }
  }

  visitStep(
    { key, digest, isOptional }: Parameters<Journal["visitStep"]>[0],
    isAlone = false,
  ): JournalEntry | undefined {
    const { entries } = this
    this.#visitedKeys ??= new Set()
    if (this.#visitedKeys.has(key))
      throw divergedError(`it used the key “${key}” twice. Give every question and effect a key of its own`)
    // A request for an account may come at any point: if the account is lost in the middle of a call, the handler asks
    // for it again at its beginning.
    if (this.#strict && isOptional !== true) checkOrder(entries, this.#visitedKeys, key)
    this.#visitedKeys.add(key)
    if (isAlone && !entries.has(key)) this.#loneKeys = (this.#loneKeys ?? []).concat(key)
    const stored = entries.get(key)
    // An optional entry with another digest does not count: the handler asks for something else than it asked before.
    const entry = stored?.isOptional === true && stored.digest !== digest ? undefined : stored
    if (entry?.isOptional === true && isOptional !== true) this.#setEntry(toRequired(entry))
    this.#hasNewEntries ||= entry === undefined && isOptional !== true
    // Consent to one question is not consent to another, in strict mode or not.
    if (entry !== undefined && entry.digest !== digest)
      throw divergedError(
        `what it asks under the key “${key}” is not what it asked before. Build it from the arguments`,
      )
    return entry
  }

  check(): void {
    if (!this.#strict || !this.#hasNewEntries) return
    const missing = this.#earlierEntries.flatMap((entry) =>
      isSkippable(entry) || this.#visitedKeys?.has(entry.key) === true ? [] : [entry.key],
    )
    if (missing.length === 0) return
    throw divergedError(`it skipped “${missing.join("”, “")}” and went on to something new`)
  }

  giveUp(): boolean {
    for (const entry of [...this.entries.values()]) {
      if (entry.kind === "answered" && !isVisit(entry.outcome)) this.#removeEntry(entry.key)
      else this.#setEntry({ ...entry, isOptional: true })
    }
    return this.entries.size > 0
  }

  again(): Journal {
    return createJournal([...this.entries.values()], { strict: this.#strict, changed: this.changed })
  }

  restart(): Journal {
    for (const entry of [...this.entries.values()]) if (entry.isOptional === true) this.#removeEntry(entry.key)
    return this.again()
  }

  #setEntry(entry: JournalEntry): void {
    this.entries.set(entry.key, entry)
    this.changed.add(entry.key)
  }

  #removeEntry(key: string): void {
    this.entries.delete(key)
    this.changed.add(key)
  }
}

/** Marks an entry that may be skipped as required, because the handler reached it again. */
const toRequired = ({ isOptional: _isOptional, ...entry }: JournalEntry): JournalEntry => entry as JournalEntry

/** Whether the person completed a page rather than a form. */
const isVisit = (outcome: Outcome): boolean => outcome.status === "completed" && outcome.content === undefined

/** Whether a run may skip the entry: an effect that threw counts as not done. */
const isSkippable = ({ isOptional, kind }: JournalEntry): boolean => isOptional === true || kind === "failed"

/** Throws if the order differs from the earlier run. The order of concurrent steps does not count. */
function checkOrder(entries: ReadonlyMap<string, JournalEntry>, visited: ReadonlySet<string>, key: string): void {
  if (entries.get(key)?.isAlone !== true) return
  for (const earlierEntry of entries.values()) {
    if (earlierEntry.key === key) return
    if (earlierEntry.isAlone === true && !isSkippable(earlierEntry) && !visited.has(earlierEntry.key))
      throw divergedError(`it reached “${key}” before “${earlierEntry.key}”, which came first in the earlier run`)
  }
}

function divergedError(difference: string): HoldpointError {
  return new HoldpointError(
    "replay_diverged",
    `The handler did not repeat its earlier run: ${difference}. A handler runs again from its beginning after each answer, so it ` +
      "must ask the same questions in the same order. Put values that change into ask.once.",
  )
}
