// One call of each tool of Talk. The stand-in answers from recordings: the conversation dsyrd5bs, the message 78.

import type { Samples } from "./sample.ts"

const token = "dsyrd5bs"

export const talkSamples: Samples = {
  nc_talk_list_conversations: { arguments: () => ({}) },
  nc_talk_get_conversation: { arguments: () => ({ token }), missing: { token: "nonexist" } },
  nc_talk_list_participants: { arguments: () => ({ token }) },
  nc_talk_create_conversation: { arguments: () => ({ kind: "one_to_one", invite: "bob" }) },
  nc_talk_add_participant: { arguments: () => ({ token, participant: "bob" }) },
  nc_talk_get_messages: { arguments: () => ({ token, limit: 4 }) },
  nc_talk_send_message: {
    arguments: () => ({ token, message: "Hello" }),
    missing: { token: "nonexist", message: "x" },
  },
  nc_talk_mark_as_read: { arguments: () => ({ token }) },
  nc_talk_list_reactions: { arguments: () => ({ token, message_id: 78 }) },
  nc_talk_react: { arguments: () => ({ token, message_id: 78, reaction: "👍" }) },
}
