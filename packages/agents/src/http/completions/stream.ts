// A reply as a stream of OpenAI's chunks. While people think, the stream stays open, and comments keep the connection
// alive.

import { toServerSentEvent } from "@holdpoint/hub/stream"
import type { ApiParts } from "../parts.ts"
import { type ReplyPart, readReply, waitingReplyOf } from "../reply.ts"
import { type Completion, headersOf, headOf, waitingWords } from "./completion.ts"
import { toEnvelope } from "./envelope.ts"
import { toError } from "./error.ts"

export function streamCompletion(parts: ApiParts, completion: Completion): Response {
  const { chat, ...from } = completion
  const leave = new AbortController()
  const signal = AbortSignal.any([leave.signal, chat.signal])
  async function* events(): AsyncGenerator<string> {
    yield toEvent(completion, {
      ...deltaOf({ role: "assistant", content: "" }),
      holdpoint: { type: "conversation", conversationId: chat.name },
    })
    for await (const part of readReply(parts.readers, { ...from, isHeld: chat.isHeld, signal }))
      for (const members of await chunksOf(parts, completion, part)) yield toEvent(completion, members)
    if (!signal.aborted) yield toServerSentEvent({ data: "[DONE]" })
  }
  return parts.streams.respond(events(), { leave, place: chat.place, headers: headersOf(completion) })
}

type Members = Readonly<Record<string, unknown>>

async function chunksOf(parts: ApiParts, completion: Completion, part: ReplyPart): Promise<readonly Members[]> {
  const { run, chat, events, nonce } = completion
  switch (part.type) {
    case "text":
      return [deltaOf({ content: part.text })]
    case "question":
      if (events === "member") return [{ choices: [], holdpoint: part.event }]
      return events === "content" ? [deltaOf({ content: toEnvelope(part.event, nonce) })] : []
    case "error":
      return [{ error: toError(500, "run_failed", part.message) }]
    case "end":
      return [lastMembers]
    case "pause": {
      const waiting = await waitingReplyOf(parts, run, { name: chat.name, after: part.after })
      const words = deltaOf({ content: waitingWords(waiting.elicitations, parts.inbox) })
      return [...(events === "none" ? [words] : []), { ...lastMembers, holdpoint: { type: "run-waiting", ...waiting } }]
    }
  }
}

const deltaOf = (delta: Members): Members => ({ choices: [{ index: 0, delta, finish_reason: null }] })
const lastMembers: Members = { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }

const toEvent = ({ run }: Completion, members: Members): string =>
  toServerSentEvent({ data: JSON.stringify({ ...headOf(run, "chat.completion.chunk"), ...members }) })
