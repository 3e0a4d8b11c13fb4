// Which tool does here what the peer server's tools of Mail do. Tags, moving and deleting are not in Mail's documented API.

export const mailPeer: Readonly<Record<string, string>> = {
  nc_mail_list_accounts: "nc_mail_list_accounts",
  nc_mail_list_mailboxes: "nc_mail_list_mailboxes",
  nc_mail_list_messages:
    "nc_mail_list_messages (search_filter: unread_only, starred_only, from, to, subject, since, until)",
  nc_mail_get_message: "nc_mail_get_message",
  nc_mail_send_message: "nc_mail_send_message (references: reference; always plain text, and asks first)",
  nc_mail_get_attachment: "nc_mail_get_attachment",
  nc_mail_get_message_source: "nc_mail_get_message_source",
  nc_mail_set_flags: "nc_mail_set_flags (seen: read, flagged: starred; not answered and junk)",
}
