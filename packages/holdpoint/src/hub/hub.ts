// The hub: questions come in on one side, answers on the other, and it knows neither side's protocol. This file only
// composes; each verb is in the file named after it.

import type { Elicitation, Outcome, Reason } from "../core/elicitation.ts"
import { isSettled } from "../core/elicitation.ts"
import { HoldpointError } from "../core/error.ts"
import type { Content } from "../core/form.ts"
import type { Limits } from "../core/limits.ts"
import { defaultLimits } from "../core/limits.ts"
import type { Principal } from "../core/principal.ts"
import type { Draft } from "../core/question.ts"
import type { Outlet } from "../ports/outlet.ts"
import type { Runtime } from "../ports/runtime.ts"
import type { Storage } from "../ports/storage.ts"
import type { ListQuery } from "../ports/store.ts"
import type { Entry, TrailQuery } from "../ports/trail.ts"
import type { Alarm } from "./alarm.ts"
import { createAlarm } from "./alarm.ts"
import type { Answer } from "./answer.ts"
import { answer } from "./answer.ts"
import type { Asked, AskOptions } from "./ask.ts"
import { ask } from "./ask.ts"
import { withdraw, withdrawOpen } from "./delivery.ts"
import type { Housekeeping, RetentionTimes } from "./housekeeping.ts"
import { createHousekeeping, defaultRetention } from "./housekeeping.ts"
import type { LiveTable } from "./live.ts"
import { systemRuntime } from "./runtime.ts"
import type { StepResult } from "./steps.ts"
import { step } from "./steps.ts"
import type { WaitOptions } from "./wait.ts"
import { leave, notFound, rejectAll, resolveAll, wait } from "./wait.ts"
import { warn } from "./warn.ts"
import type { WatchEvent, WatchScope } from "./watch.ts"
import { watch } from "./watch.ts"

export interface HubOptions {
  /** Opened by the caller, closed by the caller, after the hub. */
  readonly storage: Storage
  /** Where people see questions. Without any, every question ends as `unsupported` at once. */
  readonly outlets: readonly Outlet[]
  readonly limits?: Partial<Limits>
  readonly retention?: Partial<RetentionTimes>
  readonly runtime?: Runtime
  /** Told of what goes wrong in the background. Nothing that is acknowledged depends on it. */
  readonly report?: (doing: string, error: unknown) => void
}

export interface Swept {
  readonly expired: number
  readonly contentsForgotten: number
  readonly recordsForgotten: number
  /** Calls whose time is over, with sessions of clients and what the authorization server kept. */
  readonly callsForgotten: number
}

export interface Hub {
  /** Durable when it resolves. Throws on a question that must not be asked and on full limits. */
  ask<C extends Content>(draft: Draft<C>, options?: AskOptions): Promise<Asked<C>>
  /** A person's accept, decline or cancel. */
  answer(id: string, answer: Answer): Promise<StepResult>
  /** The page of a url question was opened; with `by`, by somebody whose identity was verified. */
  open(id: string, options?: { readonly by?: Principal }): Promise<StepResult>
  /** What an accepted url question asked for has been done. */
  complete(id: string): Promise<StepResult>
  /** What an accepted url question asked for did not work out. */
  fail(id: string, reason: Reason): Promise<StepResult>
  /** The asker takes the question back. */
  cancel(id: string, reason?: Reason): Promise<StepResult>
  /** One of six outcomes. Rejects when the signal aborts, the id is unknown, or the hub is closed. */
  wait<C extends Content>(asked: Asked<C> | string, options?: WaitOptions): Promise<Outcome<C>>
  /** Who asked in this process does not wait here: somebody will come back for it, here or elsewhere. */
  leave(id: string): void
  watch(scope: WatchScope, options?: { readonly signal?: AbortSignal }): AsyncGenerator<WatchEvent, void, undefined>
  get(id: string): Promise<Elicitation | undefined>
  list(query: ListQuery): Promise<readonly Elicitation[]>
  trail(query: TrailQuery): Promise<readonly Entry[]>
  /** Expires what is overdue and forgets what retention says. Happens by itself; call it to have it happen now. */
  sweep(): Promise<Swept>
  /** Ends all waits of this process and leaves every question as it is. */
  close(): Promise<void>
}

/** What the verbs share. */
export interface HubParts {
  readonly storage: Storage
  readonly outlets: readonly Outlet[]
  readonly limits: Limits
  readonly runtime: Runtime
  readonly live: LiveTable
  readonly asking: Map<string, Promise<Elicitation>>
  readonly alarm: Alarm
  readonly report: (doing: string, error: unknown) => void
  /** This is how the elicitation stands now: remember it, and resume whoever waits for its end. */
  moved(record: Elicitation): void
  /** Look up how it stands, and go on from there. */
  reload(id: string): void
  /** An asker has got the content. */
  read(id: string): void
  /** Runs on its own; what it throws is reported. `close` waits for it. */
  background(doing: string, work: () => Promise<void>): void
  /** Keeps `close` waiting until the work is done, so that nobody finds the storage closed under it. */
  during<T>(work: () => Promise<T>): Promise<T>
  onClose(callback: () => void): () => void
  /** Tries something again after a while, unless the hub is closed by then. */
  later(delayMs: number, work: () => void): void
}

export function createHub(options: HubOptions): Hub {
  const { storage, outlets } = options
  const runtime = options.runtime ?? systemRuntime
  const limits = { ...defaultLimits, ...options.limits }
  const report = options.report ?? warn
  const live: LiveTable = new Map()
  const underWay = new Set<Promise<void>>()
  const closers = new Set<() => void>()
  let isClosed = false

  const background = (doing: string, work: () => Promise<void>): void => {
    const running = work()
      .catch((error: unknown) => {
        if (!isClosed) report(doing, error)
      })
      .finally(() => underWay.delete(running))
    underWay.add(running)
  }

  const during = <T>(work: () => Promise<T>): Promise<T> => {
    const running = work()
    const done = running.then(
      () => {},
      () => {},
    )
    underWay.add(done)
    void done.finally(() => underWay.delete(done))
    return running
  }

  const moved = (record: Elicitation): void => {
    const entry = live.get(record.id)
    if (entry === undefined || (entry.record !== undefined && entry.record.revision > record.revision)) return
    entry.record = record
    if (!isSettled(record.status)) return
    live.delete(record.id)
    resolveAll(parts, entry, record)
    withdraw(parts, record, entry)
  }

  const base = { storage, outlets, limits, runtime, live, asking: new Map(), report, moved, background, during }
  const housekeeping: Housekeeping = createHousekeeping({
    ...base,
    times: { ...defaultRetention, ...options.retention },
  })
  const onClose = (callback: () => void): (() => void) => {
    if (isClosed) callback()
    closers.add(callback)
    return () => closers.delete(callback)
  }
  const later = (delayMs: number, work: () => void): void => {
    const forget = onClose(
      runtime.after(delayMs, () => {
        forget()
        work()
      }),
    )
  }
  const withoutAlarm = { ...base, read: housekeeping.read, onClose, later, reload: (id: string) => reload(parts, id) }
  const parts: HubParts = { ...withoutAlarm, alarm: createAlarm(withoutAlarm, () => parts) }

  const unsubscribe = storage.trail.subscribe((entries) => {
    for (const entry of entries) follow(parts, entry)
  })
  background("expiring what fell due while nobody ran", async () => {
    await parts.alarm.sweep()
  })
  housekeeping.start()

  let closing: Promise<void> | undefined
  const close = async (): Promise<void> => {
    isClosed = true
    unsubscribe()
    parts.alarm.stop()
    housekeeping.stop()
    for (const closer of [...closers]) closer()
    const closed = new HoldpointError("closed", "The hub was closed; the question stays open.")
    for (const [id, entry] of live) {
      if (entry.shownBy.length > 0) withdrawOpen(parts, id, entry)
      rejectAll(parts, id, entry, closed)
    }
    await Promise.race([drained(), patience()])
  }
  const drained = async (): Promise<void> => {
    while (underWay.size > 0) await Promise.all(underWay)
  }
  /** An outlet that never comes back must not keep the program from ending. */
  const patience = (): Promise<void> =>
    new Promise((resolve) => {
      const cancel = runtime.after(patienceMs, resolve)
      void drained().then(cancel)
    })

  const open = <T>(work: () => Promise<T>): Promise<T> =>
    isClosed ? Promise.reject(new HoldpointError("closed", "The hub is closed.")) : during(work)

  return {
    ask: (draft, askOptions = {}) => open(() => ask(parts, draft as Draft, askOptions)) as Promise<never>,
    answer: (id, given) => open(() => answer(parts, id, given)),
    open: (id, { by } = {}) => open(() => step(parts, id, by === undefined ? { type: "open" } : { type: "open", by })),
    complete: (id) => open(() => step(parts, id, { type: "complete" })),
    fail: (id, reason) => open(() => step(parts, id, { type: "fail", reason })),
    cancel: (id, reason = { code: "asker_cancelled" }) => open(() => step(parts, id, { type: "cancel", reason })),
    wait: (asked, waitOptions = {}) => {
      // People think for days: closing does not wait for them.
      if (isClosed) return Promise.reject(new HoldpointError("closed", "The hub is closed."))
      return wait(parts, typeof asked === "string" ? asked : asked.id, waitOptions) as Promise<never>
    },
    leave: (id) => leave(parts, id),
    watch: (scope, watchOptions = {}) => watch(parts, scope, watchOptions),
    get: (id) => open(() => storage.store.get(id)),
    list: (query) => open(() => storage.store.list(query)),
    trail: (query) => open(() => storage.trail.read(query)),
    sweep: () =>
      open(async () => {
        const expired = await parts.alarm.sweep()
        const { contents, records, calls } = await housekeeping.forget()
        return { expired, contentsForgotten: contents, recordsForgotten: records, callsForgotten: calls }
      }),
    close() {
      closing ??= close()
      return closing
    },
  }
}

/** A commit, by this process or another, that may concern a question somebody here waits for. */
function follow(parts: HubParts, entry: Entry): void {
  if (entry.detail.expiresAt !== undefined) parts.alarm.arm(entry.detail.expiresAt)
  const known = parts.live.get(entry.id)
  if (known === undefined || entry.revision === undefined) return
  if (known.record !== undefined && known.record.revision >= entry.revision) return
  known.record = undefined
  if (entry.status !== undefined && isSettled(entry.status)) parts.reload(entry.id)
}

/** Reads what another process has settled. A database that is away for a moment must not lose the answer. */
function reload(parts: HubParts, id: string): void {
  parts.background("reading a settled question", async () => {
    try {
      const record = await parts.storage.store.get(id)
      const entry = parts.live.get(id)
      if (record !== undefined) parts.moved(record)
      else if (entry !== undefined) rejectAll(parts, id, entry, notFound(id))
    } catch (error) {
      parts.later(reloadRetryMs, () => reload(parts, id))
      throw error
    }
  })
}

const reloadRetryMs = 1_000
const patienceMs = 10_000
