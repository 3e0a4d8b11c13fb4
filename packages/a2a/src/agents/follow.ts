// Follows a task: yields the chunks of its run as they are written, and each state in which the run stops. While the
// run waits for people, only a change of the run wakes the follower. Another process may work on the run.

import type { Run } from "@holdpoint/agents/internal"
import { createSleeper, hasEnded, isEnd, type NumberedChunk, readRun } from "@holdpoint/agents/internal"
import type { Entry } from "@holdpoint/hub"
import type { A2aParts } from "./parts.ts"
import { questionsIn } from "./read-task.ts"
import { isInterrupted, type RunNow, stateOf } from "./state.ts"

export type TaskStep =
  | { readonly kind: "chunk"; readonly chunk: NumberedChunk }
  /** The run waits for people, or has ended. */
  | { readonly kind: "stop"; readonly now: RunNow }

export interface FollowOptions {
  readonly run: Run
  /** The number of the last chunk that the reader has. */
  readonly after: number
  /** Whether the reader already has the end of the reply. */
  readonly hasEndChunk?: boolean
  readonly signal: AbortSignal
}

type FollowParts = Pick<A2aParts, "readers" | "conversations" | "hub">

/** Yields the steps of a task. The last step is the end of the run, unless the reader disconnects. */
export async function* followTask(parts: FollowParts, options: FollowOptions): AsyncGenerator<TaskStep> {
  const { run, signal } = options
  let { hasEndChunk = false } = options
  for (let { after } = options; !signal.aborted; ) {
    // Undefined until the run stops: its state is that of the run whose chunks were read to their end.
    let stopped: Run | undefined
    if (!hasEndChunk)
      for await (const step of readRun(parts.readers, { run, after, isHeld: false, signal })) {
        if (step.kind !== "chunk") {
          if (step.run === undefined) return
          stopped = step.run
          break
        }
        after = step.number
        hasEndChunk = isEnd(step.chunk)
        yield { kind: "chunk", chunk: step }
      }
    if (signal.aborted) return
    const current = stopped ?? (await parts.conversations.get(run.id))
    if (current === undefined) return
    const now = await withQuestions(parts, current)
    if (hasEnded(now.run)) return yield { kind: "stop", now }
    if (isInterrupted(stateOf(now))) yield { kind: "stop", now }
    // Waits for a change: a run is marked as ended after its log has the end, and a waiting run needs an answer.
    if (hasEndChunk || now.run.status === "waiting") await changeOf(parts, now.run, signal)
  }
}

/** Yields the run each time it waits or has ended, until its end, its removal or the disconnect of the reader. */
export async function* runStops(
  { readers, conversations }: Pick<FollowParts, "readers" | "conversations">,
  { id }: Pick<Run, "id">,
  signal: AbortSignal,
): AsyncGenerator<Run> {
  const { followers } = readers
  const sleeper = createSleeper(readers.runtime)
  const notify = ({ kind, detail }: Entry): void => {
    if (kind === "run" && detail.code !== ("running" satisfies Run["status"])) sleeper.wake()
  }
  followers.follow(id, notify)
  signal.addEventListener("abort", sleeper.wake)
  try {
    while (!signal.aborted) {
      const run = await conversations.get(id)
      if (run === undefined) return
      if (run.status !== "running") yield run
      if (hasEnded(run)) return
      await sleeper.sleep()
    }
  } finally {
    followers.unfollow(id, notify)
    signal.removeEventListener("abort", sleeper.wake)
  }
}

/** Reads the run with its open questions. Undefined when the run was removed. */
export async function readNow(parts: FollowParts, { id }: Pick<Run, "id">): Promise<RunNow | undefined> {
  const run = await parts.conversations.get(id)
  return run === undefined ? undefined : withQuestions(parts, run)
}

/** The open questions are read after the run, so that they include those of a run that waits. */
async function withQuestions(parts: FollowParts, run: Run): Promise<RunNow> {
  if (run.status !== "waiting") return { run, open: [] }
  const questions = await questionsIn(parts, await parts.readers.logs.read(run, 0))
  return { run, open: questions.filter(({ isOpen }) => isOpen).map(({ event }) => event) }
}

/** Resolves when the run has changed, or when the reader disconnects. */
async function changeOf({ readers, conversations }: FollowParts, { id, version }: Run, signal: AbortSignal) {
  const { followers } = readers
  const sleeper = createSleeper(readers.runtime)
  followers.follow(id, sleeper.wake)
  signal.addEventListener("abort", sleeper.wake)
  try {
    while (!signal.aborted && (await conversations.get(id))?.version === version) await sleeper.sleep()
  } finally {
    followers.unfollow(id, sleeper.wake)
    signal.removeEventListener("abort", sleeper.wake)
  }
}
