// chat.*Stream: a message that grows while it is written, and assistant.threads.setStatus.
// https://docs.slack.dev/reference/methods/chat.startStream

import { type Fields, isFields } from "../limits/check.ts"
import { mostMarkdown, refuseBlocks, refuseMetadata } from "../limits/messages.ts"
import { type Call, channelOf, type Method, ownMessage, refuse, refuseIf, textOf } from "../method.ts"
import { type Message, replaceMessage, toWire } from "../world.ts"
import { threadOf, withId } from "./chat.ts"

/** Slack ends silent streams. The time is not documented; five minutes were observed. */
const silenceMs = 5 * 60_000

const start: Method = (call) => {
  const { team, world, args } = call
  const channel = channelOf(call)
  if (args.thread_ts === undefined) refuse("invalid_arguments", ["missing required field: thread_ts"])
  const thread = threadOf(call, channel) as string
  if (channel.kind !== "im") {
    if (args.recipient_user_id === undefined) refuse("missing_recipient_user_id")
    if (args.recipient_team_id === undefined) refuse("missing_recipient_team_id")
  }
  const markdown = markdownOf(args)
  const message: Message = {
    ts: world.newTs(),
    channel: channel.id,
    user: team.botUser,
    bot_id: team.botId,
    text: markdown,
    markdown,
    thread_ts: thread,
    streaming_state: "in_progress",
  }
  team.messages.push(message)
  team.statuses.delete(`${channel.id} ${thread}`)
  endWhenSilent(call, message.ts)
  world.changed()
  return { channel: channel.id, ts: message.ts }
}

const append: Method = (call) => {
  const message = streaming(call)
  const markdown = `${message.markdown ?? ""}${markdownOf(call.args)}`
  replaceMessage(call.team, { ...message, text: markdown, markdown })
  endWhenSilent(call, message.ts)
  call.world.changed()
  return { channel: message.channel, ts: message.ts }
}

const stop: Method = (call) => {
  const { team, world, args } = call
  const message = streaming(call)
  refuseIf(refuseBlocks(args.blocks) ?? refuseMetadata(args.metadata))
  const markdown = `${message.markdown ?? ""}${markdownOf(args)}`
  const blocks = (args.blocks as readonly Fields[] | undefined)?.map(withId)
  const next: Message = {
    ...message,
    text: markdown,
    markdown,
    streaming_state: "completed",
    ...(blocks === undefined ? {} : { blocks }),
    ...(args.metadata === undefined ? {} : { metadata: args.metadata as Fields }),
  }
  replaceMessage(team, next)
  world.changed()
  return { channel: message.channel, ts: message.ts, message: toWire(team, next) }
}

const setStatus: Method = (call) => {
  const channel = channelOf(call, "channel_id")
  const thread = textOf(call.args, "thread_ts")
  const status = call.args.status
  if (typeof status !== "string") refuse("invalid_arguments", ["missing required field: status"])
  const key = `${channel.id} ${thread}`
  if (status === "") call.team.statuses.delete(key)
  else call.team.statuses.set(key, status)
  call.world.changed()
  return {}
}

export const streamMethods: Readonly<Record<string, Method>> = {
  "chat.startStream": start,
  "chat.appendStream": append,
  "chat.stopStream": stop,
  "assistant.threads.setStatus": setStatus,
}

function streaming(call: Call): Message {
  const message = ownMessage(call, "message_not_owned_by_app")
  if (message.streaming_state !== "in_progress") refuse("message_not_in_streaming_state")
  return message
}

/** The markdown of a call, given as text or as chunks. */
function markdownOf({ markdown_text: text, chunks }: Fields): string {
  if (chunks !== undefined && !Array.isArray(chunks)) refuse("invalid_chunks")
  const pieces = ((chunks ?? []) as readonly unknown[]).map((chunk) => {
    if (!isFields(chunk) || typeof chunk.type !== "string") return refuse("invalid_chunks")
    if (chunk.type !== "markdown_text") return ""
    return typeof chunk.text === "string" ? chunk.text : refuse("invalid_chunks")
  })
  const all = [typeof text === "string" ? text : "", ...pieces].join("")
  if (all.length > mostMarkdown) refuse("msg_too_long")
  return all
}

function endWhenSilent({ team, world }: Call, ts: string): void {
  const findMessage = (): Message | undefined => team.messages.find((one) => one.ts === ts)
  const markdown = findMessage()?.markdown
  world.clock.after(silenceMs, () => {
    const message = findMessage()
    if (message?.streaming_state !== "in_progress" || message.markdown !== markdown) return
    replaceMessage(team, { ...message, streaming_state: "errored" })
    world.changed()
  })
}
