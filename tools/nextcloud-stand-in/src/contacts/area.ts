// Contacts over CardDAV, as a real server answers: each person's address books, the system address book of all
// accounts, cards and reports.

import type { Area, Call, Reply, User } from "../area.ts"
import {
  answerFor,
  badRequest,
  failure,
  multistatus,
  nameOf,
  noNode,
  notAllowed,
  notFound,
  notImplemented,
  options,
  success,
  unknownReport,
  unsupported,
} from "../collections/answers.ts"
import {
  documentOf,
  download,
  etagOf,
  findFailedCondition,
  isReply,
  propertiesToSet,
  propfind,
  proppatch,
  requestedNamesIn,
  textOfBody,
} from "../collections/requests.ts"
import { contentOf } from "../collections/resources.ts"
import { hasUid, type Item, touch } from "../collections/store.ts"
import { decodeSegment } from "../decode-segment.ts"
import { carddav, childOf, childrenOf, dav, type Element, textOf } from "../xml.ts"
import { type CardOptions, check, toReportedCard } from "./card.ts"
import { matchesFilter } from "./filter.ts"
import { bookResource, cardResource, cardType, homeResource } from "./properties.ts"
import { type AddressBook, contactsOf } from "./store.ts"

/** The server's capabilities, sent with every list of properties. */
const davHeader = {
  dav: "1, 3, extended-mkcol, access-control, calendarserver-principal-property-search, oc-resource-sharing, addressbook, nc-paginate, nextcloud-checksum-update, nc-calendar-search, nc-enable-birthday-calendar, 2",
}

export const contactsArea: Area = (call) => {
  const pathGroups = /^\/remote\.php\/dav\/addressbooks\/users\/(?<rest>.*)$/.exec(call.path)?.groups
  if (call.user === undefined || pathGroups === undefined) return undefined
  const parts = (pathGroups.rest ?? "").split("/").filter((part) => part !== "")
  const reply = answerInBooks(call, call.user, parts.map(decodeSegment))
  return call.method === "PROPFIND" ? { ...reply, headers: { ...reply.headers, ...davHeader } } : reply
}

const noBook = (uri: string): Reply => notFound(`Addressbook with name '${uri}' could not be found`)

/** Answers for a path below `addressbooks/users/`, which is given as its segments. */
function answerInBooks(call: Call, user: User, [home = "", uri, name]: readonly string[]): Reply {
  if (call.method === "OPTIONS") return options(davHeader.dav)
  if (home !== user.id) return uri === undefined || call.method === "MKCOL" ? noNode(home) : noBook(uri)
  const contacts = contactsOf(call.world)
  const path = `addressbooks/users/${user.id}/`
  if (uri === undefined) {
    const books = () =>
      contacts.list(user.id).map((addressBook) => bookResource(call, `${path}${addressBook.uri}/`, addressBook))
    return call.method === "PROPFIND" ? propfind(call, () => [homeResource(call, path), ...books()]) : notImplemented()
  }
  const addressBook = contacts.find(user.id, uri)
  if (call.method === "MKCOL") return createBook(call, user, uri, addressBook)
  if (addressBook === undefined) return noBook(uri)
  return name === undefined
    ? atBook(call, `${path}${uri}/`, addressBook)
    : atCard(call, `${path}${uri}/${name}`, addressBook, name)
}

function createBook(call: Call, user: User, uri: string, addressBook: AddressBook | undefined): Reply {
  if (addressBook !== undefined) return notAllowed("The resource you tried to create already exists")
  const document = call.body.length === 0 ? undefined : documentOf(call)
  if (document !== undefined && isReply(document)) return document
  const set = document === undefined ? new Map() : propertiesToSet(document)
  const kinds = set.get("{DAV:}resourcetype")?.children ?? []
  if (!kinds.some(({ name }: Element) => name === "addressbook")) {
    return notAllowed("Creating collections in this collection is not allowed")
  }
  const newBook = contactsOf(call.world).add(user.id, uri)
  for (const [property, value] of set) {
    if (property !== "{DAV:}resourcetype") newBook.properties.set(property, contentOf(value))
  }
  return success(201)
}

function atBook(call: Call, path: string, addressBook: AddressBook): Reply {
  switch (call.method) {
    case "PROPFIND":
      return propfind(call, () => [
        bookResource(call, path, addressBook),
        ...[...addressBook.items.values()].map((item) => cardResource(`${path}${item.name}`, item, item.text)),
      ])
    case "REPORT":
      return report(call, path, addressBook)
    case "PROPPATCH":
      return patchBook(call, path, addressBook)
    case "DELETE":
      if (addressBook.generated) return failure(403, "Forbidden", "")
      contactsOf(call.world).removeBook(addressBook.owner, addressBook.uri)
      return success(204)
    default:
      return notImplemented()
  }
}

function patchBook(call: Call, path: string, addressBook: AddressBook): Reply {
  const reply = proppatch(call, path, (property, value) => {
    if (value === undefined) addressBook.properties.delete(property)
    else addressBook.properties.set(property, contentOf(value))
  })
  touch(addressBook)
  return reply
}

function atCard(call: Call, path: string, addressBook: AddressBook, name: string): Reply {
  const item = addressBook.items.get(name)
  if (call.method === "PUT") return putCard(call, addressBook, name)
  if (item === undefined) return notFound("Card not found")
  switch (call.method) {
    case "GET":
    case "HEAD":
      return download(call, item, cardType)
    case "PROPFIND":
      return propfind(call, () => [cardResource(path, item, item.text)])
    case "DELETE":
      return addressBook.generated
        ? noNode(addressBook.uri)
        : (findFailedCondition(call, item) ?? removeCard(call, addressBook, name))
    default:
      return success(405)
  }
}

function removeCard(call: Call, addressBook: AddressBook, name: string): Reply {
  contactsOf(call.world).remove(addressBook.owner, addressBook.uri, name)
  return success(204)
}

function putCard(call: Call, addressBook: AddressBook, name: string): Reply {
  if (addressBook.generated) return noNode(addressBook.uri)
  const existingCard = addressBook.items.get(name)
  const failedCondition = findFailedCondition(call, existingCard)
  if (failedCondition !== undefined) return failedCondition
  const checked = check(textOfBody(call))
  if ("refused" in checked) {
    return checked.refused === "calendar"
      ? unsupported("This collection can only support vcard objects.")
      : unsupported(`This resource only supports valid vCard or jCard data. Parse error: ${checked.reason}`)
  }
  const { text, uid, warning } = checked
  if (hasUid(addressBook, uid, name))
    return badRequest("VCard object with uid already exists in this addressbook collection.")
  const item = contactsOf(call.world).put(addressBook.owner, addressBook.uri, name, text)
  const headers = warning === undefined ? etagOf(item) : { "x-sabre-ew-gross": `vCard validation warning: ${warning}` }
  return success(existingCard === undefined ? 201 : 204, headers)
}

function report(call: Call, path: string, { items }: AddressBook): Reply {
  const document = documentOf(call)
  if (isReply(document)) return document
  if (nameOf(document) !== `{${carddav}}addressbook-query` || call.headers.get("depth") !== "1") return unknownReport()
  const limit = Number(textOf(childOf(document, carddav, "limit"), carddav, "nresults") ?? 0) || Infinity
  const filter = childOf(document, carddav, "filter")
  const sortedItems = [...items.values()].sort((one, other) => (one.name < other.name ? -1 : 1))
  return answers(call, document, path, sortedItems.filter(({ text }) => matchesFilter(text, filter)).slice(0, limit))
}

function answers(call: Call, document: Element, path: string, items: readonly Item[]): Reply {
  const requestedNames = requestedNamesIn(document)
  const cardOptions = cardOptionsIn(childOf(childOf(document, dav, "prop"), carddav, "address-data"))
  return multistatus(
    items.map((item) =>
      answerFor(
        call,
        cardResource(`${path}${item.name}`, item, toReportedCard(item.text, cardOptions)),
        requestedNames,
      ),
    ),
  )
}

function cardOptionsIn(data: Element | undefined): CardOptions {
  const includedProperties = childrenOf(data, carddav, "prop").map(
    ({ attributes }) => attributes.name?.toUpperCase() ?? "",
  )
  return {
    includedProperties: includedProperties.length === 0 ? undefined : new Set(includedProperties),
    version: data?.attributes.version === "4.0" ? "4.0" : "3.0",
  }
}
