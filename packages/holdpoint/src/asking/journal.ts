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
  | { readonly kind: "started" }
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
  /** It is done with when it is accepted, or a while later. */
  readonly until?: "accepted" | "held"
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
  /**
   * Its client gave the call up. What was done stays for the next one; what people said was for this one alone. False when
   * nothing is left.
   */
  giveUp(): boolean
  /** Without what need not come again: for another run, which asks for that anew. */
  restart(): Journal
  /** The keys of what is new, changed or gone. Whatever writes it down takes them out. */
  readonly changed: Set<string>
}

export interface JournalOptions {
  /** Another order than before is an error, as it should be while a handler is being written. */
  readonly strict: boolean
  /** Keys that are not as they were last written. */
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
  /** What the handler has come to, once it runs: many calls are held before. */
  visited: Set<string> | undefined
  /** Of that, what was new, with nothing beside it. */
  alone: string[] | undefined
}

/** Written once for all journals: many calls are held at the same time. */
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
    if (this.strict) checkOrder(entries, this.visited, key)
    this.visited.add(key)
    if (isAlone && !entries.has(key)) this.alone = (this.alone ?? []).concat(key)
    const found = entries.get(key)
    // What need not come again may be something else by now.
    const entry = found?.isOptional === true && found.digest !== digest ? undefined : found
    if (entry?.isOptional === true && isOptional !== true) put(this, toNeeded(entry))
    this.isNew ||= entry === undefined && isOptional !== true
    // Agreeing to one thing is not agreeing to another, strict or not.
    if (entry !== undefined && entry.digest !== digest)
      throw diverged(`what it asks under the key “${key}” is not what it asked before. Build it from the arguments`)
    return entry
  },
  check() {
    if (!this.strict || !this.isNew) return
    const ahead = this.known.flatMap(({ key, isOptional }) =>
      isOptional === true || this.visited?.has(key) === true ? [] : [key],
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

/** The next call came to it as well. */
const toNeeded = ({ isOptional: _isOptional, ...entry }: JournalEntry): JournalEntry => entry as JournalEntry

/** They were at a page, and finished there. */
const isVisit = (outcome: Outcome): boolean => outcome.status === "completed" && outcome.content === undefined

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
