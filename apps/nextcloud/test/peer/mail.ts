// The peer server's mail tools, and what replaces each of them here. Mail's documented API cannot tag, move or delete.

export const mailPeer: Readonly<Record<string, string>> = {
  nc_mail_list_accounts: "nc_mail_list_accounts",
  nc_mail_list_mailboxes: "nc_mail_list_mailboxes",
  nc_mail_list_messages:
    "nc_mail_list_messages (unread_only, starred_only, from, to, subject, since, until in place of search_filter)",
  nc_mail_get_message: "nc_mail_get_message",
  nc_mail_send_message: "nc_mail_send_message (references became `reference`; sends only plain text, and asks first)",
  nc_mail_get_attachment: "nc_mail_get_attachment",
  nc_mail_get_message_source: "nc_mail_get_message_source",
  nc_mail_set_flags: "nc_mail_set_flags (seen became `read`, flagged `starred`; answered and junk cannot be set)",
}
