// GET /run/api/events: one stream for all conversations that a page shows and for the person's inbox. It ends when the
// caller's session or token does.

import { isSamePerson } from "@holdpoint/hub"
import { toServerSentEvent } from "@holdpoint/hub/stream"
import { begunCode } from "../../run-entries.ts"
import { readName } from "../body.ts"
import type { RunCaller } from "../callers.ts"
import type { ApiParts, Route, Visit } from "../parts.ts"
import { problem } from "../problem.ts"
import { createSleeper, type Sleeper } from "../sleeper.ts"
import { createAccessRight } from "./access-right.ts"
import type { ConversationPosition, Cursor } from "./cursor.ts"
import { readCursor, shortOf, writeCursor } from "./cursor.ts"
import { followInbox } from "./inbox.ts"
import { merge } from "./merge.ts"
import { followReplies, startOf } from "./replies.ts"
import { conversationIdOfRun, followTimelines } from "./timeline.ts"

const mostConversations = 20

export const followEvents: Route = async (parts, visit) => {
  const { request, caller, place } = visit
  const { searchParams } = new URL(request.url)
  const names = readNames(searchParams.getAll("conversation"), caller)
  if (names instanceof Response) return names
  if (names.length === 0 && !hasInbox(caller)) {
    const detail = "The request does not say what to follow. Name a conversation: /run/api/events?conversation=…"
    return problem({ status: 400, code: "nothing_to_follow", detail })
  }
  const lastEventId = request.headers.get("last-event-id") ?? searchParams.get("after") ?? ""
  const cursor = lastEventId === "" ? undefined : readCursor(lastEventId)
  if (lastEventId !== "" && cursor === undefined)
    return problem({
      status: 400,
      code: "invalid_event_id",
      detail: "Last-Event-ID must be the id of an event of this stream.",
    })
  const leave = new AbortController()
  const signal = AbortSignal.any([leave.signal, request.signal])
  return parts.streams.respond(streamOf(parts, visit, { names, cursor, leave, signal }), { leave, place })
}

/** A program has no inbox, and a token for one conversation does not open it. */
const hasInbox = ({ isPerson, conversation }: RunCaller): boolean => isPerson && conversation === undefined

/** Checks the names of the conversations. With a token for one conversation, that one is the default. */
function readNames(requestedNames: readonly string[], caller: RunCaller): readonly string[] | Response {
  const tokenConversation = caller.conversation === undefined ? [] : [caller.conversation]
  const names = [...new Set(requestedNames.length === 0 ? tokenConversation : requestedNames)]
  if (names.length > mostConversations) {
    const detail = `One stream follows at most ${mostConversations} conversations.`
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
  /** Aborted when the stream has to end or the client has disconnected. */
  readonly signal: AbortSignal
}

/** An event, and the client's position after it. */
interface ClientEvent {
  readonly event: string
  readonly data: unknown
  readonly inbox?: number
  readonly conversation?: { readonly name: string } & Partial<ConversationPosition>
}

async function* streamOf(parts: ApiParts, visit: Visit, stream: Stream): AsyncGenerator<string> {
  const { caller, isStillAllowed } = visit
  const { leave, signal, cursor } = stream
  const { runtime, followers } = parts.readers
  const bells = new Map<string, Sleeper>()
  const accessRight = createAccessRight(runtime, isStillAllowed, () => leave.abort())
  // Follows the trail before anything is read, so that no run that begins meanwhile is missed.
  const unfollow = followers.followAll((entry) => {
    const { code, by } = entry.detail
    if (entry.kind === "run" && code === begunCode) bells.get(conversationIdOfRun(entry.id))?.wake()
    if (entry.kind === "signed_out" && by !== undefined && isSamePerson(by, caller.principal)) accessRight.recheck()
  })
  signal.addEventListener("abort", () => {
    for (const { wake } of bells.values()) wake()
  })
  try {
    const end = await parts.trail.end()
    const followed = stream.names.map((name) => followedOf(parts, caller, { name, bells }))
    const starts = await Promise.all(followed.map((one) => positionOf(parts, { ...one, cursor, end })))
    let at: Cursor = {
      inbox: cursor?.inbox ?? end,
      conversations: new Map(followed.map(({ name }, index) => [shortOf(name), starts[index] as ConversationPosition])),
    }
    const sources = sourcesOf(parts, caller, { stream, followed, at })
    // Sends a position immediately, so that a client that is disconnected before the first event can resume.
    yield toServerSentEvent({ id: writeCursor(at), retry: 2000 })
    for await (const event of merge(sources)) {
      if (signal.aborted || !(await accessRight.isValid())) return
      at = advanceCursor(at, event)
      yield toServerSentEvent({ id: writeCursor(at), event: event.event, data: JSON.stringify(event.data) })
    }
  } finally {
    unfollow()
    accessRight.close()
    leave.abort()
  }
}

function advanceCursor({ inbox, conversations }: Cursor, event: ClientEvent): Cursor {
  const { name, ...position } = event.conversation ?? { name: undefined }
  const shortName = name === undefined ? "" : shortOf(name)
  const followed = conversations.get(shortName)
  return {
    inbox: event.inbox ?? inbox,
    conversations:
      followed === undefined ? conversations : new Map([...conversations, [shortName, { ...followed, ...position }]]),
  }
}

/** A conversation of the caller that is followed. */
interface FollowedConversation {
  readonly name: string
  readonly id: string
  readonly tenant: string
  /** Woken when a run of the conversation has begun, and when the stream ends. */
  readonly sleeper: Sleeper
}

function followedOf(
  { readers, conversations }: ApiParts,
  { principal }: RunCaller,
  { name, bells }: { readonly name: string; readonly bells: Map<string, Sleeper> },
): FollowedConversation {
  const id = conversations.idOf(principal, name)
  const sleeper = createSleeper(readers.runtime)
  bells.set(id, sleeper)
  return { name, id, tenant: principal.tenant, sleeper }
}

async function positionOf(
  { readers }: ApiParts,
  {
    name,
    cursor,
    ...conversation
  }: FollowedConversation & { readonly cursor: Cursor | undefined; readonly end: number },
): Promise<ConversationPosition> {
  return cursor?.conversations.get(shortOf(name)) ?? startOf(readers, conversation)
}

interface Sources {
  readonly stream: Stream
  readonly followed: readonly FollowedConversation[]
  readonly at: Cursor
}

function sourcesOf(parts: ApiParts, caller: RunCaller, { stream, followed, at }: Sources) {
  const { signal, cursor } = stream
  const { tenant } = caller.principal
  const conversations = followed.map((one) => ({
    ...one,
    from: at.conversations.get(shortOf(one.name)) as ConversationPosition,
  }))
  async function* repliesOf({ name, ...conversation }: (typeof conversations)[number]): AsyncGenerator<ClientEvent> {
    for await (const { at: position, ...chunk } of followReplies(parts.readers, { ...conversation, signal }))
      yield { event: "reply", data: { conversationId: name, ...chunk }, conversation: { name, ...position } }
  }
  async function* timelines(): AsyncGenerator<ClientEvent> {
    for await (const { name, item } of followTimelines(parts, { tenant, conversations, signal }))
      yield { event: "timeline", data: { conversationId: name, item }, conversation: { name, item: item.number } }
  }
  async function* inbox(): AsyncGenerator<ClientEvent> {
    for await (const { data, position } of followInbox(parts, { caller, after: cursor?.inbox, signal }))
      yield { event: "inbox", data, inbox: position }
  }
  return [
    ...conversations.map(repliesOf),
    ...(followed.length === 0 ? [] : [timelines()]),
    ...(hasInbox(caller) ? [inbox()] : []),
  ]
}
