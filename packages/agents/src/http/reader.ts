// One reader of a run: replays the log and then follows it, until the run ends or the reader leaves. While people
// think, it sleeps: only a change of the run wakes it.

import type { Asking } from "@holdpoint/calls"
import type { Entry, Runtime } from "@holdpoint/hub"
import type { Conversations } from "../conversations.ts"
import { hasEnded } from "../conversations.ts"
import type { Run } from "../records.ts"
import type { Chunk, NumberedChunk, RunLogs } from "../run-log.ts"
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

export type RunStep =
  | ({ readonly kind: "chunk" } & NumberedChunk)
  /** The run waits for people, and the reader does not. The reader has every chunk from before the pause. */
  | { readonly kind: "pause"; readonly run: Run }
  /** The run has ended or was removed, and its log has no end. */
  | { readonly kind: "broken-off"; readonly run: Run | undefined }

/** What people read when a run has ended and its log has no end. What its tools did is not known. */
export const brokenOffWords =
  "The reply was cut off before its end. Check what was done before you send the message again."

/** The end of a reply whose log has no end, for clients that read chunks. */
export const brokenOffChunks: readonly Chunk[] = [
  { type: "error", errorText: brokenOffWords },
  { type: "finish", finishReason: "error" },
]

/**
 * Yields the chunks of a run as they are written. The last step is the end of the log, a pause or `broken-off`, unless
 * the reader leaves.
 */
export async function* readRun(parts: ReaderParts, reading: RunReading): AsyncGenerator<RunStep> {
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
      const isComplete = isNextTo(latestChunks, last)
      const isHere = isComplete || parts.isHere(run.id)
      // The run is read before its log: it writes its last chunks before it changes its status, so the log that is read
      // afterwards has all of them.
      const current = isHere ? undefined : await conversations.get(run.id)
      const chunks = isComplete ? latestChunks : await logs.read(run, last)
      for (const { number, chunk } of chunks) {
        if (number <= last) continue
        last = number
        yield { kind: "chunk", number, chunk }
        if (isEnd(chunk)) return
      }
      if (newChunks.length > 0 || chunks.length > 0) continue
      if (isHere) {
        await sleeper.sleep(hereMs)
        continue
      }
      if (current === undefined || hasEnded(current)) {
        // A reader that resumes after the end of the log gets nothing more.
        const isWhole = (await logs.read(run, 0)).some(({ chunk }) => isEnd(chunk))
        return isWhole ? undefined : yield { kind: "broken-off", run: current }
      }
      const isPaused = current.status === "waiting" && current.version !== reading.wokenAfter
      if (isPaused && !isHeld) return yield { kind: "pause", run: current }
      await sleeper.sleep(isPaused ? undefined : pollMs)
    }
  } finally {
    unfollowLog()
    followers.unfollow(run.id, notify)
    signal.removeEventListener("abort", sleeper.wake)
  }
}

/**
 * Whether these chunks continue the log after this number without a gap. While a slow reader takes its time, the run can
 * go on in another process and come back, and then this process was not notified of what the other one wrote.
 */
const isNextTo = (chunks: readonly NumberedChunk[], last: number): boolean =>
  chunks[0] !== undefined &&
  chunks[0].number <= last + 1 &&
  chunks.every(({ number }, index) => number <= (chunks[index - 1]?.number ?? number) + 1)

/** How often to poll a run that another process works on: this process is not notified of its chunks. */
const pollMs = 200

/** How often to check a silent run of this process: the process may have lost it without a change of the run. */
const hereMs = 5_000
