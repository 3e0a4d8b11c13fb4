// A reply as one message, for clients that read no stream. It comes when the reply ends or waits for people.

import type { UIMessage } from "ai"
import type { Run } from "../records.ts"
import type { ApiParts } from "./parts.ts"
import type { Continued } from "./reply.ts"
import { readReply, waitingOf } from "./reply.ts"

interface WholeTalk {
  readonly name: string
  readonly signal: AbortSignal
}

/** Responds with the whole message so far, also when the run is continued. */
export async function wholeReply(
  parts: ApiParts,
  { name, signal }: WholeTalk,
  { run, after, wokenAfter }: Continued,
): Promise<Response> {
  let end: Readonly<Record<string, unknown>> = { finishReason: "stop" }
  const woken = wokenAfter === undefined ? {} : { wokenAfter }
  for await (const part of readReply(parts.readers, { run, after, ...woken, isHeld: false, signal })) {
    if (part.type === "error") end = { finishReason: "error", error: part.message }
    if (part.type === "pause") {
      const holdpoint = await waitingOf(parts, run, { name, after: part.after })
      end = { finishReason: "waiting", holdpoint }
    }
  }
  const message = (await replyOf(parts, run)) ?? { id: run.message, role: "assistant", parts: [] }
  return Response.json({ conversationId: name, agent: run.agent, message, ...end })
}

/** What the run has said, as one message. */
export async function replyOf({ logs }: ApiParts, run: Run): Promise<UIMessage | undefined> {
  const { readUIMessageStream } = await import("ai")
  const chunks = (await logs.read(run, 0)).map(({ chunk }) => chunk)
  let reply: UIMessage | undefined
  for await (const message of readUIMessageStream({ stream: ReadableStream.from(chunks) })) reply = message
  return reply
}
