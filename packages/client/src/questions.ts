// The client of the HTTP API: programs ask and wait, and pages answer in a person's name.

import type { Content, NewQuestion, QuestionStep, Status, WireQuestion } from "@holdpoint/hub/wire"
import { readObject } from "./chat-event.ts"
import { createConnection, isTemporary, pause } from "./connection.ts"
import { toClientError } from "./error.ts"
import type { SendRequest } from "./request.ts"
import { readSentEvents } from "./sent-events.ts"

/**
 * Questions over the HTTP API. Asking requires a program's key as `token`; answering requires a person's session or
 * token.
 */
export interface Questions {
  /** Asks a question once: sending the same question with the same key again returns the same question. */
  ask(question: NewQuestion): Promise<WireQuestion>
  get(id: string): Promise<WireQuestion>
  /** Waits without a time limit until the question has ended. A lost connection is resumed. */
  wait(id: string, options?: { readonly signal?: AbortSignal }): Promise<WireQuestion>
  /** Yields the steps of a question from its beginning to its end. A lost connection is resumed. */
  events(id: string, options?: { readonly signal?: AbortSignal }): AsyncGenerator<QuestionStep, void, undefined>
  cancel(id: string, reason?: string): Promise<WireQuestion>
  /** Reports that the task behind a link is done, or has failed. */
  complete(
    id: string,
    done?: { readonly status: "completed" | "failed"; readonly reason?: string },
  ): Promise<WireQuestion>
  /** Answers the question as the person to whom it is addressed. */
  answer(id: string, answer: PersonsAnswer): Promise<AnsweredQuestion>
}

interface AnsweredQuestion extends Pick<WireQuestion, "approvals" | "votes"> {
  readonly id: string
  readonly status: Status
  readonly changed: boolean
}

interface PersonsAnswer {
  readonly action: "accept" | "decline" | "cancel"
  /** The values of a form. */
  readonly content?: Content
  /** The reason for a decline, in the person's words. */
  readonly reason?: string
}

const waitSeconds = 30
const firstPauseMs = 250
const longestPauseMs = 15_000

export function createQuestions(request: SendRequest): Questions {
  const pathTo = (id: string, end = ""): string => `questions/${encodeURIComponent(id)}${end}`
  const requestJson = async <T>(sentRequest: Parameters<SendRequest>[0]): Promise<T> =>
    (await (await request(sentRequest)).json()) as T
  const post = <T>(path: string, body: unknown): Promise<T> => requestJson<T>({ method: "POST", path, body })
  return {
    ask: (question) => post("questions", question),
    get: (id) => requestJson({ path: pathTo(id) }),
    wait: (id, { signal } = {}) =>
      persist(signal, async (connectionSignal) => {
        const question = await requestJson<WireQuestion>({
          path: pathTo(id, `?wait=${waitSeconds}`),
          signal: connectionSignal,
        })
        return isOpen(question) ? undefined : question
      }),
    events: (id, { signal } = {}) => follow(request, pathTo(id, "/events"), signal),
    cancel: (id, reason) => post(pathTo(id, "/cancel"), reason === undefined ? {} : { reason }),
    complete: (id, done = { status: "completed" }) => post(pathTo(id, "/complete"), done),
    answer: (id, answer) => post(pathTo(id, "/answer"), answer),
  }
}

const isOpen = ({ status }: { readonly status: Status }): boolean => status === "pending" || status === "accepted"

/** Calls `attempt` until it returns a result. Retries temporary errors after a pause, and throws other errors. */
async function persist<T>(
  readerSignal: AbortSignal | undefined,
  attempt: (signal: AbortSignal) => Promise<T | undefined>,
): Promise<T> {
  for (let failures = 0; ; ) {
    readerSignal?.throwIfAborted()
    const connection = createConnection(readerSignal)
    try {
      const result = await attempt(connection.signal)
      if (result !== undefined) return result
      failures = 0
      continue
    } catch (error) {
      readerSignal?.throwIfAborted()
      if (!connection.signal.aborted && !isTemporary(error)) throw error
    } finally {
      connection.close()
    }
    await pause(Math.min(firstPauseMs * 2 ** failures, longestPauseMs), readerSignal)
    failures += 1
  }
}

async function* follow(
  request: SendRequest,
  path: string,
  readerSignal: AbortSignal | undefined,
): AsyncGenerator<QuestionStep, void, undefined> {
  let lastId: string | undefined
  for (let failures = 0; ; failures += 1) {
    const connection = createConnection(readerSignal)
    try {
      const headers = lastId === undefined ? {} : { "last-event-id": lastId }
      const response = await request({ path, headers, signal: connection.signal })
      // The server has no further events.
      if (response.status === 204) return
      if (response.body === null) throw await toClientError(response)
      for await (const { id, data } of readSentEvents(response.body, connection.onData)) {
        failures = 0
        lastId = id ?? lastId
        const step = readObject(data) as unknown as QuestionStep | undefined
        if (step === undefined) continue
        yield step
        if (!isOpen(step)) return
      }
    } catch (error) {
      readerSignal?.throwIfAborted()
      if (!connection.signal.aborted && !isTemporary(error)) throw error
    } finally {
      connection.close()
    }
    await pause(Math.min(firstPauseMs * 2 ** failures, longestPauseMs), readerSignal)
  }
}
