// For those who come from the peer server: its tools for comments, and ours.

export const historyPeer: Readonly<Record<string, string>> = {
  nc_webdav_list_comments: "nc_files_list_comments (offset is `cursor`)",
  nc_webdav_create_comment: "nc_files_create_comment",
}
