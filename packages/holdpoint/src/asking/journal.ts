// The journal of a call: what was asked, answered and done in earlier runs of its handler. Pure. A handler that runs
// again gets the same answers for the same keys.

import type { Outcome } from "../core/elicitation.ts"
import { HoldpointError } from "../core/error.ts"
import type { Reply } from "./reply.ts"
import { readReply } from "./reply.ts"

export type JournalEntry = {
  readonly key: string
  /** The digest of what was asked, so that a key is not used for two things. */
  readonly digest: string
  /** Whether a later run may skip this entry: a connected account is not asked for. */
  readonly isOptional?: boolean
  /** Whether nothing else was in progress at the time: then everything that came before must come before it again. */
  readonly isAlone?: boolean
  /** Whether another call asked the question, and does what relies on the answer: this one only waits for it. */
  readonly isJoined?: boolean
} & (
  | AskedPart
  | { readonly kind: "answered"; readonly elicitation: string; readonly outcome: Outcome }
  /** An effect that has begun; that threw and may be retried; that was done. */
  | { readonly kind: "started" }
  | { readonly kind: "failed" }
  | { readonly kind: "done"; readonly value?: unknown }
)

interface AskedPart {
  readonly kind: "asked"
  readonly elicitation: string
  /** The number of answers that did not fit the form. */
  readonly attempts: number
  /**
   * Whether the client said that the person will open the link, or another call has shown it and this one only waits.
   */
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
  bring(replies: Readonly<Record<string, unknown>>): void
  /**
   * Records that the handler reached this key, and returns its entry. Throws if the handler diverges from its earlier
   * run.
   */
  pass(step: Pick<JournalEntry, "key" | "digest" | "isOptional">, isAlone?: boolean): JournalEntry | undefined
  /**
   * Called at the end of a run. Throws if the run reached something new without reaching everything it reached before.
   */
  check(): void
  /**
   * Called when the client gave up the call. Keeps what was done for the next call, and drops what people answered.
   * Returns false when nothing is left.
   */
  giveUp(): boolean
  /** Returns a journal for another run without the optional entries, which that run asks for again. */
  restart(): Journal
  /** The keys of new, changed or removed entries. The code that writes them removes them from this set. */
  readonly changed: Set<string>
}

export interface JournalOptions {
  /** Whether a different order than before is an error. Useful while a handler is being developed. */
  readonly strict: boolean
  /** The keys of entries that changed since they were last written. */
  readonly changed?: Iterable<string>
}

export function createJournal(known: readonly JournalEntry[], { strict, changed = [] }: JournalOptions): Journal {
  const state: State = {
    entries: new Map(known.map((entry) => [entry.key, entry])),
    changed: new Set(changed),
    ...{ known, strict, isNew: false, visited: undefined, alone: undefined },
  }
  return Object.assign(Object.create(methods) as Journal, state)
}

interface State extends Pick<Journal, "changed"> {
  readonly entries: Map<string, JournalEntry>
  readonly known: readonly JournalEntry[]
  readonly strict: boolean
  isNew: boolean
  /** The keys that this run reached. Undefined until the first one, to save memory in held calls. */
  visited: Set<string> | undefined
  /** The new keys that were reached while nothing else was in progress. */
  alone: string[] | undefined
}

/** The shared prototype of all journals, to save memory: many calls are held at the same time. */
const methods: Omit<Journal, keyof State> & ThisType<State & Journal> = {
  get(key) {
    return this.entries.get(key)
  },
  set(entry) {
    const isAlone = this.entries.get(entry.key)?.isAlone === true || this.alone?.includes(entry.key) === true
    put(this, isAlone ? { ...entry, isAlone } : entry)
  },
  bring(replies) {
    for (const [key, given] of Object.entries(replies)) {
      const [entry, reply] = [this.entries.get(key), readReply(given)]
      if (entry?.kind === "asked" && reply !== undefined) put(this, { ...entry, reply })
    }
  },
  pass({ key, digest, isOptional }, isAlone = false) {
    const { entries } = this
    this.visited ??= new Set()
    if (this.visited.has(key))
      throw diverged(`it used the key “${key}” twice. Give every question and effect a key of its own`)
    // An account that is lost in the middle of a call is asked for at its beginning when the handler runs again.
    if (this.strict && isOptional !== true) checkOrder(entries, this.visited, key)
    this.visited.add(key)
    if (isAlone && !entries.has(key)) this.alone = (this.alone ?? []).concat(key)
    const found = entries.get(key)
    // An optional entry may ask for something else now.
    const entry = found?.isOptional === true && found.digest !== digest ? undefined : found
    if (entry?.isOptional === true && isOptional !== true) put(this, toNeeded(entry))
    this.isNew ||= entry === undefined && isOptional !== true
    // Consent to one question is not consent to another, in strict mode or not.
    if (entry !== undefined && entry.digest !== digest)
      throw diverged(`what it asks under the key “${key}” is not what it asked before. Build it from the arguments`)
    return entry
  },
  check() {
    if (!this.strict || !this.isNew) return
    const ahead = this.known.flatMap((entry) =>
      isSkippable(entry) || this.visited?.has(entry.key) === true ? [] : [entry.key],
    )
    if (ahead.length === 0) return
    throw diverged(`it did not come to “${ahead.join("”, “")}”, and went on to something new`)
  },
  giveUp() {
    for (const entry of [...this.entries.values()]) {
      if (entry.kind === "answered" && !isVisit(entry.outcome)) drop(this, entry.key)
      else put(this, { ...entry, isOptional: true })
    }
    return this.entries.size > 0
  },
  restart() {
    for (const entry of [...this.entries.values()]) if (entry.isOptional === true) drop(this, entry.key)
    return createJournal([...this.entries.values()], { strict: this.strict, changed: this.changed })
  },
}

function put({ entries, changed }: State, entry: JournalEntry): void {
  entries.set(entry.key, entry)
  changed.add(entry.key)
}

function drop({ entries, changed }: State, key: string): void {
  entries.delete(key)
  changed.add(key)
}

/** Marks an optional entry as required, because the next call reached it too. */
const toNeeded = ({ isOptional: _isOptional, ...entry }: JournalEntry): JournalEntry => entry as JournalEntry

/** Whether the person completed a page rather than a form. */
const isVisit = (outcome: Outcome): boolean => outcome.status === "completed" && outcome.content === undefined

/** Whether a run may go on without it: an effect that threw counts as not done. */
const isSkippable = ({ isOptional, kind }: JournalEntry): boolean => isOptional === true || kind === "failed"

/** Throws if the order differs from the earlier run. The order of concurrent steps does not count. */
function checkOrder(entries: ReadonlyMap<string, JournalEntry>, seen: ReadonlySet<string>, key: string): void {
  if (entries.get(key)?.isAlone !== true) return
  for (const before of entries.values()) {
    if (before.key === key) return
    if (before.isAlone === true && !isSkippable(before) && !seen.has(before.key))
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
