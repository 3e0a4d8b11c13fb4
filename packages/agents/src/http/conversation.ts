// Routes of one conversation: its messages, its timeline, the stream of its last reply, and a stop.

import { hasEnded } from "../conversations.ts"
import type { Conversation } from "../records.ts"
import { isEnd } from "../run-log.ts"
import { readName } from "./body.ts"
import { streamRun } from "./chat.ts"
import type { ApiParts, Route, Visit } from "./parts.ts"
import { problem } from "./problem.ts"
import { createRunTimeline } from "./run-timeline.ts"
import { replyOf } from "./whole-reply.ts"

async function find({ conversations }: ApiParts, { caller, path }: Visit): Promise<Conversation | Response> {
  const name = readName(path.id, caller)
  if (name instanceof Response) return name
  const conversation = await conversations.find(caller.principal, name)
  return conversation ?? problem({ status: 404, code: "not_found", detail: `You have no conversation “${name}”.` })
}

/** GET /run/api/conversations/:id */
export const showConversation: Route = async (parts, visit) => {
  const conversation = await find(parts, visit)
  if (conversation instanceof Response) return conversation
  const runs = (await parts.conversations.runs(conversation)).filter(({ isReplaced }) => isReplaced !== true)
  const turns = await Promise.all(runs.map(async (run) => ({ run, ...(await replyOf(parts, run)) })))
  const messages = turns.flatMap(({ run, message }) => [
    parts.conversations.message(run),
    ...(message === undefined ? [] : [message]),
  ])
  const lastTurn = turns.at(-1)
  return Response.json({
    ...{ id: conversation.name, agent: conversation.agent, status: lastTurn?.run.status ?? "done", messages },
    ...(lastTurn === undefined ? {} : { reply: { messageId: lastTurn.run.message, number: lastTurn.number } }),
  })
}

/** GET /run/api/conversations/:id/timeline: what happened in the replies, step by step. */
export const showTimeline: Route = async (parts, visit) => {
  const conversation = await find(parts, visit)
  if (conversation instanceof Response) return conversation
  const runs = await parts.conversations.runs(conversation)
  const items = await Promise.all(runs.map((run) => createRunTimeline(parts, run).read()))
  return Response.json({ id: conversation.name, items: items.flat() })
}

/**
 * GET /run/api/chat/:id/stream, which the AI SDK's client requests: the reply from its beginning, or 204 when none is
 * under way.
 */
export const repeatStream: Route = async (parts, visit) => {
  const conversation = await find(parts, visit)
  if (conversation instanceof Response && conversation.status !== 404) return conversation
  const run = conversation instanceof Response ? undefined : await parts.conversations.last(conversation)
  if (run === undefined || hasEnded(run)) return new Response(null, { status: 204 })
  return streamRun(parts, { place: visit.place, isHeld: true, signal: visit.request.signal }, { run, after: 0 })
}

/**
 * GET /run/api/conversations/:id/stream: resumes after the last event that the client has, in the last reply or in the
 * one whose message has the id of the parameter `message`.
 */
export const resumeStream: Route = async (parts, visit) => {
  const conversation = await find(parts, visit)
  if (conversation instanceof Response) return conversation
  const { searchParams } = new URL(visit.request.url)
  const messageId = searchParams.get("message")
  const runs = await parts.conversations.runs(conversation)
  const run = messageId === null ? runs.at(-1) : runs.find(({ message }) => message === messageId)
  if (run === undefined && messageId !== null)
    return problem({
      status: 404,
      code: "not_found",
      detail: `The conversation “${conversation.name}” has no such reply.`,
    })
  if (run === undefined) return new Response(null, { status: 204 })
  const lastEventId = visit.request.headers.get("last-event-id") ?? searchParams.get("after") ?? "0"
  if (!/^\d{1,9}$/.test(lastEventId))
    return problem({ status: 400, code: "invalid_event_id", detail: "Last-Event-ID must be the number of an event." })
  const last = hasEnded(run) ? (await parts.logs.read(run, 0)).at(-1) : undefined
  // The client has the end of the reply, so nothing follows.
  if (last !== undefined && isEnd(last.chunk) && last.number <= Number(lastEventId))
    return new Response(null, { status: 204 })
  return streamRun(
    parts,
    { place: visit.place, isHeld: true, signal: visit.request.signal },
    { run, after: Number(lastEventId) },
  )
}

/** POST /run/api/chat/:id/stop: stops the last reply. No further step of it begins. */
export const stopRun: Route = async (parts, visit) => {
  const conversation = await find(parts, visit)
  if (conversation instanceof Response) return conversation
  const run = await parts.conversations.last(conversation)
  if (run !== undefined && !hasEnded(run)) await parts.runs.stop(run.id)
  return new Response(null, { status: 202 })
}
