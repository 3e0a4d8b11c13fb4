// Follows a task: what its run says as it comes, and each state in which it stops. While people think, it sleeps: only
// a change of the run wakes it. Another process may be at work on the run.

import type { Entry } from "@holdpoint/sdk"
import { hasEnded } from "../conversations.ts"
import { readRun } from "../http/reader.ts"
import { createSleeper } from "../http/sleeper.ts"
import type { Run } from "../records.ts"
import { isEnd, type NumberedChunk } from "../run-log.ts"
import type { A2aParts } from "./parts.ts"
import { questionsIn } from "./read-task.ts"
import { isInterrupted, type RunNow, stateOf } from "./state.ts"

export type TaskStep =
  | { readonly is: "chunk"; readonly chunk: NumberedChunk }
  /** The run waits for people, or has ended. */
  | { readonly is: "stop"; readonly now: RunNow }

export interface Following {
  readonly run: Run
  /** The number of the last chunk that the reader has. */
  readonly after: number
  /** Whether the reader has the end of the reply already. */
  readonly isSaid?: boolean
  readonly signal: AbortSignal
}

type FollowParts = Pick<A2aParts, "readers" | "conversations" | "hub">

/** The last step is the end of the run, unless the reader leaves. */
export async function* followTask(parts: FollowParts, following: Following): AsyncGenerator<TaskStep> {
  const { run, signal } = following
  let { isSaid = false } = following
  for (let { after } = following; !signal.aborted; ) {
    if (!isSaid)
      for await (const chunk of readRun(parts.readers, { run, after, isHeld: false, signal })) {
        after = chunk.number
        isSaid = isEnd(chunk.chunk)
        yield { is: "chunk", chunk }
      }
    if (signal.aborted) return
    const now = await readNow(parts, run)
    if (now === undefined) return
    if (hasEnded(now.run)) return yield { is: "stop", now }
    if (isInterrupted(stateOf(now))) yield { is: "stop", now }
    // The log has the end of the reply before the run is marked as ended: there is nothing more to read then.
    if (isSaid || now.run.status === "waiting") await changeOf(parts, now.run, signal)
  }
}

/** The run in each state in which it does not work, until it has ended, was removed, or the reader leaves. */
export async function* runStops(
  { readers, conversations }: Pick<FollowParts, "readers" | "conversations">,
  { id }: Pick<Run, "id">,
  signal: AbortSignal,
): AsyncGenerator<Run> {
  const { followers } = readers
  const sleeper = createSleeper(readers.runtime)
  const tell = ({ kind, detail }: Entry): void => {
    if (kind === "run" && detail.code !== ("running" satisfies Run["status"])) sleeper.wake()
  }
  followers.follow(id, tell)
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
    followers.unfollow(id, tell)
    signal.removeEventListener("abort", sleeper.wake)
  }
}

/** The run with its open questions. Undefined when it was removed. */
export async function readNow(parts: FollowParts, { id }: Pick<Run, "id">): Promise<RunNow | undefined> {
  const run = await parts.conversations.get(id)
  if (run === undefined) return undefined
  if (run.status !== "waiting") return { run, open: [] }
  const questions = await questionsIn(parts, await parts.readers.logs.read(run, 0))
  return { run, open: questions.filter(({ isOpen }) => isOpen).map(({ event }) => event) }
}

/** Resolves when the run is not as it was, or the reader leaves. */
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
