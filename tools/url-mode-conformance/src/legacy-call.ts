// A call in a session of the older revisions. The server asks by a request on any stream, or with the error -32042.

import type { CallState, Question } from "./call-state.ts"
import { toCallState, toQuestion } from "./call-state.ts"
import type { CallOptions, ToolCall } from "./dialogue.ts"
import { answerTo, paramsOf, withTimeout } from "./dialogue.ts"
import type { Json } from "./json.ts"
import { dig } from "./json.ts"
import type { Session } from "./legacy-session.ts"
import type { PendingRequest, Reply } from "./modern-client.ts"
import type { UrlModeTool } from "./target.ts"

export async function callLegacy(session: Session, tool: UrlModeTool, options: CallOptions): Promise<ToolCall> {
  const params = { ...paramsOf(tool), ...options.params }
  const questions: Question[] = []
  let callState: CallState = { kind: "held" }
  /** Questions that the server pushed, and the client has not answered yet. */
  let openQuestions: readonly Question[] = []
  let call: PendingRequest & { readonly id: number } = session.request("tools/call", params)
  let hasEnded = false

  const awaitState = async (limitMs: number): Promise<CallState> => {
    const event = await withTimeout(nextEvent(session, call), limitMs)
    callState = event === undefined ? { kind: "held" } : eventToCallState(event)
    hasEnded = callState.kind !== "held" && !(callState.kind === "asked" && callState.channel === "push")
    if (callState.kind === "asked") questions.push(...callState.questions)
    if (callState.kind === "asked" && callState.channel === "push") openQuestions = callState.questions
    return callState
  }

  await awaitState(options.limitMs)
  return {
    get callState() {
      return callState
    },
    questions,
    isCompletionReported: ({ params }) =>
      session.notifications.some(
        (notification) =>
          notification.method === "notifications/elicitation/complete" &&
          dig(notification, "params", "elicitationId") === params.elicitationId,
      ),
    async answer(answers, limitMs = options.limitMs) {
      if (hasEnded) call = session.request("tools/call", params)
      for (const question of openQuestions) {
        const { ended } = await session.respond(question.key, { ...answerTo(answers, question) })
        await withTimeout(ended, limitMs)
      }
      openQuestions = []
      return awaitState(limitMs)
    },
    async continueCall(limitMs = options.limitMs) {
      if (hasEnded) call = session.request("tools/call", params)
      return awaitState(limitMs)
    },
    async close() {
      if (hasEnded) return
      for (const { key } of openQuestions) await session.respond(key, { action: "decline" })
      if (openQuestions.length === 0)
        await session.notify("notifications/cancelled", { requestId: call.id, reason: "check finished" })
      call.abort()
    },
  }
}

type CallEvent = { readonly reply: Reply } | { readonly request: Json }

/** The response to the call, or the next question, whichever comes first. Other requests are ignored. */
async function nextEvent(session: Session, call: PendingRequest): Promise<CallEvent> {
  let reply: Reply | undefined
  const replyStored = call.reply.then((response) => {
    reply = response
  })
  for (;;) {
    const nextMessage = session.nextMessage()
    const request = session.requests.shift()
    if (request?.method === "elicitation/create") return { request }
    if (request !== undefined) continue
    if (reply !== undefined) return { reply }
    await Promise.race([replyStored, nextMessage])
  }
}

function eventToCallState(event: CallEvent): CallState {
  if ("reply" in event) return toCallState(event.reply.message, event.reply.status)
  const { id } = event.request
  const key = typeof id === "string" || typeof id === "number" ? id : String(id)
  return { kind: "asked", channel: "push", questions: [toQuestion(key, event.request)], raw: event.request }
}
