// Runs as calls of `asking`: each is journaled, paused while it waits for people, and resumed by the process that
// notices the answer. There is no other scheduler or queue.

import type { Ask, Asking } from "@holdpoint/calls"
import { createAsk, parentOfCall, runCall, wakeCalls } from "@holdpoint/calls"
import { isHoldpointError, type Principal, type PrincipalId } from "@holdpoint/hub"
import type { EventSource } from "@holdpoint/hub/stream"
import type { ModelMessage } from "ai"
import { logAccountRequestEnds } from "./account-ends.ts"
import type { Agent } from "./agent.ts"
import { runAgent, scopeSeparator } from "./agent.ts"
import type { RunStart } from "./begin-run.ts"
import type { RunRequest } from "./carrier.ts"
import { carrier } from "./carrier.ts"
import type { Conversations, PreparedRun } from "./conversations.ts"
import { givenUpWords, mostInterruptions } from "./interruptions.ts"
import { modelErrorWords, toReported } from "./model-error.ts"
import type { Run, RunStatus } from "./records.ts"
import { hasEnded } from "./records.ts"
import { type CallStep, callEntry, stopCode } from "./run-entries.ts"
import type { RunLimit } from "./run-limit.ts"
import type { Chunk, RunLog, RunLogs } from "./run-log.ts"

export interface Runs {
  /**
   * Reserves one of the person's concurrent runs. Returns a function that releases it, or undefined when the limit is
   * reached.
   */
  reserve(person: PrincipalId): (() => void) | undefined
  /**
   * Stores a new run with its call in one commit, and starts it. Another process continues the run if this process dies.
   * Resolves to false when another request was faster.
   */
  begin(prepared: PreparedRun, start: RunStart): Promise<boolean>
  /** Starts a run that is stored without a call. */
  start(run: Run, input: RunInput): Promise<void>
  /**
   * Stops the run: no further step begins. Its open questions are cancelled, except for requests to connect an account.
   */
  stop(run: string): Promise<void>
  /** Whether the call of the run is stored: a process works on it, or will resume it when its questions are settled. */
  isKnown(run: string): Promise<boolean>
  /** Whether this process works on the run now. */
  isHere(run: string): boolean
  close(): Promise<void>
}

export interface RunInput {
  readonly person: Principal
  /** False for a program that called with an API key: it has no accounts, and approves nothing. */
  readonly isPerson: boolean
  /** Whether the person can be asked while the run waits. */
  readonly canAsk: boolean
  /** Whether the person reads the reply in a chat. If so, other outlets need not show its questions immediately. */
  readonly isInChat?: boolean
  /** How long the person has to answer a question. Default: the `questionMs` of the configuration. */
  readonly questionMs?: number
}

export interface RunsParts {
  readonly asking: Asking
  readonly conversations: Conversations
  readonly logs: RunLogs
  readonly questionMs: number
  readonly limit: RunLimit
  /** Returns the agent of this name, with the tools of this run's person. */
  readonly agentFor: (name: string, run: RunningRun) => Agent
  /** The display name of an agent. */
  readonly titleOf: (name: string) => string
  /** Called when a waiting run is stopped, to cancel its tasks at remote agents. Not awaited. */
  readonly cancelRemoteTasks: (ask: Ask, run: RunningRun) => Promise<void>
}

/** A run in this process, from one pause to the next. */
export interface RunningRun extends RunInput {
  readonly id: string
  readonly tenant: string
  /**
   * The output for the model about each account that the person did not connect in this run, by provider. The person is
   * not asked for these accounts again.
   */
  readonly refusedAccounts: Map<string, string>
  /** How many accounts were connected in this run. Each may make more tools available. */
  connected: number
}

export function createRuns(parts: RunsParts): Runs {
  const { asking, conversations, limit } = parts
  const stops = new Map<string, AbortController>()

  const worker = wakeCalls(asking, {
    kind: "run",
    async resume({ call, input, isNew, interruptions }) {
      const stop = new AbortController()
      // Registered before the run is read, so that a stop requested after the read aborts this controller.
      stops.set(call.id, stop)
      limit.enter(call.id, (input as RunInput).person)
      const leave = (): void => {
        stops.delete(call.id)
        limit.leave(call.id)
      }
      try {
        const newRun = isNew ? await conversations.get(call.id) : undefined
        const isFirst = newRun?.version === 1
        const run = isFirst ? newRun : await markRunning(conversations, call.id)
        if (run === undefined) return "left"
        await resumeRun(parts, { run, isFirst, input: input as RunInput, call, interruptions, stop, leave })
      } finally {
        leave()
      }
    },
  })
  // Aborts a run when this process or another requests a stop. A run that waits or is about to wait is woken, so that
  // it can end.
  const unfollow = asking.followers.followAll(({ kind, id, detail }) => {
    if (kind !== "run" || detail.code !== stopCode) return
    stops.get(id)?.abort(stopReason)
    worker.wake(id)
  })

  /** Ends the runs that no call continues, because their calls were lost. */
  const endLostRuns = async (): Promise<void> => {
    for (const run of await conversations.lost(asking.runtime.now() - lostMs)) {
      if (stops.has(run.id) || (await worker.has(run.id))) continue
      const log = parts.logs.open(run, async () => {})
      const chunks: readonly Chunk[] = [
        { type: "error", errorText: lostText },
        { type: "finish", finishReason: "error" },
      ]
      await endRun(parts, { run, log }, { status: "failed", chunks })
    }
  }
  let cancelLook: (() => void) | undefined
  const lookForLostRuns = (): void => {
    endLostRuns().catch((error: unknown) => asking.report("looking for runs that were lost", error))
    cancelLook = asking.runtime.after(lookMs, lookForLostRuns)
  }
  lookForLostRuns()

  return {
    reserve: limit.reserve,
    begin: ({ run, store }, { input, beside }) =>
      worker.start({
        id: run.id,
        caller: input.person,
        input,
        async beside() {
          const [isFirst] = await Promise.all([store(), beside?.(run)])
          return isFirst
        },
      }),
    async start(run, input) {
      await worker.start({ id: run.id, caller: input.person, input })
    },
    async stop(id) {
      await conversations.change(id, (run) => (hasEnded(run) ? undefined : { ...run, isStopRequested: true }))
    },
    isKnown: (id) => worker.has(id),
    isHere: (id) => stops.has(id),
    close() {
      unfollow()
      cancelLook?.()
      return worker.close()
    },
  }
}

/** How long the status of a run is left alone before somebody looks whether a call continues the run. */
const lostMs = 60_000
const lookMs = 5 * 60_000

const lostText =
  "This reply was interrupted and cannot be continued. What its tools had done by then stays done. Look before you send the message again."

/**
 * Marks the run as running, with a version above that of every earlier process. Returns undefined when the run has
 * ended: its process died between the end of the run and the end of the call.
 */
const markRunning = (conversations: Conversations, id: string): Promise<Run | undefined> =>
  conversations.change(id, (run) => (hasEnded(run) ? undefined : { ...run, status: "running" }))

const stopReason = new Error("The run was stopped.")

interface ResumedRun {
  readonly run: Run
  /** Whether no process has worked on the run before. */
  readonly isFirst: boolean
  readonly input: RunInput
  readonly call: Parameters<Parameters<typeof wakeCalls>[1]["resume"]>[0]["call"]
  /** How often in a row a process ended while it worked on the same step. */
  readonly interruptions: number
  readonly stop: AbortController
  /** Called when this process no longer works on the run. */
  readonly leave: () => void
}

async function resumeRun(parts: RunsParts, resumedRun: ResumedRun): Promise<void> {
  const { run, isFirst, input, call, interruptions, stop, leave } = resumedRun
  const { asking, conversations, logs, questionMs } = parts
  // Rejects when another process has taken over the run.
  const assertOurs = (): Promise<void> => call.save()
  const log = logs.open(run, assertOurs, { isNew: isFirst })
  const sources = new Map<string, EventSource>()
  const request: RunRequest = {
    ...{ ...input, log },
    sourceOf: (key) => sourceOf(sources, key),
    onPause: async () => {
      // Must come first: the change below wakes readers, which check whether this process still works on the run.
      leave()
      // No change if another process has taken over the run or a stop was requested: then the run does not wait.
      const isUnchanged = (now: Run): boolean => !hasEnded(now) && now.version === run.version
      await conversations.change(run, (now) => (isUnchanged(now) ? { ...now, status: "waiting" } : undefined))
    },
  }
  const running: RunningRun = { id: run.id, tenant: run.tenant, ...input, refusedAccounts: new Map(), connected: 0 }
  const lifetimeMs = input.questionMs ?? questionMs
  const asker = {
    requester: { id: `agent ${run.agent}`, name: parts.titleOf(run.agent) },
    caller: input.person,
    lifetimeMs,
  }
  const neverAborted = new AbortController().signal
  await runCall({ asking, carrier, asker, request, signal: neverAborted, call }, async (askParts) => {
    const ask = createAsk(askParts)
    // No `assertOurs` here: the log calls it before it writes, unless it did so within the last seconds.
    const end = (status: RunStatus, chunks: readonly Chunk[], reply: readonly ModelMessage[] = []) =>
      endRun(parts, { run, log }, { status, chunks, reply })
    if (run.isStopRequested === true) {
      const report = (error: unknown): void =>
        asking.report("cancelling the tasks of a stopped run at other agents", error)
      parts.cancelRemoteTasks(ask, running).catch(report)
      return end("stopped", [{ type: "abort", reason: "stopped" }])
    }
    try {
      await tellEnded(parts, { run, log, call })
      if (await log.isEmpty()) log.add({ type: "start", messageId: run.message })
      if (interruptions >= mostInterruptions) {
        const words = givenUpWords(call.journal)
        const chunks: readonly Chunk[] = [
          { type: "error", errorText: words },
          { type: "finish", finishReason: "error" },
        ]
        return await end("failed", chunks, [{ role: "assistant", content: words }])
      }
      const context = {
        ...{ ask, scope: "", signal: stop.signal, log, path: [run.agent] },
        prompt: () => conversations.prompt(run),
        announce: (scope: string, source: EventSource) => void sources.set(scope, source),
        noteEdit: (key: string, names: readonly string[]) => noteEdit(parts, { run, call }, { key, names }),
        noteCall: (step: CallStep) => asking.trail.append(callEntry(run, step, asking.runtime.now())),
      }
      const replying = runAgent(parts.agentFor(run.agent, running), context)
      const reply = await unlessAborted(replying, stop.signal)
      return await end("done", [{ type: "finish-step" }, { type: "finish", finishReason: "stop" }], reply)
    } catch (error) {
      if (stop.signal.aborted) return end("stopped", [{ type: "abort", reason: "stopped" }])
      if (isHoldpointError(error) && error.isOfStorage) throw error
      await assertOurs()
      asking.report(`running the agent ${run.agent}`, toReported(error))
      const errorText = modelErrorWords(error)
      return end("failed", [
        { type: "error", errorText },
        { type: "finish", finishReason: "error" },
      ])
    }
  })
}

/** Logs how requests to connect accounts ended. Skips runs without such requests, which saves reading their log. */
async function tellEnded(
  { asking, logs }: RunsParts,
  { run, log, call }: Pick<ResumedRun, "run" | "call"> & { log: RunLog },
) {
  if (![...call.journal.entries.keys()].some(isAccountKey)) return
  const chunks = (await logs.read(run, 0)).map(({ chunk }) => chunk)
  await logAccountRequestEnds({ asking, person: run.person, log, chunks })
}

const isAccountKey = (key: string): boolean => key.split(scopeSeparator).at(-1)?.startsWith("connection ") === true

/** Records only the names of the arguments: the trail never contains what people wrote. */
async function noteEdit(
  { asking: { trail, runtime } }: RunsParts,
  { run, call }: Pick<ResumedRun, "run" | "call">,
  { key, names }: { readonly key: string; readonly names: readonly string[] },
): Promise<void> {
  const entry = call.journal.get(key)
  if (entry === undefined || !("elicitation" in entry)) return
  const detail = { by: run.person, code: "arguments_edited", message: names.join(", ") }
  const parent = parentOfCall(run.id)
  await trail.append({ id: entry.elicitation, tenant: run.tenant, parent, kind: "edited", at: runtime.now(), detail })
}

/**
 * Rejects when the signal is aborted, even if a model or a tool ignores it, so that a stop takes effect immediately.
 */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: stopped, reject } = Promise.withResolvers<never>()
  const stop = (): void => reject(signal.reason)
  signal.addEventListener("abort", stop)
  if (signal.aborted) stop()
  return Promise.race([work, stopped]).finally(() => signal.removeEventListener("abort", stop))
}

/** The tool and the agent that ask the question with this key: those of the innermost announced scope around it. */
function sourceOf(sources: ReadonlyMap<string, EventSource>, key: string): EventSource {
  const end = key.lastIndexOf(scopeSeparator)
  if (end < 0) return {}
  const scope = key.slice(0, end)
  return sources.get(scope) ?? sourceOf(sources, scope)
}

/** How a run ends: its status, the last chunks of its log and the messages for later prompts. */
export interface RunEnd {
  readonly status: RunStatus
  readonly chunks: readonly Chunk[]
  readonly reply?: readonly ModelMessage[] | undefined
}

/**
 * Ends the log and the run. Not journaled as an effect, because a stopped run ends without replaying its earlier steps.
 * Safe to repeat. `run` is the run as last read from the store.
 */
export async function endRun(
  { conversations }: Pick<RunsParts, "conversations">,
  { run, log }: { readonly run: Run; readonly log: RunLog },
  { status, chunks, reply }: RunEnd,
): Promise<void> {
  await log.flush()
  if (!(await log.isEnded())) {
    for (const chunk of chunks) log.add(chunk)
    await log.flush()
  }
  await conversations.change(run, (now) => (hasEnded(now) ? undefined : { ...now, status }), reply)
}
