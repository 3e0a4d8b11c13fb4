// The peer server's Talk tools, and what replaces each of them here.

export const talkPeer: Readonly<Record<string, string>> = {
  talk_list_conversations: "nc_talk_list_conversations",
  talk_get_conversation: "nc_talk_get_conversation",
  talk_get_messages: "nc_talk_get_messages (last_known_message_id became `cursor`)",
  talk_list_participants: "nc_talk_list_participants",
  talk_send_message: "nc_talk_send_message",
  talk_mark_as_read: "nc_talk_mark_as_read",
  talk_create_conversation: "nc_talk_create_conversation",
  talk_add_participant: "nc_talk_add_participant",
  talk_list_reactions: "nc_talk_list_reactions",
  talk_react: "nc_talk_react",
  talk_remove_reaction: "nc_talk_react with on: false",
}
