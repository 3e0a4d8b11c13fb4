// Where the tools of the peer server about access are found here.

export const accessPeer: Readonly<Record<string, string>> = {
  nc_auth_provision_access: "not needed: the call asks by itself; provision_nextcloud_access gives the link",
  nc_auth_check_status: "check_provisioning_status",
  nc_auth_update_scopes: "not needed: the call that needs more asks for it; people take away on their account page",
  provision_nextcloud_access: "provision_nextcloud_access (takes scopes)",
  revoke_nextcloud_access: "revoke_nextcloud_access (asks first; deletes the app password at Nextcloud, too)",
  check_provisioning_status: "check_provisioning_status (status, account, scopes, since)",
  check_logged_in: "check_logged_in",
}
