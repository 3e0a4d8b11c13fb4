// POST /run/v1/chat/completions: agents for clients of OpenAI's API. The server calls the tools itself; clients get
// text, and questions if they opted in.

import { isObject, type Json } from "../../json.ts"
import { readJson, readName } from "../body.ts"
import { agentOf, beginRun, type ConversationRequest } from "../chat.ts"
import type { ApiParts, Route } from "../parts.ts"
import { canShowQuestions } from "../parts.ts"
import { problem } from "../problem.ts"
import { type ContinuedRun, findContinuedRun } from "../reply.ts"
import type { QuestionFormat } from "./completion.ts"
import { readPrompt } from "./prompt.ts"
import { streamCompletion } from "./stream.ts"
import { wholeCompletion } from "./whole.ts"

export const completionsPath = "/run/v1/chat/completions"

export const postCompletion: Route = async (parts, { request, caller, place }) => {
  const body = await readJson(request)
  if (body instanceof Response) return body
  const options = isObject(body.holdpoint) ? body.holdpoint : {}
  const conversationId =
    options.conversationId ?? request.headers.get("x-holdpoint-conversation") ?? caller.conversation
  const name = readName(conversationId ?? parts.newId(), caller)
  if (name instanceof Response) return name
  const canShow = canShowQuestions(request)
  const chat: ConversationRequest = { caller, place, name, isHeld: canShow, signal: request.signal }
  const reply =
    options.continue === undefined
      ? await begin(parts, chat, { body, isKnown: conversationId !== undefined })
      : await findContinuedRun(parts, chat, String(options.continue))
  if (reply instanceof Response) return reply
  const events = canShow ? eventsWayOf(request) : "none"
  const completion = { ...reply, chat, events, nonce: events === "content" ? parts.newId() : undefined } as const
  return body.stream === true ? streamCompletion(parts, completion) : wholeCompletion(parts, completion)
}

const eventsWayOf = ({ headers }: Request): QuestionFormat =>
  headers.get("x-holdpoint-events") === "content" ? "content" : "member"

interface NewCompletion {
  readonly body: Json
  /** Whether the client named a conversation. If so, the stored history is used instead of the client's. */
  readonly isKnown: boolean
}

async function begin(
  parts: ApiParts,
  chat: ConversationRequest,
  { body, isKnown }: NewCompletion,
): Promise<ContinuedRun | Response> {
  if ((body.n ?? 1) !== 1)
    return problem({
      status: 422,
      code: "one_choice",
      detail: "An agent gives only one reply. Leave out n, or set it to 1.",
    })
  const agent = agentOf(parts, { agent: body.model })
  if (agent instanceof Response) return agent
  const message = await readPrompt(body.messages, !isKnown)
  if (message instanceof Response) return message
  const run = await beginRun(parts, chat, { agent, message })
  return run instanceof Response ? run : { run, after: 0 }
}
