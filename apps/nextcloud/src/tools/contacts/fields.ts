// The fields of a contact in tool inputs and outputs.

import { flag, list, object, optional, text } from "../../schema.ts"

const email = object({ address: text(), type: optional(text()) })
const phone = object({ number: text(), type: optional(text()) })
const address = object({
  street: optional(text()),
  city: optional(text()),
  region: optional(text()),
  postcode: optional(text()),
  country: optional(text()),
  type: optional(text()),
})

const singleFields = {
  first_name: optional(text()),
  last_name: optional(text()),
  nickname: optional(text()),
  organization: optional(text()),
  department: optional(text()),
  job_title: optional(text()),
  note: optional(text()),
}

const typedEmail = object({ address: text(undefined, { least: 1 }), type: optional(text("home, work or any label")) })
const typedPhone = object({ number: text(undefined, { least: 1 }), type: optional(text("cell, home, work …")) })

/** The input fields for creating and changing a contact. */
export const writableFields = {
  ...singleFields,
  emails: optional(list(typedEmail)),
  phones: optional(list(typedPhone)),
  addresses: optional(list(address)),
  birthday: optional(text("1990-04-01, or --04-01 without year", { pattern: "^((\\d{4}|-)-\\d\\d-\\d\\d)?$" })),
  urls: optional(list(text())),
  categories: optional(list(text())),
}

export const fullContact = object({
  uid: text(),
  addressbook: text(),
  etag: text(),
  name: text(),
  ...singleFields,
  emails: list(email),
  phones: list(phone),
  addresses: list(address),
  birthday: optional(text()),
  urls: list(text()),
  categories: list(text()),
  has_photo: flag(),
  url: text(),
})

/** The output after a write. */
export const writtenContact = object({ uid: text(), addressbook: text(), name: text(), etag: text(), url: text() })

export const shortContact = object({
  uid: text(),
  addressbook: text(),
  name: text(),
  emails: list(text()),
  phones: list(text()),
  organization: optional(text()),
  url: text(),
})

export const addressBookId = optional(text("Its id; default: “contacts”"))
export const uid = text("Of the contact", { least: 1 })
