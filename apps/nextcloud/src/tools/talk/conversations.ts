// Tools for Talk conversations and their participants.

import { nextcloudError } from "../../api/error.ts"
import type { Nextcloud } from "../../api/nextcloud.ts"
import type { Fields } from "../../api/read.ts"
import { fieldsOf, objectsOf } from "../../api/read.ts"
import { pageFields, paging, toExcerpt, toPage } from "../../page.ts"
import type { ReachKind } from "../../reach.ts"
import { flag, integer, list, object, oneOf, optional, text } from "../../schema.ts"
import { fromSeconds } from "../../time.ts"
import { defineTool } from "../../tool.ts"
import { conversationLink, invitesPeople, talk, token } from "./api.ts"
import { inWords } from "./message.ts"
import { readRoom } from "./room.ts"

const kinds: Readonly<Record<number, string>> = {
  1: "one_to_one",
  2: "group",
  3: "public",
  4: "changelog",
  5: "former_one_to_one",
  6: "note_to_self",
}

const conversation = {
  token: text(),
  name: text(),
  kind: text(),
  unread: integer(),
  mentioned: flag(),
  favorite: flag(),
  read_only: flag(),
  last_activity: text(),
  last_message: optional(text()),
  url: text(),
}

function toConversation(nextcloud: Nextcloud, fields: Fields) {
  const lastMessage = fields.maybeObject("lastMessage")
  return {
    token: fields.text("token"),
    name: fields.text("displayName"),
    kind: kinds[fields.number("type")] ?? "other",
    unread: fields.maybeNumber("unreadMessages") ?? 0,
    mentioned: fields.maybeFlag("unreadMention") ?? false,
    favorite: fields.maybeFlag("isFavorite") ?? false,
    read_only: fields.maybeFlag("readOnly") ?? false,
    last_activity: fromSeconds(fields.number("lastActivity")),
    ...(lastMessage === undefined ? {} : { last_message: toExcerpt(toLastMessageText(lastMessage)) }),
    url: conversationLink(nextcloud, fields.text("token")),
  }
}

function toLastMessageText(lastMessage: Fields): string {
  const words = inWords(lastMessage)
  const authorName = lastMessage.maybeText("actorDisplayName")
  return authorName === undefined || lastMessage.maybeText("systemMessage") !== undefined
    ? words
    : `${authorName}: ${words}`
}

const listConversations = defineTool({
  name: "nc_talk_list_conversations",
  title: "List Talk conversations",
  description: "The user's Talk conversations, latest activity first.",
  scopes: ["talk.read"],
  effect: "read",
  input: object({
    unread: optional(flag("Only those with unread messages")),
    query: optional(text("Part of the name")),
    modified_since: optional(text("ISO 8601")),
    ...paging,
  }),
  output: object({ conversations: list(object(conversation)), ...pageFields }),
  notRecorded: "modified_since",
  async run({ unread: onlyUnread = false, query = "", modified_since, ...page }, nextcloud) {
    const activity = "listing the conversations"
    const modifiedSince = modified_since === undefined ? undefined : toSeconds(modified_since, activity)
    const { data } = await talk(nextcloud, { path: "/v4/room", query: { modifiedSince }, activity })
    const conversations = objectsOf(data, activity)
      .map((fields) => toConversation(nextcloud, fields))
      .filter((entry) => (!onlyUnread || entry.unread > 0) && entry.name.toLowerCase().includes(query.toLowerCase()))
      .toSorted((a, b) => b.last_activity.localeCompare(a.last_activity))
    const { items, facts } = toPage(conversations, page)
    return { conversations: items, ...facts }
  },
})

function toSeconds(time: string, activity: string): number {
  const ms = Date.parse(time)
  if (!Number.isNaN(ms)) return Math.floor(ms / 1000)
  throw nextcloudError("invalid", { activity, because: "modified_since is not a time such as 2026-12-01T18:00:00Z" })
}

const getConversation = defineTool({
  name: "nc_talk_get_conversation",
  title: "Look at a Talk conversation",
  description: "One Talk conversation: name, kind, unread messages.",
  scopes: ["talk.read"],
  effect: "read",
  input: object({ token }),
  output: object({ ...conversation, description: optional(text()), last_read_message: integer() }),
  async run({ token: conversationToken }, nextcloud) {
    const activity = `reading the conversation ${conversationToken}`
    const fields = fieldsOf((await talk(nextcloud, { path: `/v4/room/${conversationToken}`, activity })).data, activity)
    const description = fields.maybeText("description")
    return {
      ...toConversation(nextcloud, fields),
      ...(description === undefined ? {} : { description }),
      last_read_message: fields.maybeNumber("lastReadMessage") ?? 0,
    }
  },
})

const roles: Readonly<Record<number, string>> = {
  1: "owner",
  2: "moderator",
  3: "user",
  4: "guest",
  5: "user_by_link",
  6: "guest_moderator",
}

const listParticipants = defineTool({
  name: "nc_talk_list_participants",
  title: "List who is in a Talk conversation",
  description: "A conversation's participants, with their roles.",
  scopes: ["talk.read"],
  effect: "read",
  input: object({ token, include_status: optional(flag("Whether they are online, away …")), ...paging }),
  output: object({
    participants: list(
      object({ id: text(), source: text(), name: text(), role: text(), in_call: flag(), status: optional(text()) }),
    ),
    ...pageFields,
  }),
  notRecorded: "statuses of participants",
  async run({ token: conversationToken, include_status, ...page }, nextcloud) {
    const activity = `listing the participants of the conversation ${conversationToken}`
    const query = include_status === true ? { includeStatus: true } : {}
    const { data } = await talk(nextcloud, { path: `/v4/room/${conversationToken}/participants`, query, activity })
    const { items, facts } = toPage(objectsOf(data, activity), page)
    const participants = items.map((participant) => ({
      id: participant.text("actorId"),
      source: participant.text("actorType"),
      name: participant.maybeText("displayName") ?? participant.text("actorId"),
      role: roles[participant.number("participantType")] ?? "other",
      in_call: (participant.maybeNumber("inCall") ?? 0) > 0,
      ...statusOf(participant),
    }))
    return { participants, ...facts }
  },
})

function statusOf(participant: Fields): { readonly status?: string } {
  const status = participant.maybeText("status")
  return status === undefined ? {} : { status }
}

/** Teams can have members outside this Nextcloud. */
const reachOfSources = {
  users: "inside",
  groups: "inside",
  circles: "outside",
  emails: "email",
  federated_users: "outside",
} as const satisfies Readonly<Record<string, ReachKind>>

const sourceWords = { users: "", groups: "the group ", circles: "the team ", emails: "", federated_users: "" } as const

const roomTypes = { one_to_one: 1, group: 2, public: 3 } as const

const createConversation = defineTool({
  name: "nc_talk_create_conversation",
  title: "Start a Talk conversation",
  description: "Creates a conversation. An existing one-to-one conversation is returned instead.",
  scopes: ["talk.write"],
  effect: "add",
  reach: {
    kinds: ["public", "inside", "outside"],
    find({ kind, name = "", invite, invite_source: source = "users" }) {
      const object = `new ${kind} ${name}`
      const open = kind === "public" ? [{ kind: "public", to: "link", object } as const] : []
      if (invite === undefined) return open
      return [...open, { kind: reachOfSources[source], to: `${source} ${invite}`, object }]
    },
  },
  input: object({
    kind: oneOf(["one_to_one", "group", "public"]),
    name: optional(text("For group and public", { least: 1, most: 255 })),
    invite: optional(text("An id; for one_to_one always a user's")),
    invite_source: optional(oneOf(["users", "groups", "circles"], "default: users")),
  }),
  output: object(conversation),
  notRecorded: "public conversations; inviting groups and teams",
  confirm: {
    requests: 0,
    verb: "Start",
    keptText: "was not started",
    readLoss: async ({ kind, name, invite, invite_source: source = "users" }) => {
      const nameText = name === undefined ? "" : ` “${name}”`
      const inviteText = invite === undefined ? "" : ` with ${sourceWords[source]}“${invite}”`
      return { what: `${kind === "public" ? "the public" : "the"} conversation${nameText}${inviteText}` }
    },
  },
  async run({ kind, name, invite, invite_source: source = "users" }, nextcloud) {
    const activity = "starting the conversation"
    const isOfUser = kind !== "one_to_one" && invite !== undefined && source === "users"
    if (isOfUser && !invitesPeople(await nextcloud.capabilities())) {
      const because = "this version of Talk can invite only groups and teams to a new conversation"
      const advice = "Start it without `invite`, then use nc_talk_add_participant."
      throw nextcloudError("unsupported", { activity, because, advice })
    }
    const json = {
      roomType: roomTypes[kind],
      ...(name === undefined ? {} : { roomName: name }),
      ...(invite === undefined ? {} : isOfUser ? { participants: { users: [invite] } } : { invite }),
      // Without `source`, Talk takes the invited id of a group conversation for that of a group.
      ...(kind === "one_to_one" || invite === undefined || source === "users" ? {} : { source }),
    }
    const { data } = await talk(nextcloud, { method: "POST", path: "/v4/room", json, activity })
    return toConversation(nextcloud, fieldsOf(data, activity))
  },
})

const addParticipant = defineTool({
  name: "nc_talk_add_participant",
  title: "Add someone to a Talk conversation",
  description: "Adds a person, a group, a team or an e-mail address to a conversation.",
  scopes: ["talk.write"],
  effect: "set",
  reach: {
    kinds: ["inside", "email", "outside"],
    find: ({ token: conversationToken, participant, source = "users" }) => [
      { kind: reachOfSources[source], to: `${source} ${participant}`, object: conversationToken },
    ],
  },
  input: object({
    token,
    participant: text("Their id or address", { least: 1 }),
    source: optional(oneOf(["users", "groups", "circles", "emails", "federated_users"], "default: users")),
  }),
  output: object({ token: text(), added: text(), url: text() }),
  notRecorded: "participants other than users",
  confirm: {
    verb: "Add",
    keptText: "was not added",
    async readLoss({ token: conversationToken, participant, source = "users" }, nextcloud) {
      const { name } = await readRoom(nextcloud, conversationToken, "adding a participant")
      return {
        what: `${sourceWords[source]}“${participant}” to the conversation “${name}”`,
        details: ["They can read what is written there, also what was written before if the conversation shows it."],
      }
    },
  },
  async run({ token: conversationToken, participant, source = "users" }, nextcloud) {
    const activity = `adding ${participant} to the conversation ${conversationToken}`
    const json = { newParticipant: participant, source }
    await talk(nextcloud, { method: "POST", path: `/v4/room/${conversationToken}/participants`, json, activity })
    return { token: conversationToken, added: participant, url: conversationLink(nextcloud, conversationToken) }
  },
})

export const conversationTools = [
  listConversations,
  getConversation,
  listParticipants,
  createConversation,
  addParticipant,
]
