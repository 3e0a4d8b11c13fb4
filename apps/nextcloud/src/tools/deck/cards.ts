// Tools that write Deck cards. A change replaces the whole card, so it is read right before, compared with what the
// caller saw, and its other fields are sent back unchanged.

import { nextcloudError } from "../../api/error.ts"
import type { Nextcloud } from "../../api/nextcloud.ts"
import type { Fields } from "../../api/read.ts"
import { fieldsOf, objectsOf } from "../../api/read.ts"
import { toExcerpt } from "../../page.ts"
import { pluralize } from "../../pluralize.ts"
import { flag, integer, object, optional, text } from "../../schema.ts"
import { defineTool } from "../../tool.ts"
import type { CardAddress } from "./api.ts"
import { cardAddress, cardEtag, cardPath, deck, participantId, readCard } from "./api.ts"
import { toFullCard, toWrittenCard, writtenCard } from "./card.ts"

const title = text(undefined, { least: 1, most: 255 })

const createCard = defineTool({
  name: "nc_deck_create_card",
  title: "Write a new Deck card",
  description: "A new card in a list of a board, at its end unless order is given.",
  scopes: ["deck.write"],
  effect: "add",
  input: object({
    board_id: integer(),
    stack_id: integer(),
    title,
    description: optional(text("Markdown")),
    due: optional(text("ISO 8601", { format: "date-time" })),
    order: optional(integer("Position in the list", { least: 0 })),
  }),
  output: writtenCard,
  async run({ board_id, stack_id, title: given, description = "", due, order = 999 }, nextcloud) {
    const doing = `creating the card “${given}”`
    const json = {
      title: given,
      type: "plain",
      order,
      description,
      ...(due === undefined ? {} : { duedate: inUtc(due, doing) }),
    }
    const path = `/boards/${board_id}/stacks/${stack_id}/cards`
    const answer = await deck(nextcloud, { method: "POST", path, json, doing })
    return toWrittenCard(nextcloud, board_id, fieldsOf(answer.json(), doing))
  },
})

const updateCard = defineTool({
  name: "nc_deck_update_card",
  title: "Change a Deck card",
  description: "Changes only the given fields. Fails with the current card if it has changed.",
  scopes: ["deck.write"],
  effect: "change",
  input: object({
    ...cardAddress,
    etag: text("As it was read"),
    title: optional(title),
    description: optional(text("The whole new one, Markdown")),
    due: optional(text("ISO 8601; empty for none")),
    done: optional(flag()),
    archived: optional(flag()),
    owner: optional(text("A user id")),
  }),
  output: writtenCard,
  requests: 2,
  notRecorded: "setting done and archived",
  async run({ etag, board_id, stack_id, card_id, ...changes }, nextcloud) {
    const doing = `changing the card ${card_id}`
    if (Object.values(changes).every((value) => value === undefined))
      throw nextcloudError("invalid", { doing, because: "there is nothing to change" })
    const due = changes.due === undefined || changes.due === "" ? changes.due : inUtc(changes.due, doing)
    const address = { board_id, stack_id, card_id }
    const current = await readCard(nextcloud, address)
    if (etag !== cardEtag(current))
      throw nextcloudError("conflict", { doing, current: toFullCard(nextcloud, board_id, current) })
    const card = await putCard(
      nextcloud,
      { ...address, stack_id: current.number("stackId") },
      toBody(current, { ...changes, due }),
    )
    return toWrittenCard(nextcloud, board_id, card)
  },
})

/** Converts to UTC, because Deck drops the offset of a time and keeps its hours and minutes. */
function inUtc(time: string, doing: string): string {
  const ms = Date.parse(/T[\d:.]+$/i.test(time) ? `${time}Z` : time)
  if (Number.isNaN(ms))
    throw nextcloudError("invalid", { doing, because: "`due` is not a time such as 2026-12-01T18:00:00Z" })
  return new Date(ms).toISOString().replace(/\.\d+Z$/, "+00:00")
}

interface Changes {
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly due?: string | undefined
  readonly done?: boolean | undefined
  readonly archived?: boolean | undefined
  readonly owner?: string | undefined
  readonly order?: number | undefined
}

/** The complete card: Deck resets the fields that a request omits. */
function toBody(card: Fields, changes: Changes) {
  const { archived = card.flag("archived") } = changes
  return {
    title: changes.title ?? card.text("title"),
    type: card.maybeText("type") ?? "plain",
    owner: changes.owner ?? participantId(card, "owner"),
    order: changes.order ?? card.maybeNumber("order") ?? 0,
    description: changes.description ?? card.maybeText("description") ?? "",
    duedate: (changes.due ?? card.maybeText("duedate")) || null,
    done: doneOf(card, changes.done),
    // Deck refuses to archive an archived card; when omitted, the state stays.
    ...(archived === card.flag("archived") ? {} : { archived }),
    // Since Deck 1.17.
    ...("startdate" in card.raw ? { startdate: card.raw.startdate } : {}),
    ...("color" in card.raw ? { color: card.raw.color } : {}),
  }
}

function doneOf(card: Fields, wanted: boolean | undefined): string | null {
  const before = card.maybeText("done") ?? null
  if (wanted === undefined) return before
  return wanted ? (before ?? new Date().toISOString()) : null
}

/** Writes a card. Deck moves it to the list in the path. */
async function putCard(nextcloud: Nextcloud, address: CardAddress, json: object): Promise<Fields> {
  const doing = `changing the card ${address.card_id}`
  const answer = await deck(nextcloud, { method: "PUT", path: cardPath(address), json, doing })
  return fieldsOf(answer.json(), doing)
}

const moveCard = defineTool({
  name: "nc_deck_move_card",
  title: "Move a Deck card",
  description: "Moves a card within its list, to another list, or to another board (labels go along by title).",
  scopes: ["deck.write"],
  effect: "set",
  input: object({
    ...cardAddress,
    to_stack_id: integer(),
    to_board_id: optional(integer("If it is another board")),
    position: optional(integer("0 is the top; default: the end", { least: 0 })),
  }),
  output: writtenCard,
  requestsNote: "2 to another board: the card is read before.",
  notRecorded: "moving to another board; the recorded move names the old list in its address, and moves nothing",
  async run({ to_stack_id, to_board_id, position = 999, ...from }, nextcloud) {
    const board = to_board_id ?? from.board_id
    const to = { board_id: board, stack_id: to_stack_id, card_id: from.card_id }
    const moved =
      board === from.board_id ? await reorder(nextcloud, to, position) : await carry(nextcloud, from, to, position)
    return toWrittenCard(nextcloud, board, moved)
  },
})

/** Moves a card. Deck takes the target list from the path, whatever the body says. */
async function reorder(nextcloud: Nextcloud, to: CardAddress, order: number): Promise<Fields> {
  const doing = `moving the card ${to.card_id}`
  const json = { order, stackId: to.stack_id }
  const answer = await deck(nextcloud, { method: "PUT", path: `${cardPath(to)}/reorder`, json, doing })
  const moved = objectsOf(answer.json(), doing).find((card) => card.number("id") === to.card_id)
  if (moved?.number("stackId") === to.stack_id) return moved
  throw nextcloudError("malformed", { doing, detail: "the card is not in the list it was moved to" })
}

async function carry(nextcloud: Nextcloud, from: CardAddress, to: CardAddress, order: number): Promise<Fields> {
  return putCard(nextcloud, to, toBody(await readCard(nextcloud, from), { order }))
}

const deleteCard = defineTool({
  name: "nc_deck_delete_card",
  title: "Delete a Deck card",
  description: "Deletes a card. For some time it can be restored on the board's page of deleted items.",
  scopes: ["deck.write"],
  effect: "remove",
  input: object(cardAddress),
  output: object({ deleted: text("Its title") }),
  requests: 2,
  confirm: {
    policy: "once",
    verb: "Delete",
    async readLoss(address, nextcloud) {
      const card = await readCard(nextcloud, address)
      const description = card.maybeText("description")
      const comments = card.maybeNumber("commentsCount") ?? 0
      return {
        what: `the card “${card.text("title")}”`,
        details: [
          description === undefined ? "It has no description." : `“${toExcerpt(description, 120)}”`,
          ...(comments === 0 ? [] : [pluralize(comments, "comment")]),
        ],
        guard: cardEtag(card),
      }
    },
  },
  async run(address, nextcloud, { loss }) {
    const doing = `deleting the card ${address.card_id}`
    const card = await readCard(nextcloud, address)
    if (loss?.guard !== undefined && loss.guard !== cardEtag(card))
      throw nextcloudError("conflict", { doing, current: toFullCard(nextcloud, address.board_id, card) })
    await deck(nextcloud, { method: "DELETE", path: cardPath(address), doing })
    return { deleted: card.text("title") }
  },
})

export const cardTools = [createCard, updateCard, moveCard, deleteCard]
