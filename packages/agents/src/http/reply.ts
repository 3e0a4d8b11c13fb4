// Reads a reply for clients that do not understand the chunks of the AI SDK's stream: its text, its questions, and
// whether it ended or waits.

import { isSettled } from "@holdpoint/hub"
import type { StreamEvent } from "@holdpoint/hub/stream"
import type { Run } from "../records.ts"
import { isEnd } from "../run-log.ts"
import type { RunCaller } from "./callers.ts"
import type { ApiParts } from "./parts.ts"
import { problem } from "./problem.ts"
import type { ReaderParts, RunReading } from "./reader.ts"
import { brokenOffWords, readRun } from "./reader.ts"

export type ReplyPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "question"; readonly event: StreamEvent }
  | { readonly type: "error"; readonly message: string }
  | { readonly type: "end" }
  /** The run waits for people. `after` is the number of its last chunk. */
  | { readonly type: "pause"; readonly after: number }

/** Reads a reply. The last part is an end or a pause, unless the reader leaves. */
export async function* readReply(parts: ReaderParts, reading: RunReading): AsyncGenerator<ReplyPart> {
  let after = reading.after
  let [hasText, isNewParagraph] = [false, false]
  for await (const step of readRun(parts, reading)) {
    if (step.kind === "pause") return yield { type: "pause", after }
    if (step.kind === "broken-off") {
      yield { type: "error", message: brokenOffWords }
      return yield { type: "end" }
    }
    const { number, chunk } = step
    after = number
    if (chunk.type === "text-start") isNewParagraph = hasText
    if (chunk.type === "text-delta") {
      yield { type: "text", text: isNewParagraph ? `\n\n${chunk.delta}` : chunk.delta }
      ;[hasText, isNewParagraph] = [true, false]
    }
    if (chunk.type === "data-elicitation") yield { type: "question", event: chunk.data as StreamEvent }
    if (chunk.type === "error") yield { type: "error", message: chunk.errorText }
    if (isEnd(chunk)) return yield { type: "end" }
  }
}

/**
 * Responds with a reply in one body. The message was received and its tools may have run, so a failure to read the reply
 * never asks for the message again.
 */
export async function respondBuffered(
  { report }: Pick<ApiParts, "report">,
  { name, signal }: { readonly name: string; readonly signal: AbortSignal },
  read: () => Promise<Response>,
): Promise<Response> {
  const response = await read().catch((error: unknown) => report("reading a reply for a response in one body", error))
  if (response !== undefined && !signal.aborted) return response
  const detail = `The reply could not be read to its end here. Read the conversation “${name}” before you send the message again.`
  return problem({ status: 500, code: "reply_not_read", detail, conversationId: name })
}

/** What a client needs to continue a run that waits. */
export interface WaitingReply {
  readonly conversationId: string
  /** The open questions. */
  readonly elicitations: readonly StreamEvent[]
  /** A handle: the client sends it when the questions are answered, and gets the rest of the reply. */
  readonly continue: string
}

export async function waitingReplyOf(
  parts: ApiParts,
  run: Run,
  { name, after }: { readonly name: string; readonly after: number },
): Promise<WaitingReply> {
  return { conversationId: name, elicitations: await openQuestions(parts, run), continue: `${run.number}.${after}` }
}

/** The questions that the run announced and that are still open. */
async function openQuestions({ logs, hub }: ApiParts, run: Run): Promise<readonly StreamEvent[]> {
  const events = new Map<string, StreamEvent>()
  for (const { chunk } of await logs.read(run, 0))
    if (chunk.type === "data-elicitation" && chunk.id !== undefined) events.set(chunk.id, chunk.data as StreamEvent)
  const open = await Promise.all(
    [...events].map(async ([id, event]) => {
      const question = await hub.get(id)
      return question === undefined || isSettled(question.status) ? [] : [event]
    }),
  )
  return open.flat()
}

export type ContinuedRun = Pick<RunReading, "after" | "wokenAfter"> & { readonly run: Run }

/** Finds the reply that a handle of `waitingOf` continues, in a conversation of the caller. Otherwise returns a 404. */
export async function findContinuedRun(
  parts: ApiParts,
  { caller, name }: { readonly caller: RunCaller; readonly name: string },
  handle: string,
): Promise<ContinuedRun | Response> {
  const { conversations } = parts
  const conversation = await conversations.find(caller.principal, name)
  const [, number = "", after] = /^(\d{1,6})\.(\d{1,9})$/.exec(handle) ?? []
  const run =
    conversation === undefined || number === ""
      ? undefined
      : await conversations.get(`${conversation.id}.${number.padStart(6, "0")}`)
  if (run === undefined) {
    const detail = `The conversation “${name}” has no reply to continue with this handle.`
    return problem({ status: 404, code: "not_found", detail })
  }
  // When all questions are answered, the run is about to be woken, and its status `waiting` is outdated.
  const isAnswered = run.status === "waiting" && (await openQuestions(parts, run)).length === 0
  return { run, after: Number(after), ...(isAnswered ? { wokenAfter: run.version } : {}) }
}
