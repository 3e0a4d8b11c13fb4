// The peer server's contacts tools, and what replaces each of them here.

export const contactsPeer: Readonly<Record<string, string>> = {
  nc_contacts_list_addressbooks: "nc_contacts_list_addressbooks",
  nc_contacts_list_contacts: "nc_contacts_list_contacts",
  nc_contacts_search_contacts: "nc_contacts_search_contacts",
  nc_contacts_create_addressbook: "nc_contacts_create_addressbook (people see `name`; `id` is the name in addresses)",
  nc_contacts_delete_addressbook: "nc_contacts_delete_addressbook (addressbook in place of name)",
  nc_contacts_create_contact: "nc_contacts_create_contact (named fields in place of contact_data; returns the uid)",
  nc_contacts_delete_contact: "nc_contacts_delete_contact",
  nc_contacts_update_contact: "nc_contacts_update_contact (named fields in place of contact_data; etag is required)",
}
