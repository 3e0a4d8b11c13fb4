// One call of each tool for contacts.

import type { Nextcloud } from "../../src/api/nextcloud.ts"
import { contactTools } from "../../src/tools/contacts/contacts.ts"
import { callTool, toolOf } from "../fits.ts"
import type { Samples } from "./sample.ts"

interface Written {
  readonly uid: string
  readonly etag: string
}

export const createdContact = (nextcloud: Nextcloud, fields: object = {}): Promise<Written> =>
  callTool(
    toolOf(contactTools, "nc_contacts_create_contact"),
    { name: "Zoë Müller", emails: [{ address: "zoe@example.org", type: "home" }], ...fields },
    nextcloud,
  )

const createdBook = (nextcloud: Nextcloud): Promise<{ readonly id: string }> =>
  callTool(
    toolOf(contactTools, "nc_contacts_create_addressbook"),
    { name: "Kölner Freunde", id: `friends-${crypto.randomUUID()}` },
    nextcloud,
  )

const missing = { uid: "not-there" }

export const contactsSamples: Samples = {
  nc_contacts_list_addressbooks: { arguments: () => ({}) },
  nc_contacts_create_addressbook: {
    arguments: () => ({ name: "Kölner <Freunde> & Co", id: `book-${crypto.randomUUID()}` }),
    conflict: async ({ alice }) => ({ name: "Again", id: (await createdBook(alice)).id }),
  },
  nc_contacts_delete_addressbook: {
    arguments: async ({ alice }) => ({ addressbook: (await createdBook(alice)).id }),
    missing: { addressbook: "not-there" },
    foreign: { addressbook: "z-app-generated--contactsinteraction--recent" },
  },
  nc_contacts_list_contacts: {
    arguments: async ({ alice }) => {
      await createdContact(alice)
      return { limit: 10 }
    },
    missing: { addressbook: "not-there" },
  },
  nc_contacts_search_contacts: {
    arguments: async ({ alice }) => {
      await createdContact(alice)
      return { query: "zoë müller", addressbook: "contacts" }
    },
    missing: { query: "x", addressbook: "not-there" },
  },
  nc_contacts_get_contact: { arguments: async ({ alice }) => ({ uid: (await createdContact(alice)).uid }), missing },
  nc_contacts_create_contact: {
    arguments: () => ({ name: "Li Wei", phones: [{ number: "+49 170 1", type: "cell" }], organization: "ACME" }),
    missing: { name: "Li Wei", addressbook: "not-there" },
    foreign: { name: "Li Wei", addressbook: "z-server-generated--system" },
  },
  nc_contacts_update_contact: {
    arguments: async ({ alice }) => {
      const { uid, etag } = await createdContact(alice)
      return { uid, etag, job_title: "Boss" }
    },
    missing: { ...missing, etag: "x", note: "x" },
    conflict: async ({ alice }) => ({ uid: (await createdContact(alice)).uid, etag: "stale", note: "x" }),
  },
  nc_contacts_delete_contact: { arguments: async ({ alice }) => ({ uid: (await createdContact(alice)).uid }), missing },
}
