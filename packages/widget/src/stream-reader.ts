// Reads the stream of events, and begins it again where it ended: after a loss, or when more is wanted.

import type { SharedEvent, SharedEventsOptions, StreamState } from "./shared-events.ts"

export interface StreamReader {
  /** Reads until this tab leaves. */
  run(): Promise<void>
  /** Opens the connection again, at once and for what is wanted now. */
  restart(): void
}

export interface StreamReaderParts<E extends SharedEvent> extends Pick<SharedEventsOptions<E>, "read" | "isRefusal"> {
  /** The conversations that are followed. Without any there is no connection. */
  readonly wanted: () => readonly string[]
  /** Where the stream goes on. */
  readonly cursor: () => string | undefined
  readonly tell: (event: E) => void
  readonly tellState: (state: StreamState) => void
  /** Aborted when this tab leaves. */
  readonly left: AbortSignal
}

const firstPauseMs = 500
const longestPauseMs = 8_000

export function createStreamReader<E extends SharedEvent>(parts: StreamReaderParts<E>): StreamReader {
  const { left, tell, tellState } = parts
  let connection = new AbortController()
  let pauseMs = firstPauseMs
  let rise = (): void => {}

  /** Sleeps until the next restart, or for this time. */
  const sleep = (ms?: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = ms === undefined ? undefined : setTimeout(resolve, ms)
      rise = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  const readOnce = async (): Promise<void> => {
    connection = new AbortController()
    const signal = AbortSignal.any([connection.signal, left])
    const wanted = { conversations: parts.wanted(), after: parts.cursor(), signal, onState: tellState }
    for await (const event of parts.read(wanted)) {
      pauseMs = firstPauseMs
      tell(event)
    }
  }

  return {
    async run() {
      while (!left.aborted) {
        if (parts.wanted().length === 0) {
          await sleep()
          continue
        }
        const isRefused = await readOnce().then(
          () => false,
          (error: unknown) => parts.isRefusal(error),
        )
        if (connection.signal.aborted || left.aborted) continue
        tellState(isRefused ? "refused" : "lost")
        await sleep(isRefused ? undefined : pauseMs)
        pauseMs = Math.min(pauseMs * 2, longestPauseMs)
      }
    },
    restart() {
      connection.abort()
      rise()
    },
  }
}
