// Tools that create, change and delete contacts. A card is never overwritten unseen.

import { davSend } from "../../api/dav.ts"
import { nextcloudError } from "../../api/error.ts"
import type { NcAnswer, Nextcloud } from "../../api/nextcloud.ts"
import { object, optional, text } from "../../schema.ts"
import { defineTool } from "../../tool.ts"
import type { Card } from "../../vcard/card.ts"
import { loadIcal, writeCard } from "../../vcard/card.ts"
import { changeCard, newCard } from "../../vcard/change.ts"
import { toContact } from "../../vcard/contact.ts"
import type { StoredCard } from "./api.ts"
import { belowServer, bookPath, contactLink, findCard, inBook, toEtag, toFullContact, usualBook } from "./api.ts"
import { addressBookId, done, uid, written } from "./fields.ts"

const createContact = defineTool({
  name: "nc_contacts_create_contact",
  title: "Create a contact",
  description: "Creates a contact with the given fields.",
  scopes: ["contacts.write"],
  effect: "add",
  input: object({ name: text("The full name", { least: 1 }), ...written, addressbook: addressBookId }),
  output: done,
  async run({ addressbook = usualBook, ...fields }, nextcloud) {
    const doing = `creating the contact “${fields.name}”`
    assertBirthday(fields.birthday, doing)
    const uid = crypto.randomUUID()
    const card = newCard(await loadIcal(), uid, fields, { now: new Date() })
    const path = `${await bookPath(nextcloud, addressbook, doing)}${uid}.vcf`
    const condition = { "if-none-match": "*" }
    const answer = await inBook(nextcloud, addressbook, doing, () =>
      putCard(nextcloud, { path, card, condition }, doing),
    )
    return toDone(nextcloud, addressbook, { card, answer }, doing)
  },
})

/** Validates a birthday. Without a year, 29 February is valid. */
function assertBirthday(birthday: string | undefined, doing: string): void {
  if (birthday === undefined || birthday === "") return
  const day = birthday.replace(/^--/, "2000-")
  const date = new Date(`${day}T00:00:00Z`)
  if (!Number.isNaN(date.getTime()) && date.toISOString().startsWith(day)) return
  const advice = "Write 1990-04-01, or --04-01 without the year."
  throw nextcloudError("invalid", { doing, because: `“${birthday}” is not a date`, advice })
}

const updateContact = defineTool({
  name: "nc_contacts_update_contact",
  title: "Change a contact",
  description: "Changes only the given fields. A list replaces the whole list; empty removes the field.",
  scopes: ["contacts.write"],
  effect: "change",
  input: object({
    uid,
    etag: text("As it was read"),
    name: optional(text("The full name", { least: 1 })),
    ...written,
    addressbook: addressBookId,
  }),
  output: done,
  requests: 2,
  requestsNote: "One more for a card of version 4, which the server converts when it is searched.",
  async run({ uid, etag, addressbook = usualBook, ...changes }, nextcloud) {
    const doing = `changing the contact ${uid}`
    if (Object.values(changes).every((value) => value === undefined))
      throw nextcloudError("invalid", { doing, because: "there is nothing to change" })
    assertBirthday(changes.birthday, doing)
    const stored = await findCard(nextcloud, addressbook, uid, doing)
    const conflict = (current: StoredCard) =>
      nextcloudError("conflict", { status: 412, doing, current: toFullContact(nextcloud, addressbook, current) })
    if (stored.etag !== toEtag(etag)) throw conflict(stored)
    const card = changeCard(await loadIcal(), stored.card, changes, { now: new Date() })
    const path = belowServer(nextcloud, stored.href)
    const condition = { "if-match": `"${stored.etag}"` }
    const answer = await inBook(nextcloud, addressbook, doing, () =>
      putCard(nextcloud, { path, card, condition }, doing),
    )
    if (answer.status === 412) throw conflict(await findCard(nextcloud, addressbook, uid, doing))
    return toDone(nextcloud, addressbook, { card, answer }, doing)
  },
})

interface CardWrite {
  readonly path: string
  readonly card: Card
  readonly condition: Readonly<Record<string, string>>
}

function putCard(nextcloud: Nextcloud, { path, card, condition }: CardWrite, doing: string): Promise<NcAnswer> {
  const headers = { "content-type": "text/vcard; charset=utf-8", ...condition }
  const accept = "if-match" in condition ? [412] : []
  return davSend(nextcloud, { method: "PUT", path, body: writeCard(card), headers, doing, accept })
}

/** The output after a write. A server that modified the card returns no etag; the card is then read again. */
async function toDone(
  nextcloud: Nextcloud,
  addressbook: string,
  { card, answer }: { readonly card: Card; readonly answer: NcAnswer },
  doing: string,
) {
  const { uid, name } = toContact(card)
  const responseEtag = toEtag(answer.headers.get("etag"))
  const etag = responseEtag === "" ? (await findCard(nextcloud, addressbook, uid, doing)).etag : responseEtag
  return { uid, addressbook, name, etag, url: contactLink(nextcloud, addressbook, uid) }
}

const deleteContact = defineTool({
  name: "nc_contacts_delete_contact",
  title: "Delete a contact",
  description: "Deletes a contact for good.",
  scopes: ["contacts.write"],
  effect: "remove",
  input: object({ uid, addressbook: addressBookId }),
  output: object({ deleted: text("Its name") }),
  requests: 2,
  notRecorded: "If-Match when deleting.",
  confirm: {
    verb: "Delete",
    async readLoss({ uid, addressbook = usualBook }, nextcloud) {
      const { card, etag } = await findCard(nextcloud, addressbook, uid, `reading the contact ${uid}`)
      const { name, emails, phones, organization } = toContact(card)
      const facts = [
        ...emails.map(({ address }) => address),
        ...phones.map(({ number }) => number),
        ...(organization === undefined ? [] : [organization]),
      ]
      const details = [...(facts.length === 0 ? [] : [facts.join(" · ")]), "It cannot be undone."]
      return { what: `the contact “${name}”`, details, guard: etag }
    },
  },
  async run({ uid, addressbook = usualBook }, nextcloud, { loss }) {
    const doing = `deleting the contact ${uid}`
    const stored = await findCard(nextcloud, addressbook, uid, doing)
    const headers = { "if-match": `"${loss?.guard ?? stored.etag}"` }
    const path = belowServer(nextcloud, stored.href)
    const { status } = await inBook(nextcloud, addressbook, doing, () =>
      davSend(nextcloud, { method: "DELETE", path, headers, doing, accept: [412] }),
    )
    if (status === 412)
      throw nextcloudError("conflict", { status, doing, current: toFullContact(nextcloud, addressbook, stored) })
    return { deleted: toContact(stored.card).name }
  },
})

export const writeTools = [createContact, updateContact, deleteContact]
