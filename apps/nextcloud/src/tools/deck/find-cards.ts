// Tools that find Deck cards: on one board by their properties, on all boards by words or due date.

import type { Nextcloud } from "../../api/nextcloud.ts"
import { ocs } from "../../api/ocs.ts"
import type { Fields } from "../../api/read.ts"
import { fieldsOf, objectsOf } from "../../api/read.ts"
import { offsetArgument, offsetIn, pageFields, paging, toCursor, toPage } from "../../page.ts"
import { integer, list, object, oneOf, optional, text } from "../../schema.ts"
import { defineTool } from "../../tool.ts"
import { cardAddress, readCard, readStacks } from "./api.ts"
import { assignedTo, labelsOf, shortCard, toFullCard, toShortCard, wholeCard } from "./card.ts"

const preview = optional(integer("Characters of each description", { least: 0, most: 1000, usual: 0 }))

const listCards = defineTool({
  name: "nc_deck_list_cards",
  title: "List cards of a Deck board",
  description: "Cards of a board, list by list. All given conditions must match.",
  scopes: ["deck.read"],
  effect: "read",
  input: object({
    board_id: integer(),
    stack_id: optional(integer("Only of this list")),
    status: optional(oneOf(["open", "done", "archived", "all"], "default: open")),
    label: optional(text("Its title")),
    assigned_to: optional(text("A user id")),
    query: optional(text("Words in title or description")),
    preview,
    ...paging,
  }),
  output: object({ cards: list(shortCard), ...pageFields }),
  requestsNote: "2 with status “all”: archived cards are in a separate list.",
  async run({ board_id, stack_id, status = "open", preview: length, limit, cursor, ...filter }, nextcloud) {
    const stacks = await stacksFor(nextcloud, board_id, status)
    const cards = stacks
      .filter((stack) => stack_id === undefined || stack.number("id") === stack_id)
      .flatMap((stack) => stack.objects("cards").toSorted((a, b) => orderOf(a) - orderOf(b)))
      .filter((card) => hasStatus(card, status) && matchesFilter(card, filter))
    const { items, facts } = toPage(cards, { limit, cursor })
    return { cards: items.map((card) => toShortCard(nextcloud, board_id, card, length)), ...facts }
  },
})

type Status = "open" | "done" | "archived" | "all"

async function stacksFor(nextcloud: Nextcloud, board: number, status: Status): Promise<readonly Fields[]> {
  const requests = [
    ...(status === "archived" ? [] : [""]),
    ...(status === "archived" || status === "all" ? ["/archived"] : []),
  ]
  const lists = await Promise.all(requests.map((listPath) => readStacks(nextcloud, board, listPath)))
  return lists.flat().toSorted((a, b) => orderOf(a) - orderOf(b))
}

const orderOf = (fields: Fields): number => fields.maybeNumber("order") ?? 0

function hasStatus(card: Fields, status: Status): boolean {
  if (status === "all" || status === "archived") return true
  return (card.maybeText("done") !== undefined) === (status === "done")
}

interface CardFilter {
  readonly label?: string | undefined
  readonly assigned_to?: string | undefined
  readonly query?: string | undefined
}

function matchesFilter(card: Fields, { label, assigned_to, query }: CardFilter): boolean {
  if (label !== undefined && !labelsOf(card).some((title) => foldCase(title) === foldCase(label))) return false
  if (assigned_to !== undefined && !assignedTo(card).includes(assigned_to)) return false
  const searchedText = foldCase(`${card.text("title")}\n${card.maybeText("description") ?? ""}`)
  return foldCase(query ?? "")
    .split(/\s+/)
    .every((word) => searchedText.includes(word))
}

const foldCase = (words: string): string => words.toLowerCase().normalize("NFC")

const searchCards = defineTool({
  name: "nc_deck_search_cards",
  title: "Search cards of all Deck boards",
  description:
    "Cards that contain these words, from all boards. Without query: the user's upcoming cards, by due date.",
  scopes: ["deck.read"],
  effect: "read",
  input: object({ query: optional(text("Words; also date:week, tag:x, assigned:x")), preview, ...paging }),
  output: object({ cards: list(shortCard), next_cursor: optional(text()) }),
  notRecorded: "continuing after the first page; the total is not reported",
  async run({ query, preview: length, limit = 50, cursor }, nextcloud) {
    if (query === undefined || query.trim() === "") {
      const { items, facts } = toPage(await readUpcoming(nextcloud), { limit, cursor })
      const { next_cursor } = facts
      const cards = items.map((card) => toShortCard(nextcloud, card.number("boardId"), card, length))
      return { cards, ...(next_cursor === undefined ? {} : { next_cursor }) }
    }
    const activity = "searching the cards"
    // Deck's cursor is a time in seconds and would skip cards changed within the same second, so each page is requested
    // together with all before it. One extra card shows whether there are more.
    const offset = offsetIn(cursor)
    const searchQuery = { term: query, limit: offset + limit + 1 }
    const { data } = await ocs(nextcloud, { path: "/apps/deck/api/v1.0/search", query: searchQuery, activity })
    const matches = objectsOf(data, activity).slice(offset)
    return {
      cards: matches.slice(0, limit).map((card) => toShortCard(nextcloud, card.number("boardId"), card, length)),
      ...(matches.length > limit ? { next_cursor: toCursor(offset + limit) } : {}),
    }
  },
})

/** Reads the upcoming cards, which come in groups: overdue, today, tomorrow, nextSevenDays, later, nodue. */
async function readUpcoming(nextcloud: Nextcloud): Promise<readonly Fields[]> {
  const activity = "reading the upcoming cards"
  const { data } = await ocs(nextcloud, { path: "/apps/deck/api/v1.0/overview/upcoming", activity })
  if (Array.isArray(data) && data.length === 0) return []
  const groups = fieldsOf(data, activity)
  const dueText = (card: Fields): string => card.maybeText("duedate") ?? "9999"
  return Object.keys(groups.raw)
    .flatMap((group) => groups.objects(group))
    .toSorted((a, b) => dueText(a).localeCompare(dueText(b)))
}

const getCard = defineTool({
  name: "nc_deck_get_card",
  title: "Read a Deck card",
  description: "One card with its description and attachments, and the etag for changing it.",
  scopes: ["deck.read"],
  effect: "read",
  input: object({ ...cardAddress, ...offsetArgument }),
  output: object({
    ...wholeCard.properties,
    attachments: list(object({ id: integer(), type: text(), name: text(), size: optional(integer()) })),
  }),
  notRecorded: "a card with attachments",
  async run({ offset, ...address }, nextcloud) {
    const card = await readCard(nextcloud, address)
    return {
      ...toFullCard(nextcloud, address.board_id, card, offset),
      attachments: attachmentsOf(card),
    }
  },
})

/**
 * The attachments of a card without deleted ones, which Deck keeps listing for a while because they can be restored.
 */
export const attachmentsOf = (card: Fields) =>
  card
    .objects("attachments")
    .filter((attachment) => (attachment.maybeNumber("deletedAt") ?? 0) === 0)
    .map(toAttachment)

function toAttachment(attachment: Fields) {
  const size = attachment.maybeObject("extendedData")?.maybeNumber("filesize")
  return {
    id: attachment.number("id"),
    type: attachment.text("type"),
    name: attachment.maybeText("data") ?? "",
    ...(size === undefined ? {} : { size }),
  }
}

export const findCardTools = [listCards, searchCards, getCard]
