// The peer server's notes tools, and what replaces each of them here.

export const notesPeer: Readonly<Record<string, string>> = {
  nc_notes_create_note: "nc_notes_create_note",
  nc_notes_update_note: "nc_notes_update_note (unchanged fields can be left out)",
  nc_notes_append_content: "nc_notes_append_content",
  nc_notes_search_notes: "nc_notes_search_notes",
  nc_notes_get_note: "nc_notes_get_note",
  nc_notes_get_attachment: "nc_notes_get_attachment (filename in place of attachment_filename)",
  nc_notes_delete_note: "nc_notes_delete_note",
}
