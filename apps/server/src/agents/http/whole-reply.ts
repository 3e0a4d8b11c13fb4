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
  const { message = { id: run.message, role: "assistant", parts: [] } } = await replyOf(parts, run)
  return Response.json({ conversationId: name, agent: run.agent, message, ...end })
}

interface ReplySoFar {
  /** Undefined when the run has said nothing yet. */
  readonly message: UIMessage | undefined
  /** The number of the last chunk in it, from which a stream of the reply goes on. */
  readonly number: number
}

/** What the run has said, as one message. */
export async function replyOf({ logs }: ApiParts, run: Run): Promise<ReplySoFar> {
  const { readUIMessageStream } = await import("ai")
  const numbered = await logs.read(run, 0)
  const stream = ReadableStream.from(numbered.map(({ chunk }) => chunk))
  let message: UIMessage | undefined
  for await (const now of readUIMessageStream({ stream })) message = now
  return { message, number: numbered.at(-1)?.number ?? 0 }
}
