// chat.*: messages of the app. https://docs.slack.dev/reference/methods?family=chat

import type { Fields } from "../limits/check.ts"
import { checkMessage } from "../limits/messages.ts"
import { type Call, channelOf, type Method, ownMessage, refuse, refuseIf, textOf } from "../method.ts"
import { type Channel, directChannel, type Message, messageAt, replaceMessage, toWire } from "../world.ts"

const post: Method = (call) => {
  const { team, world, args } = call
  const channel = targetOf(call)
  refuseIf(checkMessage(args, "post"))
  const thread = threadOf(call, channel)
  const message: Message = {
    ts: world.newTs(),
    channel: channel.id,
    user: team.botUser,
    bot_id: team.botId,
    ...contentsOf(args),
    ...(thread === undefined ? {} : { thread_ts: thread }),
  }
  team.messages.push(message)
  call.tell(team, { ...toWire(team, message), channel: channel.id, channel_type: channel.kind, event_ts: message.ts })
  world.changed()
  return { channel: channel.id, ts: message.ts, message: toWire(team, message) }
}

const update: Method = (call) => {
  const { team, world, args } = call
  const before = ownMessage(call, "cant_update_message")
  if (before.streaming_state === "in_progress") refuse("streaming_state_conflict")
  refuseIf(checkMessage(args, "edit"))
  // An update without a text keeps the blocks; a text without blocks removes them.
  const isTextAlone = (args.text ?? args.markdown_text) !== undefined && args.blocks === undefined
  const { blocks, markdown: _markdown, ...rest } = before
  const unchanged = isTextAlone || blocks === undefined ? rest : { ...rest, blocks }
  const edited = { user: team.botUser, ts: world.newTs() }
  const next: Message = {
    ...unchanged,
    ...contentsOf(args),
    ...(args.text === undefined ? { text: before.text } : {}),
    edited,
  }
  replaceMessage(team, next)
  const channel = channelOf(call)
  call.tell(team, {
    type: "message",
    subtype: "message_changed",
    hidden: true,
    channel: channel.id,
    channel_type: channel.kind,
    ts: edited.ts,
    event_ts: edited.ts,
    message: toWire(team, next),
    previous_message: toWire(team, before),
  })
  world.changed()
  return { channel: next.channel, ts: next.ts, text: next.text, message: toWire(team, next) }
}

const remove: Method = (call) => {
  const message = ownMessage(call, "cant_delete_message")
  call.team.messages.splice(call.team.messages.indexOf(message), 1)
  call.world.changed()
  return { channel: message.channel, ts: message.ts }
}

const postEphemeral: Method = (call) => {
  const { team, world, args } = call
  const channel = channelOf(call)
  const user = textOf(args, "user")
  if (!team.users.has(user)) refuse("user_not_found")
  if (!channel.members.includes(user)) refuse("user_not_in_channel")
  refuseIf(checkMessage(args, "post"))
  const thread = threadOf(call, channel)
  const ts = world.newTs()
  team.messages.push({
    ts,
    channel: channel.id,
    user: team.botUser,
    bot_id: team.botId,
    onlyFor: user,
    ...contentsOf(args),
    ...(thread === undefined ? {} : { thread_ts: thread }),
  })
  world.changed()
  return { message_ts: ts }
}

const permalink: Method = (call) => {
  const channel = channelOf(call)
  const ts = textOf(call.args, "message_ts")
  if (messageAt(call.team, channel.id, ts) === undefined) refuse("message_not_found")
  return {
    channel: channel.id,
    permalink: `https://${call.team.domain}.slack.com/archives/${channel.id}/p${ts.replace(".", "")}`,
  }
}

export const chatMethods: Readonly<Record<string, Method>> = {
  "chat.postMessage": post,
  "chat.update": update,
  "chat.delete": remove,
  "chat.postEphemeral": postEphemeral,
  "chat.getPermalink": permalink,
}

/** Text, blocks and metadata of a message, each block with the id that Slack gives it. */
export function contentsOf(args: Fields): Pick<Message, "text" | "blocks" | "attachments" | "metadata" | "markdown"> {
  const blocks = (args.blocks as readonly Fields[] | undefined)?.map(withId)
  return {
    text: (args.text ?? args.markdown_text ?? "") as string,
    ...(typeof args.markdown_text === "string" ? { markdown: args.markdown_text } : {}),
    ...(blocks === undefined ? {} : { blocks }),
    ...(args.attachments === undefined ? {} : { attachments: args.attachments as readonly Fields[] }),
    ...(args.metadata === undefined ? {} : { metadata: args.metadata as Fields }),
  }
}

export function withId(block: Fields, index: number): Fields {
  return { block_id: `b${index}${Math.random().toString(36).slice(2, 6)}`, ...block }
}

/** A channel by its id, or the direct messages of a person by theirs. */
function targetOf(call: Call): Channel {
  const target = textOf(call.args, "channel")
  return call.team.users.has(target) ? directChannel(call.team, target) : channelOf(call)
}

/** The first message of the thread; a reply's own ts means its thread. */
export function threadOf({ team, args }: Call, channel: Channel): string | undefined {
  if (args.thread_ts === undefined) return undefined
  const ts = textOf(args, "thread_ts")
  const parent = messageAt(team, channel.id, ts)
  if (parent === undefined) refuse("thread_not_found")
  return parent.thread_ts ?? ts
}
