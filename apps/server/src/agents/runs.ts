// Runs as calls of `asking`: each is journaled, paused while it waits for people, and resumed by whichever process sees
// the answer. No other engine keeps them.

import type { Principal, PrincipalId } from "@holdpoint/sdk"
import type { Ask, Asking } from "@holdpoint/sdk/asking"
import { createAsk, parentOfCall, runCall, wakeCalls } from "@holdpoint/sdk/asking"
import type { EventSource } from "@holdpoint/sdk/stream"
import type { ModelMessage } from "ai"
import { tellAccountEnds } from "./account-ends.ts"
import type { Agent } from "./agent.ts"
import { runAgent, scopeSeparator } from "./agent.ts"
import type { RunRequest } from "./carrier.ts"
import { carrier } from "./carrier.ts"
import type { Conversations } from "./conversations.ts"
import { hasEnded } from "./conversations.ts"
import { modelErrorWords, toReported } from "./model-error.ts"
import type { Run, RunStatus } from "./records.ts"
import { type CallStep, callEntry, stopCode } from "./run-entries.ts"
import type { RunLimit } from "./run-limit.ts"
import type { Chunk, RunLog, RunLogs } from "./run-log.ts"

export interface Runs {
  /** A place for one more run of this person, until the returned function is called. Undefined when there is none. */
  reserve(person: PrincipalId): (() => void) | undefined
  /** Starts the run. From then on it runs to its end, even if this process dies. */
  start(run: Run, input: RunInput): Promise<void>
  /** Ends the run: what has not begun is not done. Its questions are cancelled, except for consents. */
  stop(run: string): Promise<void>
  /** Whether a process has the run, or will have it when its questions are settled. */
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
  /** Whether the person reads the reply in a chat, so that other places need not tell them of its questions at once. */
  readonly isInChat?: boolean
  /** How long the person has to answer, if it is not the usual time of a conversation. */
  readonly questionMs?: number
}

export interface RunsParts {
  readonly asking: Asking
  readonly conversations: Conversations
  readonly logs: RunLogs
  readonly questionMs: number
  readonly limit: RunLimit
  /** The agent of this name, for this person in this run. */
  readonly agentFor: (name: string, run: RunningRun) => Agent
  /** The name of an agent for people. */
  readonly titleOf: (name: string) => string
  /** Called for a run that is stopped while it waits: what it has left elsewhere is to be ended. Not waited for. */
  readonly endOthers: (ask: Ask, run: RunningRun) => Promise<void>
}

/** A run in this process, from one pause to the next. */
export interface RunningRun extends RunInput {
  readonly id: string
  readonly tenant: string
  /** What the model was told of accounts that the person did not connect in this run, by provider: not asked again. */
  readonly refusedAccounts: Map<string, string>
  /** How many accounts were connected in this run. Tools may be known then that were not before. */
  connected: number
}

export function createRuns(parts: RunsParts): Runs {
  const { asking, conversations, limit } = parts
  const stops = new Map<string, AbortController>()

  const waking = wakeCalls(asking, {
    kind: "run",
    async resume({ call, input, isNew }) {
      const stop = new AbortController()
      // Before the run is read: a stop after that is told of here.
      stops.set(call.id, stop)
      limit.enter(call.id, (input as RunInput).person)
      const leave = (): void => {
        stops.delete(call.id)
        limit.leave(call.id)
      }
      try {
        const first = isNew ? await conversations.get(call.id) : undefined
        const isFirst = first?.version === 1
        const run = isFirst ? first : await begun(conversations, call.id)
        if (run === undefined) return void (await call.finish())
        await resumeRun(parts, { run, isFirst, input: input as RunInput, call, stop, leave })
      } finally {
        leave()
      }
    },
  })
  // Requested here or at another process. A run that waits, or is being paused at this moment, is woken to end.
  const unfollow = asking.followers.followAll(({ kind, id, detail }) => {
    if (kind !== "run" || detail.code !== stopCode) return
    stops.get(id)?.abort(stopReason)
    waking.wake(id)
  })

  return {
    reserve: limit.reserve,
    start: (run, input) => waking.start({ id: run.id, caller: input.person, input }),
    async stop(id) {
      await conversations.change(id, (run) => (hasEnded(run) ? undefined : { ...run, isStopRequested: true }))
    },
    isKnown: (id) => waking.has(id),
    isHere: (id) => stops.has(id),
    close() {
      unfollow()
      return waking.close()
    },
  }
}

/**
 * The run, marked as running, with a version that no earlier process had. Undefined when it has ended: its process died
 * between its end and that of its call.
 */
const begun = (conversations: Conversations, id: string): Promise<Run | undefined> =>
  conversations.change(id, (run) => (hasEnded(run) ? undefined : { ...run, status: "running" }))

const stopReason = new Error("The run was stopped.")

interface Resumed {
  readonly run: Run
  /** Whether no process has worked on the run before. */
  readonly isFirst: boolean
  readonly input: RunInput
  readonly call: Parameters<Parameters<typeof wakeCalls>[1]["resume"]>[0]["call"]
  readonly stop: AbortController
  /** Called when this process no longer works on the run. */
  readonly leave: () => void
}

async function resumeRun(parts: RunsParts, { run, isFirst, input, call, stop, leave }: Resumed): Promise<void> {
  const { asking, conversations, logs, questionMs } = parts
  // Fails when another process has taken over the run.
  const assertOurs = (): Promise<void> => call.save()
  const log = logs.open(run, assertOurs, { isNew: isFirst })
  const sources = new Map<string, EventSource>()
  const request: RunRequest = {
    ...{ ...input, log },
    sourceOf: (key) => sourceOf(sources, key),
    onPause: async () => {
      // Before readers are woken, who then look into the store for what follows.
      leave()
      // Unless another process has taken the run, or it is to be stopped: then it does not wait.
      const isOurs = (now: Run): boolean => !hasEnded(now) && now.version === run.version
      await conversations.change(run, (now) => (isOurs(now) ? { ...now, status: "waiting" } : undefined))
    },
  }
  const running: RunningRun = { id: run.id, tenant: run.tenant, ...input, refusedAccounts: new Map(), connected: 0 }
  const lifetimeMs = input.questionMs ?? questionMs
  const asker = {
    requester: { id: `agent ${run.agent}`, name: parts.titleOf(run.agent) },
    caller: input.person,
    lifetimeMs,
  }
  const never = new AbortController().signal
  await runCall({ asking, carrier, asker, request, signal: never, call }, async (made) => {
    const ask = createAsk(made)
    // The log asks whether the run is still ours, unless that is certain.
    const end = (status: RunStatus, chunks: readonly Chunk[], reply: readonly ModelMessage[] = []) =>
      endRun(parts, { run, log }, { status, chunks, reply })
    if (run.isStopRequested === true) {
      const report = (error: unknown): void => asking.report("ending what a stopped run has left elsewhere", error)
      parts.endOthers(ask, running).catch(report)
      return end("stopped", [{ type: "abort", reason: "stopped" }])
    }
    try {
      await tellEnded(parts, { run, log, call })
      passStart(call)
      if (await log.isEmpty()) log.add({ type: "start", messageId: run.message })
      const place = {
        ...{ ask, scope: "", signal: stop.signal, log, path: [run.agent] },
        prompt: () => conversations.prompt(run),
        announce: (scope: string, source: EventSource) => void sources.set(scope, source),
        noteEdit: (key: string, names: readonly string[]) => noteEdit(parts, { run, call }, { key, names }),
        noteCall: (step: CallStep) => asking.trail.append(callEntry(run, step, asking.runtime.now())),
      }
      const replying = runAgent(parts.agentFor(run.agent, running), place)
      const reply = await orStopped(replying, stop.signal)
      return await end("done", [{ type: "finish-step" }, { type: "finish", finishReason: "stop" }], reply)
    } catch (error) {
      if (stop.signal.aborted) return end("stopped", [{ type: "abort", reason: "stopped" }])
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

/** Only a run that asked for an account has something to tell: the others are spared the look into their log. */
async function tellEnded(
  { asking, logs }: RunsParts,
  { run, log, call }: Pick<Resumed, "run" | "call"> & { log: RunLog },
) {
  if (![...call.journal.entries.keys()].some(isAccountKey)) return
  const told = (await logs.read(run, 0)).map(({ chunk }) => chunk)
  await tellAccountEnds({ asking, person: run.person, log, told })
}

const isAccountKey = (key: string): boolean => key.split(scopeSeparator).at(-1)?.startsWith("connection ") === true

/** The names of the arguments only: the trail never contains what people wrote. */
async function noteEdit(
  { asking: { trail, runtime } }: RunsParts,
  { run, call }: Pick<Resumed, "run" | "call">,
  { key, names }: { readonly key: string; readonly names: readonly string[] },
): Promise<void> {
  const entry = call.journal.get(key)
  if (entry === undefined || !("elicitation" in entry)) return
  const detail = { by: run.person, code: "arguments_edited", message: names.join(", ") }
  const parent = parentOfCall(run.id)
  await trail.append({ id: entry.elicitation, tenant: run.tenant, parent, kind: "edited", at: runtime.now(), detail })
}

/** A model or a tool that does not listen to its signal keeps no person waiting. */
async function orStopped<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: stopped, reject } = Promise.withResolvers<never>()
  const stop = (): void => reject(signal.reason)
  signal.addEventListener("abort", stop)
  if (signal.aborted) stop()
  return Promise.race([work, stopped]).finally(() => signal.removeEventListener("abort", stop))
}

/** Older versions journaled the start of the log. */
function passStart({ journal }: Resumed["call"]): void {
  const entry = journal.get("once start")
  if (entry !== undefined) journal.pass(entry)
}

/** What asks under this key: the innermost scope around it that was announced. */
function sourceOf(sources: ReadonlyMap<string, EventSource>, key: string): EventSource {
  const end = key.lastIndexOf(scopeSeparator)
  if (end < 0) return {}
  const scope = key.slice(0, end)
  return sources.get(scope) ?? sourceOf(sources, scope)
}

interface End {
  readonly status: RunStatus
  readonly chunks: readonly Chunk[]
  readonly reply: readonly ModelMessage[]
}

/**
 * Not an effect of the call, so that a stopped run may skip what it did before. Doing it twice does no harm. The run is
 * given as it was read from the store.
 */
export async function endRun(
  { conversations }: Pick<RunsParts, "conversations">,
  { run, log }: { readonly run: Run; readonly log: RunLog },
  { status, chunks, reply }: End,
): Promise<void> {
  await log.flush()
  if (!(await log.isEnded())) {
    for (const chunk of chunks) log.add(chunk)
    await log.flush()
  }
  await conversations.change(run, (now) => (hasEnded(now) ? undefined : { ...now, status }), reply)
}
