// The peer server's sharing tools, and what replaces each of them here.

export const sharingPeer: Readonly<Record<string, string>> = {
  nc_share_create:
    "nc_sharing_create_share (share_with became `with`, share_type `kind`, permissions became words in `can`)",
  nc_share_create_public_link: "nc_sharing_create_public_link (`expires` is a date, because Nextcloud counts days)",
  nc_share_delete: "nc_sharing_delete_share",
  nc_share_get: "nc_sharing_get_share",
  nc_share_list: "nc_sharing_list_shares",
  nc_share_update: "nc_sharing_update_share (permissions became words in `can`)",
}
