// A call in a session of the older revisions: its questions come as requests on any stream, or with the error -32042.

import type { CallState, Question } from "./call-state.ts"
import { toCallState, toQuestion } from "./call-state.ts"
import type { CallOptions, Dialogue } from "./dialogue.ts"
import { answerTo, paramsOf, within } from "./dialogue.ts"
import type { Json } from "./json.ts"
import { dig } from "./json.ts"
import type { Session } from "./legacy.ts"
import type { Reply, Sent } from "./modern.ts"
import type { UrlModeTool } from "./target.ts"

export async function callLegacy(session: Session, tool: UrlModeTool, options: CallOptions): Promise<Dialogue> {
  const params = { ...paramsOf(tool), ...options.params }
  const questions: Question[] = []
  let callState: CallState = { kind: "held" }
  /** Pushed, and not yet answered. */
  let open: readonly Question[] = []
  let call: Sent & { readonly id: number } = session.request("tools/call", params)
  let isOver = false

  const look = async (limitMs: number): Promise<CallState> => {
    const seen = await within(nextOf(session, call), limitMs)
    callState = seen === undefined ? { kind: "held" } : toSeen(seen)
    isOver = callState.kind !== "held" && !(callState.kind === "asked" && callState.channel === "push")
    if (callState.kind === "asked") questions.push(...callState.questions)
    if (callState.kind === "asked" && callState.channel === "push") open = callState.questions
    return callState
  }

  await look(options.limitMs)
  return {
    get callState() {
      return callState
    },
    questions,
    isTold: ({ params }) =>
      session.notifications.some(
        (one) =>
          one.method === "notifications/elicitation/complete" &&
          dig(one, "params", "elicitationId") === params.elicitationId,
      ),
    async answer(answers, limitMs = options.limitMs) {
      if (isOver) call = session.request("tools/call", params)
      for (const question of open) {
        const { ended } = await session.respond(question.key, { ...answerTo(answers, question) })
        await within(ended, limitMs)
      }
      open = []
      return look(limitMs)
    },
    async goOn(limitMs = options.limitMs) {
      if (isOver) call = session.request("tools/call", params)
      return look(limitMs)
    },
    async close() {
      if (isOver) return
      for (const { key } of open) await session.respond(key, { action: "decline" })
      if (open.length === 0)
        await session.notify("notifications/cancelled", { requestId: call.id, reason: "check finished" })
      call.abort()
    },
  }
}

type Seen = { readonly reply: Reply } | { readonly request: Json }

/** The response to the call, or the next question, whichever comes first. Other requests are ignored. */
async function nextOf(session: Session, call: Sent): Promise<Seen> {
  let reply: Reply | undefined
  const answered = call.reply.then((came) => {
    reply = came
  })
  for (;;) {
    const nextMessage = session.nextMessage()
    const request = session.requests.shift()
    if (request?.method === "elicitation/create") return { request }
    if (request !== undefined) continue
    if (reply !== undefined) return { reply }
    await Promise.race([answered, nextMessage])
  }
}

function toSeen(seen: Seen): CallState {
  if ("reply" in seen) return toCallState(seen.reply.message, seen.reply.status)
  const { id } = seen.request
  const key = typeof id === "string" || typeof id === "number" ? id : String(id)
  return { kind: "asked", channel: "push", questions: [toQuestion(key, seen.request)], raw: seen.request }
}
