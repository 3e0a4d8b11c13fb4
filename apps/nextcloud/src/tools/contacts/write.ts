// Tools that create, change and delete contacts. Every write is conditional, so that no unseen change is overwritten.

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
import { addressBookId, uid, writableFields, writtenContact } from "./fields.ts"

const createContact = defineTool({
  name: "nc_contacts_create_contact",
  title: "Create a contact",
  description: "Creates a contact with the given fields.",
  scopes: ["contacts.write"],
  effect: "add",
  input: object({ name: text("The full name", { least: 1 }), ...writableFields, addressbook: addressBookId }),
  output: writtenContact,
  async run({ addressbook = usualBook, ...fields }, nextcloud) {
    const activity = `creating the contact “${fields.name}”`
    assertBirthday(fields.birthday, activity)
    const uid = crypto.randomUUID()
    const card = newCard(await loadIcal(), uid, fields, { now: new Date() })
    const path = `${await bookPath(nextcloud, addressbook, activity)}${uid}.vcf`
    const condition = { "if-none-match": "*" }
    const answer = await inBook(nextcloud, addressbook, activity, () =>
      putCard(nextcloud, { path, card, condition }, activity),
    )
    return toWrittenContact(nextcloud, addressbook, { card, answer }, activity)
  },
})

/** Validates a birthday. Without a year, 29 February is valid. */
function assertBirthday(birthday: string | undefined, activity: string): void {
  if (birthday === undefined || birthday === "") return
  const day = birthday.replace(/^--/, "2000-")
  const date = new Date(`${day}T00:00:00Z`)
  if (!Number.isNaN(date.getTime()) && date.toISOString().startsWith(day)) return
  const advice = "Write 1990-04-01, or --04-01 without the year."
  throw nextcloudError("invalid", { activity, because: `“${birthday}” is not a date`, advice })
}

const updateContact = defineTool({
  name: "nc_contacts_update_contact",
  title: "Change a contact",
  description: "Changes only the given fields. A list replaces the whole list; an empty value removes a field.",
  scopes: ["contacts.write"],
  effect: "change",
  input: object({
    uid,
    etag: text("As it was read"),
    name: optional(text("The full name", { least: 1 })),
    ...writableFields,
    addressbook: addressBookId,
  }),
  output: writtenContact,
  requests: 2,
  requestsNote: "One more for a vCard 4.0, because searches return it converted.",
  async run({ uid, etag, addressbook = usualBook, ...changes }, nextcloud) {
    const activity = `changing the contact ${uid}`
    if (Object.values(changes).every((value) => value === undefined))
      throw nextcloudError("invalid", { activity, because: "there is nothing to change" })
    assertBirthday(changes.birthday, activity)
    const storedCard = await findCard(nextcloud, addressbook, uid, activity)
    const conflict = (current: StoredCard) =>
      nextcloudError("conflict", { status: 412, activity, current: toFullContact(nextcloud, addressbook, current) })
    if (storedCard.etag !== toEtag(etag)) throw conflict(storedCard)
    const card = changeCard(await loadIcal(), storedCard.card, changes, { now: new Date() })
    const path = belowServer(nextcloud, storedCard.href)
    const condition = { "if-match": `"${storedCard.etag}"` }
    const answer = await inBook(nextcloud, addressbook, activity, () =>
      putCard(nextcloud, { path, card, condition }, activity),
    )
    if (answer.status === 412) throw conflict(await findCard(nextcloud, addressbook, uid, activity))
    return toWrittenContact(nextcloud, addressbook, { card, answer }, activity)
  },
})

interface CardWrite {
  readonly path: string
  readonly card: Card
  readonly condition: Readonly<Record<string, string>>
}

function putCard(nextcloud: Nextcloud, { path, card, condition }: CardWrite, activity: string): Promise<NcAnswer> {
  const headers = { "content-type": "text/vcard; charset=utf-8", ...condition }
  const accept = "if-match" in condition ? [412] : []
  return davSend(nextcloud, { method: "PUT", path, body: writeCard(card), headers, activity, accept })
}

/** The output after a write. A server that modified the card returns no etag; the card is then read again. */
async function toWrittenContact(
  nextcloud: Nextcloud,
  addressbook: string,
  { card, answer }: { readonly card: Card; readonly answer: NcAnswer },
  activity: string,
) {
  const { uid, name } = toContact(card)
  const responseEtag = toEtag(answer.headers.get("etag"))
  const etag = responseEtag === "" ? (await findCard(nextcloud, addressbook, uid, activity)).etag : responseEtag
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
    const activity = `deleting the contact ${uid}`
    const storedCard = await findCard(nextcloud, addressbook, uid, activity)
    const headers = { "if-match": `"${loss?.guard ?? storedCard.etag}"` }
    const path = belowServer(nextcloud, storedCard.href)
    const { status } = await inBook(nextcloud, addressbook, activity, () =>
      davSend(nextcloud, { method: "DELETE", path, headers, activity, accept: [412] }),
    )
    if (status === 412)
      throw nextcloudError("conflict", { status, activity, current: toFullContact(nextcloud, addressbook, storedCard) })
    return { deleted: toContact(storedCard.card).name }
  },
})

export const writeTools = [createContact, updateContact, deleteContact]
