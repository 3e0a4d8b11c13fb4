// Tools that read and send Talk messages, and add reactions.

import { fieldsOf, objectsOf } from "../../api/read.ts"
import { idInCursor, toIdCursor } from "../../id-cursor.ts"
import { paging } from "../../page.ts"
import { toPreviewLines } from "../../preview.ts"
import { flag, integer, list, object, optional, text } from "../../schema.ts"
import { defineTool } from "../../tool.ts"
import { hasReactions, talk, token } from "./api.ts"
import { message, toMessage } from "./message.ts"
import { reachOfRoom, readRoomWithReaders, toReaderWords } from "./room.ts"

const getMessages = defineTool({
  name: "nc_talk_get_messages",
  title: "Read messages of a Talk conversation",
  description: "Messages of a conversation, newest first; marks nothing as read. Continue with next_cursor.",
  scopes: ["talk.read"],
  effect: "read",
  input: object({ token, ...paging }),
  output: object({ messages: list(message), next_cursor: optional(text()) }),
  notRecorded: "the total is not reported",
  async run({ token: conversationToken, limit = 50, cursor }, nextcloud) {
    const activity = `reading messages of the conversation ${conversationToken}`
    const lastKnownMessageId = cursor === undefined ? undefined : idInCursor(cursor)
    const query = { lookIntoFuture: 0, setReadMarker: 0, limit, lastKnownMessageId }
    const { data, headers } = await talk(nextcloud, { path: `/v1/chat/${conversationToken}`, query, activity })
    const messages = objectsOf(data ?? [], activity).map((fields) => toMessage(nextcloud, conversationToken, fields))
    // A short or empty page need not be the last: expired and hidden messages are left out.
    const lastGiven = Number(headers.get("x-chat-last-given") ?? 0)
    return { messages, ...(lastGiven > 0 ? { next_cursor: toIdCursor(lastGiven) } : {}) }
  },
})

const sendMessage = defineTool({
  name: "nc_talk_send_message",
  title: "Send a Talk message",
  description: "Sends a message in the user's name. Markdown; @id mentions a person, @all everyone.",
  scopes: ["talk.write"],
  effect: "add",
  reach: {
    kinds: ["inside", "public", "outside"],
    requests: 2,
    find: async ({ token: conversationToken }, nextcloud) =>
      reachOfRoom(await readRoomWithReaders(nextcloud, conversationToken, "sending a message")),
  },
  input: object({
    token,
    message: text(undefined, { least: 1, most: 32_000 }),
    reply_to: optional(integer("A message's id")),
    silent: optional(flag("Sends no notification")),
  }),
  output: message,
  notRecorded: "silent messages",
  confirm: {
    requests: 2,
    verb: "Send",
    keptText: "was not sent",
    async readLoss({ token: conversationToken, message: words }, nextcloud) {
      const room = await readRoomWithReaders(nextcloud, conversationToken, "sending a message")
      return {
        what: `a message to the conversation “${room.name}”`,
        details: [`It is read by ${toReaderWords(room)}.`, ...toPreviewLines(words)],
      }
    },
  },
  async run({ token: conversationToken, message: words, reply_to, silent }, nextcloud) {
    const activity = `sending a message to the conversation ${conversationToken}`
    const json = {
      message: words,
      ...(reply_to === undefined ? {} : { replyTo: reply_to }),
      ...(silent === undefined ? {} : { silent }),
    }
    const { data } = await talk(nextcloud, { method: "POST", path: `/v1/chat/${conversationToken}`, json, activity })
    return toMessage(nextcloud, conversationToken, fieldsOf(data, activity))
  },
})

const markAsRead = defineTool({
  name: "nc_talk_mark_as_read",
  title: "Mark a Talk conversation as read",
  description: "Marks messages of a conversation as read, up to a message or all.",
  scopes: ["talk.write"],
  effect: "set",
  input: object({ token, message_id: optional(integer("The last message to mark as read")) }),
  output: object({ token: text(), unread: integer() }),
  notRecorded: "up to a message",
  async run({ token: conversationToken, message_id }, nextcloud) {
    const activity = `marking the conversation ${conversationToken} as read`
    const json = message_id === undefined ? {} : { lastReadMessage: message_id }
    const { data } = await talk(nextcloud, {
      method: "POST",
      path: `/v1/chat/${conversationToken}/read`,
      json,
      activity,
    })
    return { token: conversationToken, unread: fieldsOf(data, activity).maybeNumber("unreadMessages") ?? 0 }
  },
})

const reactions = object({
  reactions: list(object({ reaction: text(), by: list(text()) })),
})

function toReactions(data: unknown, activity: string) {
  // The server sends an empty list instead of an object when there are no reactions.
  if (Array.isArray(data) && data.length === 0) return { reactions: [] }
  const reactions = fieldsOf(data, activity)
  return {
    reactions: Object.keys(reactions.raw).map((reaction) => ({
      reaction,
      by: reactions.objects(reaction).map((person) => person.maybeText("actorDisplayName") ?? person.text("actorId")),
    })),
  }
}

const listReactions = defineTool({
  name: "nc_talk_list_reactions",
  title: "See who reacted to a Talk message",
  description: "The reactions to a message, and who reacted.",
  scopes: ["talk.read"],
  effect: "read",
  input: object({ token, message_id: integer() }),
  output: reactions,
  offered: hasReactions,
  async run({ token: conversationToken, message_id }, nextcloud) {
    const activity = `reading the reactions to the message ${message_id}`
    const { data } = await talk(nextcloud, { path: `/v1/reaction/${conversationToken}/${message_id}`, activity })
    return toReactions(data, activity)
  },
})

const react = defineTool({
  name: "nc_talk_react",
  title: "React to a Talk message",
  description: "Adds an emoji to a message, or removes the user's own.",
  scopes: ["talk.write"],
  effect: "set",
  reach: "shown",
  input: object({
    token,
    message_id: integer(),
    reaction: text("One emoji", { least: 1, most: 32 }),
    on: optional(flag("false removes it; default: true")),
  }),
  output: reactions,
  notRecorded: "removing a reaction",
  offered: hasReactions,
  async run({ token: conversationToken, message_id, reaction, on: isOn = true }, nextcloud) {
    const activity = `${isOn ? "adding a reaction to" : "removing a reaction from"} the message ${message_id}`
    const path = `/v1/reaction/${conversationToken}/${message_id}`
    const request = isOn ? { method: "POST", json: { reaction } } : { method: "DELETE", query: { reaction } }
    return toReactions((await talk(nextcloud, { path, activity, ...request })).data, activity)
  },
})

export const messageTools = [getMessages, sendMessage, markAsRead, listReactions, react]
