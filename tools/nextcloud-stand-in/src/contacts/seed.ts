// Initial contacts of alice and bob: cards of version 3 and 4, with several fields each.

import type { World } from "../world.ts"
import { contactsOf } from "./store.ts"

/** The lines of each card, by the name of the card. */
const cardsOfAlice: Readonly<Record<string, readonly string[]>> = {
  zoe: [
    "VERSION:3.0",
    "UID:zoe-mueller",
    "FN:Zoë Müller",
    "N:Müller;Zoë;;;",
    "NICKNAME:Zo",
    "EMAIL;TYPE=HOME:zoe@example.net",
    "EMAIL;TYPE=WORK:z.mueller@acme.example",
    "TEL;TYPE=CELL:+49 170 1234567",
    "ADR;TYPE=HOME:;;Hauptstraße 1;Köln;;50667;Deutschland",
    "ORG:ACME;Research",
    "TITLE:Chemist",
    "BDAY:19900401",
    "CATEGORIES:Friends,Climbing",
    "NOTE:Met in Zürich.\\nLikes foxes 🦊",
  ],
  bob: [
    "VERSION:3.0",
    "UID:bob-example",
    "FN:Bob Example",
    "N:Example;Bob;;;",
    "EMAIL;TYPE=WORK:bob@example.org",
    "TEL;TYPE=WORK,VOICE:+44 20 7946 0101",
    "ORG:Example Ltd;Imports",
    "TITLE:Engineer",
    "CATEGORIES:Work",
  ],
  li: [
    "VERSION:4.0",
    "UID:urn:uuid:5d4bd1a2-6d18-4c9b-9f0e-9d0a1f7a7c11",
    "FN:李 小龙",
    "N:李;小龙;;;",
    "EMAIL;PREF=1:li@example.cn",
    "TEL;VALUE=uri;TYPE=cell:tel:+86-10-5550-1234",
    "ADR;TYPE=home:;;长安街 1;北京;;100000;中国",
    "BDAY:19881120",
    "LANG:zh",
  ],
  amelie: [
    "VERSION:4.0",
    "UID:amelie-laurent",
    "FN:Amélie Laurent",
    "N:Laurent;Amélie;;Dr.;",
    "EMAIL:amelie@laurent.example",
    "ORG:Université de Lyon",
    "ROLE:Reviewer",
    "URL:https://laurent.example",
    "CATEGORIES:Work,Reviewers",
  ],
  mum: [
    "VERSION:3.0",
    "UID:mum",
    "FN:Mum",
    "N:Example;Ruth;;;",
    "TEL;TYPE=HOME:+49 221 555 0199",
    "BDAY:1958-09-12",
    "CATEGORIES:Family",
  ],
  plumber: [
    "VERSION:3.0",
    "UID:plumber",
    "FN:Rohr & Söhne",
    "N:;;;;",
    "ORG:Rohr & Söhne GmbH",
    "TEL;TYPE=WORK:+49 221 555 0142",
    "X-CUSTOMER-NUMBER:4711",
    "NOTE:Ask for Jürgen\\, weekdays only",
  ],
}

const familyCardsOfAlice: Readonly<Record<string, readonly string[]>> = {
  olga: [
    "VERSION:3.0",
    "UID:olga",
    "FN:Ольга Иванова",
    "N:Иванова;Ольга;;;",
    "EMAIL:olga@example.net",
    "BDAY:19610203",
    "RELATED;TYPE=sibling:urn:uuid:mum",
  ],
  noor: ["VERSION:4.0", "UID:noor", "FN:نور حداد", "N:حداد;نور;;;", "EMAIL:noor@example.net", "ANNIVERSARY:20150620"],
}

const cardsOfBob: Readonly<Record<string, readonly string[]>> = {
  alice: [
    "VERSION:3.0",
    "UID:alice-example",
    "FN:Alice Example",
    "N:Example;Alice;;;",
    "EMAIL;TYPE=WORK:alice@example.org",
    "BDAY:19920715",
  ],
  garage: ["VERSION:3.0", "UID:garage", "FN:Garage Dupont", "N:;;;;", "TEL;TYPE=WORK:+33 4 7255 0111"],
}

export function seedContacts(world: World): void {
  const contacts = contactsOf(world)
  contacts.add("alice", "family", "Family")
  const addCards = (user: string, addressBook: string, cards: Readonly<Record<string, readonly string[]>>): void => {
    for (const [name, lines] of Object.entries(cards)) {
      contacts.put(user, addressBook, `${name}.vcf`, ["BEGIN:VCARD", ...lines, "END:VCARD", ""].join("\r\n"))
    }
  }
  addCards("alice", "contacts", cardsOfAlice)
  addCards("alice", "family", familyCardsOfAlice)
  addCards("bob", "contacts", cardsOfBob)
}
