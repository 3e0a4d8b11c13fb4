// Finds the message of a prompt that a process may have posted just before it died: by the prompt's id in the message's
// metadata.

import { isJson, type Json, type SlackMessageAt } from "./wire.ts"
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
const slackMs = 60_000

export async function findMessage(workspace: Workspace, wanted: MessageQuery): Promise<SlackMessageAt | undefined> {
  const { thread, user, signal } = wanted
  if (thread !== undefined) {
    const args = { channel: thread.channel, ts: thread.thread_ts }
    const message = await search(workspace, { ...wanted, method: "conversations.replies", args })
    if (message !== undefined) return message
  }
  // Opening the conversation again returns the same conversation for this person.
  const opened = await workspace.call("conversations.open", { users: user }, signal)
  const channel = isJson(opened.channel) ? opened.channel.id : undefined
  return search(workspace, { ...wanted, method: "conversations.history", args: { channel } })
}

interface Search extends MessageQuery {
  readonly method: string
  readonly args: Json
}

async function search(workspace: Workspace, { method, args, prompt, since, signal }: Search) {
  const range = { oldest: String(Math.floor((since - slackMs) / 1_000)), limit: pageSize, include_all_metadata: true }
  let cursor: string | undefined
  for (let page = 0; page < mostPages; page++) {
    const at = cursor === undefined ? {} : { cursor }
    const response = await workspace.call(method, { ...args, ...range, ...at }, signal).catch(orNone)
    const messages = Array.isArray(response.messages) ? (response.messages as readonly unknown[]) : []
    const [own] = messages.filter(isJson).filter((message) => promptIn(message) === prompt)
    if (own !== undefined) return { channel: String(args.channel), ts: String(own.ts) }
    cursor = isJson(response.response_metadata) ? String(response.response_metadata.next_cursor ?? "") : ""
    if (cursor === "") return undefined
  }
  return undefined
}

function promptIn({ metadata }: Json): unknown {
  return isJson(metadata) && isJson(metadata.event_payload) ? metadata.event_payload.prompt : undefined
}

/** Treats a thread or conversation that no longer exists as empty. */
function orNone(error: unknown): Json {
  const refused = slackErrorOf(error)
  if (refused === "thread_not_found" || refused === "channel_not_found" || refused === "not_in_channel") return {}
  throw error
}
