// Tools that list, create and delete address books.

import { davSend } from "../../api/dav.ts"
import { nextcloudError } from "../../api/error.ts"
import { flag, integer, list, object, optional, text } from "../../schema.ts"
import { defineTool } from "../../tool.ts"
import { toDocument, xml } from "../../xml.ts"
import { bookPath, inBook, readBook, readBooks } from "./api.ts"

const listAddressbooks = defineTool({
  name: "nc_contacts_list_addressbooks",
  title: "List address books",
  description: "The user's address books, and those shared with them.",
  scopes: ["contacts.read"],
  effect: "read",
  input: object({}),
  output: object({
    addressbooks: list(object({ id: text(), name: text(), description: optional(text()), can_write: flag() })),
    total: integer(),
  }),
  async run(_, nextcloud) {
    const addressbooks = await readBooks(nextcloud)
    return { addressbooks, total: addressbooks.length }
  },
})

const createAddressbook = defineTool({
  name: "nc_contacts_create_addressbook",
  title: "Create an address book",
  description: "Creates an empty address book. Fails if the id is taken.",
  scopes: ["contacts.write"],
  effect: "add",
  input: object({
    name: text("As people see it", { least: 1 }),
    id: optional(text("For its address; default: made from the name", { pattern: "^[a-z0-9-]{1,100}$" })),
    description: optional(text()),
  }),
  output: object({ id: text(), name: text() }),
  async run({ name, id = toId(name), description }, nextcloud) {
    const activity = `creating the address book “${name}”`
    const descriptionProp =
      description === undefined
        ? undefined
        : xml`<card:addressbook-description>${description}</card:addressbook-description>`
    const kind = xml`<d:resourcetype><d:collection/><card:addressbook/></d:resourcetype>`
    const prop = xml`${kind}<d:displayname>${name}</d:displayname>${descriptionProp}`
    const body = toDocument("d:mkcol", xml`<d:set><d:prop>${prop}</d:prop></d:set>`)
    const path = await bookPath(nextcloud, id, activity)
    const { status } = await davSend(nextcloud, { method: "MKCOL", path, body, activity, accept: [405] })
    if (status === 405) {
      const advice = "Use the existing one, or give another `id`."
      const { guard: _, ...currentBook } = await readBook(nextcloud, id, activity)
      throw nextcloudError("conflict", {
        activity,
        status,
        because: `there is already an address book “${id}”`,
        advice,
        current: currentBook,
      })
    }
    if (status !== 201) throw nextcloudError("malformed", { activity, status })
    return { id, name }
  },
})

/** An id made of the letters and digits of a name, or a random one when it has none. */
function toId(name: string): string {
  const baseName = name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase()
  return (
    baseName
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-+|-+$/g, "")
      .slice(0, 60) || crypto.randomUUID()
  )
}

const deleteAddressbook = defineTool({
  name: "nc_contacts_delete_addressbook",
  title: "Delete an address book",
  description: "Deletes an address book with all its contacts, for good.",
  scopes: ["contacts.write"],
  effect: "remove",
  input: object({ addressbook: text("Its id") }),
  output: object({ deleted: text(), contacts: integer() }),
  requests: 2,
  confirm: {
    verb: "Delete",
    async readLoss({ addressbook }, nextcloud) {
      const activity = `reading the address book ${addressbook}`
      const { name, owner, cards, guard } = await readBook(nextcloud, addressbook, activity)
      const lossDetails = [`${cards} ${cards === 1 ? "contact" : "contacts"} in it.`, "It cannot be undone."]
      const sharedLossDetails = [`It belongs to ${owner}: it is only removed from your list, and nothing is lost.`]
      return {
        what: `the address book “${name}”`,
        details: owner === undefined ? lossDetails : sharedLossDetails,
        guard,
      }
    },
  },
  async run({ addressbook }, nextcloud, { loss }) {
    const activity = `deleting the address book ${addressbook}`
    const { name, cards, guard } = await readBook(nextcloud, addressbook, activity)
    if (loss?.guard !== undefined && loss.guard !== guard) {
      const advice = "Call again, so that the user sees its current content."
      throw nextcloudError("conflict", { activity, advice, current: { id: addressbook, name, contacts: cards } })
    }
    const path = await bookPath(nextcloud, addressbook, activity)
    await inBook(nextcloud, addressbook, activity, () => davSend(nextcloud, { method: "DELETE", path, activity }))
    return { deleted: name, contacts: cards }
  },
})

export const bookTools = [listAddressbooks, createAddressbook, deleteAddressbook]
