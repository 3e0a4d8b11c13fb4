// The hub takes questions from programs and answers from people, and knows the protocol of neither. This file only
// composes. Each verb is in the file named after it.

import type { Elicitation, Outcome, Reason } from "../core/elicitation.ts"
import { HoldpointError } from "../core/error.ts"
import type { Content } from "../core/form.ts"
import type { Limits } from "../core/limits.ts"
import { defaultLimits } from "../core/limits.ts"
import type { Principal } from "../core/principal.ts"
import type { Draft, FormDraft, UrlDraft } from "../core/question.ts"
import type { Report } from "../due/work.ts"
import { closedError, createWork } from "../due/work.ts"
import type { Directory } from "../ports/directory.ts"
import type { Ladder } from "../ports/ladder.ts"
import type { Members } from "../ports/members.ts"
import type { Observer } from "../ports/observer.ts"
import type { AnyOutlet, Outlet } from "../ports/outlet.ts"
import type { Runtime } from "../ports/runtime.ts"
import type { Storage } from "../ports/storage.ts"
import type { ListQuery } from "../ports/store.ts"
import type { Entry, TrailQuery } from "../ports/trail.ts"
import type { SecretOptions } from "../secrets/options.ts"
import { createSecretRule, secretRule } from "../secrets/rule.ts"
import { createAgenda } from "./agenda.ts"
import { createAlarm } from "./alarm.ts"
import type { Answer } from "./answer.ts"
import { answer } from "./answer.ts"
import type { Asked, AskNeeds, AskOptions } from "./ask.ts"
import { ask } from "./ask.ts"
import { createDeliveries } from "./deliveries/deliveries.ts"
import { createFollow, createOnChange, createReload } from "./follow.ts"
import { guardObserver } from "./guard-observer.ts"
import type { RetentionTimes } from "./housekeeping.ts"
import { createHousekeeping, defaultRetention } from "./housekeeping.ts"
import type { LiveTable } from "./live-questions.ts"
import { rejectAll } from "./live-questions.ts"
import { systemRuntime } from "./runtime.ts"
import { createShow, createWithdraw } from "./show.ts"
import type { StepResult } from "./steps.ts"
import { createStep } from "./steps.ts"
import type { WaitNeeds, WaitOptions } from "./wait.ts"
import { createGiveUp, leave, wait } from "./wait.ts"
import { warn } from "./warn.ts"
import type { WatchEvent, WatchNeeds, WatchScope } from "./watch.ts"
import { watch } from "./watch.ts"

/** The options of `createHub`. Only `storage` and `outlets` are required. */
export interface HubOptions {
  /** The caller opens the storage, and closes it after the hub. */
  readonly storage: Storage
  /**
   * Where people see questions. Without an outlet, every question ends as `unsupported` at once. Outlets that send
   * answers to the hub are created by a function, which is called once with the hub before `createHub` returns.
   */
  readonly outlets: readonly AnyOutlet[] | ((hub: Hub) => readonly AnyOutlet[])
  /** Finds the addresses of people for lasting outlets. Without a directory, lasting outlets find no address. */
  readonly directory?: Directory
  /** The roles of people as they were last seen: votes of people who have lost their role since do not count. */
  readonly members?: Members
  /**
   * When each lasting outlet notifies a person of a question: `ladder` of `createHoldpoint` makes one. Without a
   * ladder, all lasting outlets notify at once.
   */
  readonly ladder?: Ladder
  readonly limits?: Partial<Limits>
  readonly retention?: Partial<RetentionTimes>
  /** More words that mark a field as secret, and fields that are exempt from the rule. */
  readonly secrets?: SecretOptions
  readonly runtime?: Runtime
  /** Receives the errors of background work, such as a failed delivery, which no caller awaits. */
  readonly report?: Report
  /** Receives the steps of this hub, for telemetry: `createTelemetry` of `@holdpoint/hub/telemetry` makes one. */
  readonly observer?: Observer
}

export interface SweepResult {
  readonly expired: number
  readonly contentsForgotten: number
  readonly questionsForgotten: number
  /**
   * The number of deleted records of every kind that expires: calls, sign-ins, client sessions, records of the
   * authorization server.
   */
  readonly recordsForgotten: number
}

/** Where programs ask and people answer. Made by `createHub`. */
export interface Hub {
  /**
   * Asks a question, which is durable when this resolves. Throws for an invalid question and when a limit is reached.
   */
  ask<C extends Content>(draft: FormDraft<C>, options?: AskOptions): Promise<Asked<C>>
  ask(draft: UrlDraft, options?: AskOptions): Promise<Asked<undefined>>
  ask(draft: Draft, options?: AskOptions): Promise<Asked>
  /** Applies a person's accept, decline or cancel. */
  answer(id: string, answer: Answer): Promise<StepResult>
  /** Records that the page of a url question was opened. `by` is the person, when their identity was verified. */
  open(id: string, options?: { readonly by?: Principal }): Promise<StepResult>
  /** Completes an accepted url question, when the person has finished on its page. */
  complete(id: string): Promise<StepResult>
  /** Ends an accepted url question as failed, when the person could not finish on its page. */
  fail(id: string, reason: Reason): Promise<StepResult>
  /** Cancels the question on behalf of the caller that asked it. */
  cancel(id: string, reason?: Reason): Promise<StepResult>
  /**
   * Waits for one of six outcomes. Rejects when the signal aborts, the id is unknown, the hub is closed, or the answer
   * is not kept any more (`content_gone`).
   */
  wait<C extends Content | undefined = Content | undefined>(
    question: Asked<C> | string,
    options?: WaitOptions,
  ): Promise<Outcome<C>>
  /**
   * Keeps the question open although this process no longer waits for it, because the asker will come back, to this or
   * another process.
   */
  leave(id: string): void
  watch(scope: WatchScope, options?: { readonly signal?: AbortSignal }): AsyncGenerator<WatchEvent, void, undefined>
  get(id: string): Promise<Elicitation | undefined>
  list(query: ListQuery): Promise<readonly Elicitation[]>
  trail(query: TrailQuery): Promise<readonly Entry[]>
  /** Applies the person's changed ladder to the messages about their open questions that were not sent yet. */
  reschedule(person: Principal): Promise<void>
  /** Expires overdue questions and deletes old data now. The hub also does this by itself, at the right times. */
  sweep(): Promise<SweepResult>
  /** Ends all waits of this process. Open questions stay open. */
  close(): Promise<void>
}

/** Creates a hub: programs ask it, people answer it, and it keeps every question in the given storage. */
export function createHub(options: HubOptions): Hub {
  const {
    storage,
    directory = emptyDirectory,
    members = unknownMembers,
    ladder,
    runtime = systemRuntime,
    report = warn,
  } = options
  const { store, trail } = storage
  const limits = { ...defaultLimits, ...options.limits }
  const live: LiveTable = new Map()
  const outlets: Outlet[] = []

  const observer = guardObserver(options.observer, report)
  const work = createWork({ runtime, report })
  const { background, track, whileOpen, runLater, onClose } = work
  const times = { ...defaultRetention, ...options.retention }
  const housekeeping = createHousekeeping({ storage, runtime, times, background })
  const withdraw = createWithdraw({ background })
  const onChange = createOnChange({ live, withdraw, noteRead: housekeeping.noteRead })
  const step = createStep({ store, trail, members, runtime, live, onChange, observer })
  const reload = createReload({ store, live, onChange, background, runLater })
  const alarm = createAlarm({ store, runtime, live, step, reload, background })
  const deliveries = createDeliveries({ storage, directory, ladder, runtime, step, report, background, outlets })
  const { endIfUnsupported, moveUp } = deliveries
  const agenda = createAgenda({ storage, runtime, deliveries, step, report, background })
  const showNeeds = {
    outlets,
    store,
    trail,
    runtime,
    live,
    endIfUnsupported: endIfUnsupported,
    moveUp,
    withdraw,
    report,
    background,
  }
  const show = createShow({ ...showNeeds, hasLadder: deliveries.hasLadder })
  const giveUp = createGiveUp({ live, step, background, runLater })
  const follow = createFollow({ live, alarm, reload })
  const secrets = options.secrets === undefined ? secretRule : createSecretRule(options.secrets)
  const [insertsInProgress, placesInProgress] = [new Map(), new Map()]
  const sharedNeeds = { store, runtime, limits, secrets, live, observer }
  const askNeeds: AskNeeds = {
    ...sharedNeeds,
    insertsInProgress,
    placesInProgress,
    alarm,
    step,
    show,
    deliveries,
    agenda,
    giveUp,
  }
  const waitNeeds: WaitNeeds = { store, live, onChange, reload, giveUp, background }
  const watchNeeds: WatchNeeds = { store, trail, track, onClose }

  const unsubscribe = trail.subscribe((entries) => {
    for (const entry of entries) {
      follow(entry)
      deliveries.follow(entry)
      agenda.follow(entry)
    }
  })
  background("expiring questions whose deadline passed while no process was running", async () => {
    await alarm.sweep()
  })
  background("sending the reminders and escalations that were due while no process was running", agenda.sweep)
  housekeeping.start()

  const close = async (): Promise<void> => {
    unsubscribe()
    alarm.stop()
    deliveries.stop()
    agenda.stop()
    housekeeping.stop()
    work.close()
    const error = new HoldpointError("closed", "The hub was closed; the question stays open.")
    const openQuestions = [...live]
    live.clear()
    for (const [id, entry] of openQuestions) {
      rejectAll(entry, error)
      if (entry.shownBy.length === 0) continue
      background("withdrawing an open question", async () => {
        const record = entry.record ?? (await store.get(id))
        if (record !== undefined) withdraw(record, entry)
      })
    }
    await work.drain()
  }
  let closing: Promise<void> | undefined

  const hub: Hub = {
    ask: (draft: Draft, askOptions: AskOptions = {}) =>
      whileOpen(() => ask(askNeeds, draft, askOptions)) as Promise<Asked<never>>,
    answer: (id, proposed) => whileOpen(() => answer({ step, limits, runtime }, id, proposed)),
    open: (id, { by } = {}) => whileOpen(() => step(id, by === undefined ? { type: "open" } : { type: "open", by })),
    complete: (id) => whileOpen(() => step(id, { type: "complete" })),
    fail: (id, reason) => whileOpen(() => step(id, { type: "fail", reason })),
    cancel: (id, reason = { code: "asker_cancelled" }) => whileOpen(() => step(id, { type: "cancel", reason })),
    // Not tracked by `whileOpen`, because `close` must not await pending waits: people may take days to answer.
    wait(question, waitOptions = {}) {
      const id = typeof question === "string" ? question : question.id
      return (work.isClosed() ? Promise.reject(closedError()) : wait(waitNeeds, id, waitOptions)) as Promise<never>
    },
    leave: (id) => leave(live, id),
    watch: (scope, watchOptions = {}) => watch(watchNeeds, scope, watchOptions),
    get: (id) => whileOpen(() => store.get(id)),
    list: (query) => whileOpen(() => store.list(query)),
    trail: (query) => whileOpen(() => trail.read(query)),
    reschedule: (person) => whileOpen(() => deliveries.reschedule(person)),
    sweep: () =>
      whileOpen(async () => {
        const expired = await alarm.sweep()
        await agenda.sweep()
        await deliveries.sweep()
        const { contents, questions, records } = await housekeeping.forget()
        return { expired, contentsForgotten: contents, questionsForgotten: questions, recordsForgotten: records }
      }),
    close() {
      closing ??= close()
      return closing
    },
  }
  const configuredOutlets = typeof options.outlets === "function" ? options.outlets(hub) : options.outlets
  outlets.push(...configuredOutlets.filter((outlet) => "deliver" in outlet))
  deliveries.start(configuredOutlets.flatMap((outlet) => ("deliver" in outlet ? [] : [outlet])))
  return hub
}

const emptyDirectory: Directory = { find: async () => [] }
const unknownMembers: Members = { rolesOf: async () => undefined }
