// GET /run/api/events: one stream for a person, however many conversations a page shows. It ends when the caller's
// session or token does.

import type { Entry } from "@holdpoint/sdk"
import { isSamePerson } from "@holdpoint/sdk"
import { begunCode } from "../../conversations.ts"
import { readName } from "../body.ts"
import type { RunCaller } from "../callers.ts"
import type { ApiParts, Route, Visit } from "../parts.ts"
import { problem } from "../problem.ts"
import { createSleeper, type Sleeper } from "../sleeper.ts"
import type { Cursor, ReplyPosition } from "./cursor.ts"
import { readCursor, shortOf, writeCursor } from "./cursor.ts"
import { followInbox } from "./inbox.ts"
import { merge } from "./merge.ts"
import { followReplies, startOf } from "./replies.ts"
import { createRight } from "./right.ts"

const mostConversations = 20

export const followEvents: Route = async (parts, visit) => {
  const { request, caller } = visit
  const { searchParams } = new URL(request.url)
  const names = readNames(searchParams.getAll("conversation"), caller)
  if (names instanceof Response) return names
  if (names.length === 0 && !hasInbox(caller)) {
    const detail = "There is nothing to follow. Name a conversation: /run/api/events?conversation=…"
    return problem({ status: 400, code: "nothing_to_follow", detail })
  }
  const last = request.headers.get("last-event-id") ?? searchParams.get("after") ?? ""
  const cursor = last === "" ? undefined : readCursor(last)
  if (last !== "" && cursor === undefined)
    return problem({
      status: 400,
      code: "invalid_event_id",
      detail: "Last-Event-ID is the id of an event of this stream.",
    })
  const leave = new AbortController()
  const signal = AbortSignal.any([leave.signal, request.signal])
  return parts.streams.respond(streamOf(parts, visit, { names, cursor, leave, signal }), { leave })
}

/** A program has no questions, and a token for one conversation shows no others. */
const hasInbox = ({ isPerson, conversation }: RunCaller): boolean => isPerson && conversation === undefined

/** The names of the conversations. A token that is for one conversation follows that one. */
function readNames(given: readonly string[], caller: RunCaller): readonly string[] | Response {
  const own = caller.conversation === undefined ? [] : [caller.conversation]
  const names = [...new Set(given.length === 0 ? own : given)]
  if (names.length > mostConversations) {
    const detail = `One stream follows ${mostConversations} conversations at most.`
    return problem({ status: 400, code: "too_many_conversations", detail })
  }
  const read = names.map((name) => readName(name, caller))
  return read.find((name) => name instanceof Response) ?? names
}

interface Stream {
  readonly names: readonly string[]
  readonly cursor: Cursor | undefined
  /** Ends the stream. */
  readonly leave: AbortController
  /** Aborted when the stream is to end or the client is gone. */
  readonly signal: AbortSignal
}

/** An event, and how far the client is with it. */
interface Sent {
  readonly event: string
  readonly data: unknown
  readonly inbox?: number
  readonly reply?: readonly [name: string, position: ReplyPosition]
}

async function* streamOf(parts: ApiParts, visit: Visit, stream: Stream): AsyncGenerator<string> {
  const { caller, isStillAllowed } = visit
  const { leave, signal, cursor } = stream
  const { runtime, followers } = parts.readers
  const bells = new Map<string, Sleeper>()
  const right = createRight(runtime, isStillAllowed, () => leave.abort())
  // Before anything is read: what begins after that is heard of.
  const unfollow = followers.followAll((entry) => {
    if (entry.kind === "run" && entry.detail.code === begunCode) bells.get(conversationOf(entry))?.wake()
    const { by } = entry.detail
    if (entry.kind === "signed_out" && by !== undefined && isSamePerson(by, caller.principal)) right.doubt()
  })
  signal.addEventListener("abort", () => {
    for (const { wake } of bells.values()) wake()
  })
  try {
    const start = cursor?.inbox ?? (await parts.trail.end())
    const replies = new Map(cursor?.replies)
    const sources = [
      ...(await Promise.all(stream.names.map((name) => repliesOf(parts, caller, { name, stream, replies, bells })))),
      ...(hasInbox(caller) ? [inboxOf(parts, caller, stream)] : []),
    ]
    let at: Cursor = { inbox: start, replies }
    // A client that is cut off before the first event has its place too.
    yield `retry: 2000\nid: ${writeCursor(at)}\n\n`
    for await (const { event, data, inbox = at.inbox, reply } of merge(sources)) {
      if (signal.aborted || !(await right.isThere())) return
      at = { inbox, replies: reply === undefined ? at.replies : new Map([...at.replies, reply]) }
      yield `id: ${writeCursor(at)}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`
    }
  } finally {
    unfollow()
    right.close()
    leave.abort()
  }
}

/** A run's id begins with that of its conversation. */
const conversationOf = ({ id }: Entry): string => id.slice(0, id.lastIndexOf("."))

interface Following {
  readonly name: string
  readonly stream: Stream
  /** How far each conversation was read, to which this one is added. */
  readonly replies: Map<string, ReplyPosition>
  readonly bells: Map<string, Sleeper>
}

async function repliesOf(
  { readers, conversations }: ApiParts,
  { principal }: RunCaller,
  { name, stream, replies, bells }: Following,
): Promise<AsyncGenerator<Sent>> {
  const { tenant } = principal
  const id = conversations.idOf(principal, name)
  const sleeper = createSleeper(readers.runtime)
  bells.set(id, sleeper)
  const short = shortOf(name)
  const from = replies.get(short) ?? (await startOf(readers, principal, id))
  replies.set(short, from)
  async function* events(): AsyncGenerator<Sent> {
    for await (const { at, ...chunk } of followReplies(readers, { id, tenant, from, sleeper, signal: stream.signal }))
      yield { event: "reply", data: { conversationId: name, ...chunk }, reply: [short, at] }
  }
  return events()
}

async function* inboxOf(parts: ApiParts, caller: RunCaller, { cursor, signal }: Stream): AsyncGenerator<Sent> {
  for await (const { data, position } of followInbox(parts, { caller, after: cursor?.inbox, signal }))
    yield { event: "inbox", data, inbox: position }
}
