// The data that one run of a handler has about its call of an A2A agent.

import type { Ask } from "@holdpoint/calls"
import { answeredSignal, canLeave, givenUpSignal, onRunEnd } from "@holdpoint/calls/internal"
import type { AgentConnection } from "./connection.ts"
import type { A2aCall, Settings } from "./settings.ts"
import type { TaskStream } from "./stream.ts"

export interface PeerParts {
  readonly settings: Settings
  readonly connection: AgentConnection
  /** Aborted by the peer's `close`: this process then stops following tasks at the agent. */
  readonly closing: AbortSignal
}

/** One run's share of a call of an A2A agent: a suspended call continues in another run, with a new attempt. */
export interface Attempt {
  readonly peer: PeerParts
  readonly ask: Ask
  readonly call: A2aCall
  /** Texts for the model: why questions of the agent were declined without asking the person. */
  readonly notes: string[]
  /** Aborted when the person stops the run, or when the caller aborts the call. */
  readonly stopped: AbortSignal
  /** Aborted when `stopped` is, and when this run of the handler has ended. */
  readonly signal: AbortSignal
  /**
   * Aborted when `signal` is. If another run can resume the call, also aborted when that should happen: this process
   * closes, or another question of the run was answered.
   */
  readonly following: AbortSignal
  /** The ids of the questions that the task itself waits for. Their answers do not abort `following`. */
  readonly taskQuestions: Set<string>
  /** The open stream of the task's events, if there is one. */
  stream: TaskStream | undefined
}

/** A task that an A2A agent works on, under the agent's own ids. */
export interface RemoteTask {
  readonly id: string
  readonly context: string
  /** The address of the agent. */
  readonly agent: string
}

export async function createAttempt(peer: PeerParts, ask: Ask, call: A2aCall): Promise<Attempt> {
  const runEnd = new AbortController()
  const runStopped = givenUpSignal(ask)
  const stopped = call.signal === undefined ? runStopped : AbortSignal.any([runStopped, call.signal])
  const signal = AbortSignal.any([stopped, runEnd.signal])
  const taskQuestions = new Set<string>()
  const otherAnswerSignal = (): AbortSignal => answeredSignal(ask, (id) => taskQuestions.has(id))
  const following = (await canLeave(ask)) ? AbortSignal.any([signal, peer.closing, otherAnswerSignal()]) : signal
  const attempt: Attempt = {
    peer,
    ask,
    call,
    notes: [],
    stopped,
    signal,
    following,
    taskQuestions,
    stream: undefined,
  }
  onRunEnd(ask, () => runEnd.abort(new Error("The run has ended or is suspended.")))
  return attempt
}
