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
  description: "Creates a card in a list, at its end unless order is given.",
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
  async run({ board_id, stack_id, title: givenTitle, description = "", due, order = 999 }, nextcloud) {
    const activity = `creating the card “${givenTitle}”`
    const json = {
      title: givenTitle,
      type: "plain",
      order,
      description,
      ...(due === undefined ? {} : { duedate: inUtc(due, activity) }),
    }
    const path = `/boards/${board_id}/stacks/${stack_id}/cards`
    const answer = await deck(nextcloud, { method: "POST", path, json, activity })
    return toWrittenCard(nextcloud, board_id, fieldsOf(answer.json(), activity))
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
    description: optional(text("The full new text, Markdown")),
    due: optional(text("ISO 8601; empty for none")),
    done: optional(flag()),
    archived: optional(flag()),
    owner: optional(text("A user id")),
  }),
  output: writtenCard,
  requests: 2,
  notRecorded: "setting done and archived",
  async run({ etag, board_id, stack_id, card_id, ...changes }, nextcloud) {
    const activity = `changing the card ${card_id}`
    if (Object.values(changes).every((value) => value === undefined))
      throw nextcloudError("invalid", { activity, because: "there is nothing to change" })
    const dueDate = changes.due === undefined || changes.due === "" ? changes.due : inUtc(changes.due, activity)
    const address = { board_id, stack_id, card_id }
    const currentCard = await readCard(nextcloud, address)
    if (etag !== cardEtag(currentCard))
      throw nextcloudError("conflict", { activity, current: toFullCard(nextcloud, board_id, currentCard) })
    const card = await putCard(
      nextcloud,
      { ...address, stack_id: currentCard.number("stackId") },
      toBody(currentCard, { ...changes, due: dueDate }),
    )
    return toWrittenCard(nextcloud, board_id, card)
  },
})

/** Converts to UTC, because Deck drops the offset of a time and keeps its hours and minutes. */
function inUtc(time: string, activity: string): string {
  const ms = Date.parse(/T[\d:.]+$/i.test(time) ? `${time}Z` : time)
  if (Number.isNaN(ms))
    throw nextcloudError("invalid", { activity, because: "`due` is not a time such as 2026-12-01T18:00:00Z" })
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
    // Deck refuses to archive an archived card, so `archived` is sent only when it changes.
    ...(archived === card.flag("archived") ? {} : { archived }),
    // Cards have `startdate` and `color` since Deck 1.17.
    ...("startdate" in card.raw ? { startdate: card.raw.startdate } : {}),
    ...("color" in card.raw ? { color: card.raw.color } : {}),
  }
}

function doneOf(card: Fields, isDone: boolean | undefined): string | null {
  const doneBefore = card.maybeText("done") ?? null
  if (isDone === undefined) return doneBefore
  return isDone ? (doneBefore ?? new Date().toISOString()) : null
}

/** Writes a card. Deck moves it to the list in the path. */
async function putCard(nextcloud: Nextcloud, address: CardAddress, json: object): Promise<Fields> {
  const activity = `changing the card ${address.card_id}`
  const answer = await deck(nextcloud, { method: "PUT", path: cardPath(address), json, activity })
  return fieldsOf(answer.json(), activity)
}

const moveCard = defineTool({
  name: "nc_deck_move_card",
  title: "Move a Deck card",
  description: "Moves a card within its list, to another list, or to another board (labels match by title).",
  scopes: ["deck.write"],
  effect: "set",
  input: object({
    ...cardAddress,
    to_stack_id: integer(),
    to_board_id: optional(integer("If on another board")),
    position: optional(integer("0 is the top; default: the end", { least: 0 })),
  }),
  output: writtenCard,
  requestsNote: "2 to move to another board: the card is read first.",
  notRecorded: "moving to another board; the recorded move names the old list in its address, and moves nothing",
  async run({ to_stack_id, to_board_id, position = 999, ...source }, nextcloud) {
    const board = to_board_id ?? source.board_id
    const target = { board_id: board, stack_id: to_stack_id, card_id: source.card_id }
    const movedCard =
      board === source.board_id
        ? await reorder(nextcloud, target, position)
        : await moveToBoard(nextcloud, source, target, position)
    return toWrittenCard(nextcloud, board, movedCard)
  },
})

/** Moves a card within a board. Deck takes the target list from the path, whatever the body says. */
async function reorder(nextcloud: Nextcloud, target: CardAddress, order: number): Promise<Fields> {
  const activity = `moving the card ${target.card_id}`
  const json = { order, stackId: target.stack_id }
  const answer = await deck(nextcloud, { method: "PUT", path: `${cardPath(target)}/reorder`, json, activity })
  const movedCard = objectsOf(answer.json(), activity).find((card) => card.number("id") === target.card_id)
  if (movedCard?.number("stackId") === target.stack_id) return movedCard
  throw nextcloudError("malformed", { activity, detail: "the card is not in the list it was moved to" })
}

async function moveToBoard(
  nextcloud: Nextcloud,
  source: CardAddress,
  target: CardAddress,
  order: number,
): Promise<Fields> {
  return putCard(nextcloud, target, toBody(await readCard(nextcloud, source), { order }))
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
    const activity = `deleting the card ${address.card_id}`
    const card = await readCard(nextcloud, address)
    if (loss?.guard !== undefined && loss.guard !== cardEtag(card))
      throw nextcloudError("conflict", { activity, current: toFullCard(nextcloud, address.board_id, card) })
    await deck(nextcloud, { method: "DELETE", path: cardPath(address), activity })
    return { deleted: card.text("title") }
  },
})

export const cardTools = [createCard, updateCard, moveCard, deleteCard]
