// A reply as one body, sent when the reply ends or waits for people.

import type { ApiParts } from "../parts.ts"
import { problem } from "../problem.ts"
import { readReply, respondBuffered, type WaitingReply, waitingReplyOf } from "../reply.ts"
import { type Completion, headersOf, headOf, waitingWords } from "./completion.ts"
import { toEnvelope } from "./envelope.ts"

export const wholeCompletion = (parts: ApiParts, completion: Completion): Promise<Response> =>
  respondBuffered(parts, completion.chat, () => readCompletion(parts, completion))

async function readCompletion(parts: ApiParts, completion: Completion): Promise<Response> {
  const { chat, run, events, nonce, ...from } = completion
  const { name, signal } = chat
  let content = ""
  let waiting: WaitingReply | undefined
  for await (const part of readReply(parts.readers, { run, ...from, isHeld: false, signal })) {
    if (part.type === "error")
      return problem({ status: 500, code: "run_failed", detail: part.message, conversationId: name })
    if (part.type === "text") content += part.text
    if (part.type === "question" && events === "content") content += toEnvelope(part.event, nonce)
    if (part.type === "pause") waiting = await waitingReplyOf(parts, run, { name, after: part.after })
  }
  if (waiting !== undefined && events === "none") content += waitingWords(waiting.elicitations, parts.inbox)
  const message = { role: "assistant", content, refusal: null }
  return Response.json(
    {
      ...headOf(run, "chat.completion"),
      choices: [{ index: 0, message, logprobs: null, finish_reason: "stop" }],
      holdpoint: waiting ?? { conversationId: name },
    },
    { headers: headersOf(completion) },
  )
}
