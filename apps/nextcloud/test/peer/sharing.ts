// For those who come from the peer server: its tools for sharing, and ours.

export const sharingPeer: Readonly<Record<string, string>> = {
  nc_share_create:
    "nc_sharing_create_share (share_with is `with`, share_type is `kind`, permissions are words in `can`)",
  nc_share_create_public_link: "nc_sharing_create_public_link (Nextcloud counts days: `expires` is a date)",
  nc_share_delete: "nc_sharing_delete_share",
  nc_share_get: "nc_sharing_get_share",
  nc_share_list: "nc_sharing_list_shares",
  nc_share_update: "nc_sharing_update_share (permissions are words in `can`)",
}
