// A reply as one message, for clients that read no stream. It is sent when the reply ends or waits for people.

import type { UIMessage } from "ai"
import type { Run } from "../records.ts"
import type { ApiParts } from "./parts.ts"
import type { ContinuedRun } from "./reply.ts"
import { readReply, respondBuffered, waitingReplyOf } from "./reply.ts"

interface WholeReplyRequest {
  readonly name: string
  readonly signal: AbortSignal
}

/** Responds with the whole message so far, even when the request continues a reply. */
export const wholeReply = (parts: ApiParts, request: WholeReplyRequest, continued: ContinuedRun): Promise<Response> =>
  respondBuffered(parts, request, () => readWhole(parts, request, continued))

async function readWhole(
  parts: ApiParts,
  { name, signal }: WholeReplyRequest,
  { run, after, wokenAfter }: ContinuedRun,
): Promise<Response> {
  let end: Readonly<Record<string, unknown>> = { finishReason: "stop" }
  const woken = wokenAfter === undefined ? {} : { wokenAfter }
  for await (const part of readReply(parts.readers, { run, after, ...woken, isHeld: false, signal })) {
    if (part.type === "error") end = { finishReason: "error", error: part.message }
    if (part.type === "pause") {
      const holdpoint = await waitingReplyOf(parts, run, { name, after: part.after })
      end = { finishReason: "waiting", holdpoint }
    }
  }
  const { message = { id: run.message, role: "assistant", parts: [] } } = await replyOf(parts, run)
  return Response.json({ conversationId: name, agent: run.agent, message, ...end })
}

interface ReplySoFar {
  /** Undefined when the run has not written anything yet. */
  readonly message: UIMessage | undefined
  /** The number of the last chunk in the message. A stream of the reply continues after this chunk. */
  readonly number: number
}

/** The reply so far, as one message. */
export async function replyOf({ logs }: ApiParts, run: Run): Promise<ReplySoFar> {
  const { readUIMessageStream } = await import("ai")
  const numbered = await logs.read(run, 0)
  const stream = ReadableStream.from(numbered.map(({ chunk }) => chunk))
  let message: UIMessage | undefined
  for await (const now of readUIMessageStream({ stream })) message = now
  return { message, number: numbered.at(-1)?.number ?? 0 }
}
