// One reader of a run: replays the log and then follows it, until the run ends or the reader leaves. While people
// think, it sleeps: only a change of the run wakes it.

import type { Entry, Runtime } from "@holdpoint/sdk"
import type { Asking } from "@holdpoint/sdk/asking"
import type { Conversations } from "../conversations.ts"
import { hasEnded } from "../conversations.ts"
import type { Run } from "../records.ts"
import type { NumberedChunk, RunLogs } from "../run-log.ts"
import { isEnd } from "../run-log.ts"
import { createSleeper } from "./sleeper.ts"

export interface ReaderParts {
  readonly logs: RunLogs
  readonly conversations: Conversations
  readonly runtime: Pick<Runtime, "after" | "now">
  readonly followers: Asking["followers"]
  /** Whether this process works on the run. If so, its readers are notified of each chunk. */
  readonly isHere: (run: string) => boolean
}

export interface RunReading {
  readonly run: Pick<Run, "id" | "tenant">
  /** The number of the last chunk that the reader has. */
  readonly after: number
  /** Whether the reader waits while people think. Otherwise it ends when the run pauses. */
  readonly isHeld: boolean
  /**
   * The version of the run before an answer woke it. The status `waiting` is outdated while the run still has this
   * version.
   */
  readonly wokenAfter?: number
  readonly signal: AbortSignal
}

/** Yields the chunks of a run as they are written. */
export async function* readRun(parts: ReaderParts, reading: RunReading): AsyncGenerator<NumberedChunk> {
  const { run, isHeld, signal } = reading
  const { logs, conversations, followers } = parts
  const sleeper = createSleeper(parts.runtime)
  let last = reading.after
  let newChunks: NumberedChunk[] = []
  const unfollowLog = logs.follow(run.id, (chunks) => {
    newChunks.push(...chunks)
    sleeper.wake()
  })
  // Entries about tool calls change nothing for a reader.
  const notify = ({ kind }: Entry): void => {
    if (kind === "run") sleeper.wake()
  }
  followers.follow(run.id, notify)
  signal.addEventListener("abort", sleeper.wake)
  try {
    while (!signal.aborted) {
      const latestChunks = newChunks
      newChunks = []
      // Chunks that this process has just written need not be read from the store, unless some before them are missing.
      const isComplete = latestChunks[0] !== undefined && latestChunks[0].number <= last + 1
      const chunks = isComplete ? latestChunks : await logs.read(run, last)
      for (const numbered of chunks) {
        if (numbered.number <= last) continue
        last = numbered.number
        yield numbered
        if (isEnd(numbered.chunk)) return
      }
      if (newChunks.length > 0) continue
      if (parts.isHere(run.id)) {
        await sleeper.sleep()
        continue
      }
      const current = await conversations.get(run.id)
      // The run may have written its last chunks between the two reads.
      if (newChunks.length > 0 || chunks.length > 0) continue
      if (current === undefined || hasEnded(current)) return
      const isPaused = current.status === "waiting" && current.version !== reading.wokenAfter
      if (isPaused && !isHeld) return
      await sleeper.sleep(isPaused ? undefined : pollMs)
    }
  } finally {
    unfollowLog()
    followers.unfollow(run.id, notify)
    signal.removeEventListener("abort", sleeper.wake)
  }
}

/** How often to poll a run that another process works on: this process is not notified of its chunks. */
const pollMs = 200
