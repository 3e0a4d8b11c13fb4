// What belongs to one call of an agent in one run of its handler.

import type { Ask } from "../../../asking/ask.ts"
import { answeredSignal, canLeave, givenUpSignal, onRunEnd } from "../../../asking/on-behalf.ts"
import type { Lines } from "./line.ts"
import type { A2aCall, Settings } from "./settings.ts"
import type { TaskStream } from "./stream.ts"

export interface PeerParts {
  readonly settings: Settings
  readonly lines: Lines
  /** Aborted when this process closes: tasks are not followed here any more. */
  readonly closing: AbortSignal
}

/** One attempt to have a task done. */
export interface Attempt {
  readonly peer: PeerParts
  readonly ask: Ask
  readonly call: A2aCall
  /** Why questions were declined without asking the person, for the model. */
  readonly notes: string[]
  /** Aborted when the person stops the run or the caller gives up. */
  readonly stopped: AbortSignal
  /** Aborted then, and when this run of the handler has ended. */
  readonly signal: AbortSignal
  /** Aborted then, and when the call is to be left to its next run: another process, or an answer to go on with. */
  readonly following: AbortSignal
  /** The questions that the task itself waits for while it is followed. */
  readonly followed: Set<string>
  /** The open stream of the task, if there is one. */
  stream: TaskStream | undefined
}

/** A task at the agent. */
export interface RemoteTask {
  readonly id: string
  readonly context: string
  /** The address of the agent. */
  readonly agent: string
}

export async function createAttempt(peer: PeerParts, ask: Ask, call: A2aCall): Promise<Attempt> {
  const ended = new AbortController()
  const given = givenUpSignal(ask)
  const stopped = call.signal === undefined ? given : AbortSignal.any([given, call.signal])
  const signal = AbortSignal.any([stopped, ended.signal])
  const followed = new Set<string>()
  const answered = (): AbortSignal => answeredSignal(ask, (id) => followed.has(id))
  const following = (await canLeave(ask)) ? AbortSignal.any([signal, peer.closing, answered()]) : signal
  const attempt: Attempt = { peer, ask, call, notes: [], stopped, signal, following, followed, stream: undefined }
  onRunEnd(ask, () => ended.abort(new Error("The run has ended or is suspended.")))
  return attempt
}
