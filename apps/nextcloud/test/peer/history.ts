// The peer server's tools for comments on files, and what replaces each of them here.

export const historyPeer: Readonly<Record<string, string>> = {
  nc_webdav_list_comments: "nc_files_list_comments (offset became `cursor`)",
  nc_webdav_create_comment: "nc_files_create_comment",
}
