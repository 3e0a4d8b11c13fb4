// Waiting for the outcome. A waiter is a pair of callbacks; the commit that settles the question calls one of them.

import type { Outcome } from "../core/elicitation.ts"
import type { Work } from "../due/work.ts"
import type { Store } from "../ports/store.ts"
import type { OnChange, Reload } from "./follow.ts"
import type { LiveQuestion, LiveTable, Waiter } from "./live-questions.ts"
import { liveEntry, notFound, rejectAll } from "./live-questions.ts"
import type { Step } from "./steps.ts"

/** The options of one call of `hub.wait`: how the wait can end early. */
export interface WaitOptions {
  /** Ends the wait when it aborts; of several signals, when one of them aborts. Many waits may share a signal. */
  readonly signal?: AbortSignal | readonly AbortSignal[]
  /**
   * What happens when a signal aborts. `cancel` gives up the question, which ends it unless another caller asked it or
   * waits for it; `leave` keeps it open. A caller that waits without having asked never ends the question.
   */
  readonly onAbort?: "cancel" | "leave"
}

export interface WaitNeeds extends Pick<Work, "background"> {
  readonly store: Pick<Store, "get">
  readonly live: LiveTable
  readonly onChange: OnChange
  readonly reload: Reload
  readonly giveUp: GiveUp
}

/** Waits for the outcome. Not an async function, so that 100,000 waits do not hold a second promise each. */
export function wait(needs: WaitNeeds, id: string, options: WaitOptions): Promise<Outcome> {
  const { live, giveUp, background, reload } = needs
  const abortedSignal = signalsOf(options).find((signal) => signal.aborted)
  if (abortedSignal !== undefined) {
    giveUp(id, options.onAbort)
    return Promise.reject(abortedSignal.reason)
  }
  const existing = live.get(id)
  const entry = existing ?? liveEntry(live, id, undefined)
  const outcome = register({ needs, id, entry, options })
  // The waiter is registered before the question is read, so that a settlement in between is not missed.
  if (existing === undefined) background("reading a question", () => readQuestion(needs, id, entry))
  else if (existing.record === undefined) reload(id)
  return outcome
}

async function readQuestion({ store, live, onChange }: WaitNeeds, id: string, entry: LiveQuestion): Promise<void> {
  try {
    const record = await store.get(id)
    if (record === undefined) throw notFound(id)
    onChange(record)
  } catch (error) {
    if (live.get(id) === entry) live.delete(id)
    rejectAll(entry, error)
  }
}

interface WaitCall {
  readonly needs: Pick<WaitNeeds, "live" | "giveUp">
  readonly id: string
  readonly entry: LiveQuestion
  readonly options: WaitOptions
}

function register(call: WaitCall): Promise<Outcome> {
  const { entry, options } = call
  return new Promise((resolve, reject) => {
    const waiter: Waiter =
      options.signal === undefined ? { resolve, reject } : new AbortableWaiter(call, { resolve, reject })
    // Uses concat, because an array built by spread reserves room for sixteen more elements.
    entry.waiters = entry.waiters.length === 0 ? [waiter] : entry.waiters.concat(waiter)
  })
}

/** A waiter that is itself the listener of its signals, so that no wait needs a closure. */
class AbortableWaiter implements Waiter {
  readonly #call: WaitCall
  readonly #waiter: Waiter

  constructor(call: WaitCall, waiter: Waiter) {
    this.#call = call
    this.#waiter = waiter
    for (const signal of signalsOf(call.options)) signal.addEventListener("abort", this, onceOptions)
  }

  resolve(outcome: Outcome): void {
    this.#stopListening()
    this.#waiter.resolve(outcome)
  }

  reject(error: unknown): void {
    this.#stopListening()
    this.#waiter.reject(error)
  }

  handleEvent(): void {
    const { needs, id, entry, options } = this.#call
    this.#stopListening()
    entry.waiters = entry.waiters.filter((other) => other !== this)
    this.#waiter.reject(signalsOf(options).find((signal) => signal.aborted)?.reason)
    if (needs.live.get(id) === entry) needs.giveUp(id, options.onAbort)
  }

  /** Removes the listeners, so that a signal which outlives the waiter does not keep it in memory. */
  #stopListening(): void {
    for (const signal of signalsOf(this.#call.options)) signal.removeEventListener("abort", this)
  }
}

const onceOptions = { once: true } as const

const signalsOf = ({ signal = [] }: WaitOptions): readonly AbortSignal[] =>
  signal instanceof AbortSignal ? [signal] : signal

/**
 * Records that one caller gives up. When the last caller of this process has given up, the process is removed from the
 * question's holders; the question ends when it loses its last holder.
 */
export type GiveUp = (id: string, onAbort?: "cancel" | "leave") => void

export interface GiveUpNeeds extends Pick<Work, "background" | "runLater"> {
  readonly live: LiveTable
  readonly step: Step
}

const retryMs = 1_000

export function createGiveUp({ live, step, background, runLater }: GiveUpNeeds): GiveUp {
  /**
   * Lowers the question's number of holders by one, with retries. A caller that asks again in the meantime raises the
   * number again.
   */
  const release = (id: string): void =>
    background("releasing a question", async () => {
      try {
        await step(id, { type: "release" })
      } catch (error) {
        runLater(retryMs, () => release(id))
        throw error
      }
    })
  return (id, onAbort = "cancel") => {
    const entry = live.get(id)
    if (entry === undefined) return
    if (onAbort === "leave") entry.staysOpen ||= entry.isHolder
    else entry.askers = Math.max(0, entry.askers - 1)
    if (entry.waiters.length > 0 || entry.askers > 0) return
    if (entry.isHolder && !entry.staysOpen) {
      entry.isHolder = false
      release(id)
    } else if (!entry.isHolder && entry.shownBy.length === 0) live.delete(id)
  }
}

/** Keeps the question open, and drops its cached record: there may be many such questions. */
export function leave(live: LiveTable, id: string): void {
  const entry = live.get(id)
  if (entry === undefined) return
  entry.staysOpen = true
  if (entry.waiters.length === 0) entry.record = undefined
}
