// Reads the event stream, and reopens it at its cursor after a lost connection or a change of conversations.

import type { SharedEvent, SharedEventsOptions, StreamState } from "./shared-events.ts"

export interface StreamReader {
  /** Reads until `closeSignal` is aborted. */
  run(): Promise<void>
  /** Reopens the connection immediately, for the conversations that are followed now. */
  restart(): void
}

export interface StreamReaderParts<E extends SharedEvent> extends Pick<SharedEventsOptions<E>, "read" | "isRefusal"> {
  /** The followed conversations. Without any, the reader opens no connection. */
  readonly conversations: () => readonly string[]
  /** The id of the last event, after which the stream resumes. */
  readonly cursor: () => string | undefined
  readonly onEvent: (event: E) => void
  readonly onState: (state: StreamState) => void
  /** Aborted when the tab closes, or closes the stream. */
  readonly closeSignal: AbortSignal
}

const firstPauseMs = 500
const maxPauseMs = 8_000

export function createStreamReader<E extends SharedEvent>(parts: StreamReaderParts<E>): StreamReader {
  const { closeSignal, onEvent, onState } = parts
  let connection = new AbortController()
  let pauseMs = firstPauseMs
  let wake = (): void => {}

  /** Sleeps for this time, or until the next restart. */
  const sleep = (ms?: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = ms === undefined ? undefined : setTimeout(resolve, ms)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  const readOnce = async (): Promise<void> => {
    connection = new AbortController()
    const signal = AbortSignal.any([connection.signal, closeSignal])
    const request = { conversations: parts.conversations(), after: parts.cursor(), signal, onState }
    for await (const event of parts.read(request)) {
      pauseMs = firstPauseMs
      onEvent(event)
    }
  }

  return {
    async run() {
      while (!closeSignal.aborted) {
        if (parts.conversations().length === 0) {
          await sleep()
          continue
        }
        const isRefused = await readOnce().then(
          () => false,
          (error: unknown) => parts.isRefusal(error),
        )
        if (connection.signal.aborted || closeSignal.aborted) continue
        onState(isRefused ? "refused" : "lost")
        await sleep(isRefused ? undefined : pauseMs)
        pauseMs = Math.min(pauseMs * 2, maxPauseMs)
      }
    },
    restart() {
      connection.abort()
      wake()
    },
  }
}
