// The properties of address books and of their cards.

import type { Call } from "../area.ts"
import { hrefXml, type Properties, type PropertyName, privileges, type Resource } from "../collections/answers.ts"
import { toToken } from "../collections/requests.ts"
import { folderResource, itemResource } from "../collections/resources.ts"
import type { Item } from "../collections/store.ts"
import { xml } from "../xml.ts"
import { type AddressBook, recentBook, systemBook } from "./store.ts"

const readPrivileges = ["d:read", "d:read-acl", "d:read-current-user-privilege-set"]
const writePrivileges = ["d:write", "d:write-content", "d:unlock", "d:bind", "d:unbind", "d:write-acl"]

const dataTypes = {
  xml: [
    ["text/vcard", "3.0"],
    ["text/vcard", "4.0"],
    ["application/vcard+json", "4.0"],
  ]
    .map(([type, version]) => `<card:address-data-type content-type="${type}" version="${version}"/>`)
    .join(""),
}

export function homeResource(call: Call, path: string): Resource {
  return folderResource(call, path, {
    kind: { xml: "<d:collection/>" },
    rights: ["d:all", "d:write-properties", ...writePrivileges, ...readPrivileges],
  })
}

export function bookResource(call: Call, path: string, addressBook: AddressBook): Resource {
  const rights = addressBook.generated ? [] : ["d:write-properties", ...writePrivileges]
  const isRecent = addressBook.uri === recentBook
  const properties: Properties = {
    "{DAV:}resourcetype": { xml: "<d:collection/><card:addressbook/>" },
    "{DAV:}current-user-principal": hrefXml(call, `principals/users/${call.user?.id}/`),
    "{DAV:}owner": hrefXml(call, `principals/users/${addressBook.owner}/`),
    "{DAV:}current-user-privilege-set": privileges([
      ...(addressBook.uri === systemBook ? ["d:write-properties"] : rights),
      ...readPrivileges,
    ]),
    "{urn:ietf:params:xml:ns:carddav}supported-address-data": dataTypes,
    "{http://calendarserver.org/ns/}getctag": xml`${isRecent ? toToken(addressBook.token) : addressBook.token}`,
    ...(!isRecent && {
      "{DAV:}sync-token": xml`${toToken(addressBook.token)}`,
      "{http://sabredav.org/ns}sync-token": xml`${addressBook.token}`,
      "{http://owncloud.org/ns}owner-principal": xml`principals/users/${addressBook.owner}`,
    }),
    ...Object.fromEntries(addressBook.properties),
  }
  return { path, defaultProperties: addressBook.generated ? ["{DAV:}resourcetype"] : defaultsOfBook, properties }
}

const defaultsOfBook: readonly PropertyName[] = [
  "{DAV:}resourcetype",
  "{DAV:}displayname",
  "{urn:ietf:params:xml:ns:carddav}addressbook-description",
  "{http://calendarserver.org/ns/}getctag",
  "{http://sabredav.org/ns}sync-token",
  "{http://owncloud.org/ns}owner-principal",
]

export const cardType = "text/vcard; charset=utf-8"

/** `text` is the card in the requested form. */
export function cardResource(path: string, item: Item, text: string): Resource {
  return itemResource(path, item, cardType, { "{urn:ietf:params:xml:ns:carddav}address-data": xml`${text}` })
}
