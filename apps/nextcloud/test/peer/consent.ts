// The peer server's access tools, and what replaces each of them here.

export const accessPeer: Readonly<Record<string, string>> = {
  nc_auth_provision_access: "not needed: the call itself asks; provision_nextcloud_access returns the link",
  nc_auth_check_status: "check_provisioning_status",
  nc_auth_update_scopes:
    "not needed: a call that needs more scopes asks for them; people remove scopes on their account page",
  provision_nextcloud_access: "provision_nextcloud_access (takes scopes)",
  revoke_nextcloud_access: "revoke_nextcloud_access (asks first; also deletes the app password at Nextcloud)",
  check_provisioning_status: "check_provisioning_status (returns status, account, scopes, since)",
  check_logged_in: "check_logged_in",
}
