// Finds the message of a prompt that a process may have posted just before it died: by the prompt's id in the message's
// metadata.

import { isObject } from "@holdpoint/hub/internal"
import type { Json, SlackMessageRef } from "./wire.ts"
import { slackErrorOf, type Workspace } from "./workspaces.ts"

export interface MessageQuery {
  readonly prompt: string
  readonly user: string
  readonly thread: { readonly channel: string; readonly thread_ts: string } | undefined
  /** When the question was asked. Its messages cannot be older. */
  readonly since: number
  readonly signal: AbortSignal
}

const pageSize = 200
const mostPages = 10
/** The tolerance for the difference between Slack's clock and the clock of this server. */
const skewMs = 60_000

export async function findMessage(workspace: Workspace, query: MessageQuery): Promise<SlackMessageRef | undefined> {
  const { thread, user, signal } = query
  if (thread !== undefined) {
    const args = { channel: thread.channel, ts: thread.thread_ts }
    const message = await search(workspace, { ...query, method: "conversations.replies", args })
    if (message !== undefined) return message
  }
  // Opening the conversation again returns the same conversation for this person.
  const conversation = await workspace.call("conversations.open", { users: user }, signal)
  const channel = isObject(conversation.channel) ? conversation.channel.id : undefined
  return search(workspace, { ...query, method: "conversations.history", args: { channel } })
}

interface Search extends MessageQuery {
  readonly method: string
  readonly args: Json
}

async function search(workspace: Workspace, { method, args, prompt, since, signal }: Search) {
  const range = { oldest: String(Math.floor((since - skewMs) / 1_000)), limit: pageSize, include_all_metadata: true }
  let cursor: string | undefined
  for (let page = 0; page < mostPages; page++) {
    const position = cursor === undefined ? {} : { cursor }
    const response = await workspace.call(method, { ...args, ...range, ...position }, signal).catch(emptyIfMissing)
    const messages = Array.isArray(response.messages) ? (response.messages as readonly unknown[]) : []
    const [match] = messages.filter(isObject).filter((message) => promptIn(message) === prompt)
    if (match !== undefined) return { channel: String(args.channel), ts: String(match.ts) }
    cursor = isObject(response.response_metadata) ? String(response.response_metadata.next_cursor ?? "") : ""
    if (cursor === "") return undefined
  }
  return undefined
}

function promptIn({ metadata }: Json): unknown {
  return isObject(metadata) && isObject(metadata.event_payload) ? metadata.event_payload.prompt : undefined
}

/** Treats a thread or conversation that no longer exists as empty. */
function emptyIfMissing(error: unknown): Json {
  const errorCode = slackErrorOf(error)
  if (errorCode === "thread_not_found" || errorCode === "channel_not_found" || errorCode === "not_in_channel") return {}
  throw error
}
