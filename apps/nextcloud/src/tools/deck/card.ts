// A Deck card in tool outputs: short in lists, and complete.

import type { Nextcloud } from "../../api/nextcloud.ts"
import type { Fields } from "../../api/read.ts"
import { textPartFields, toExcerpt, toTextPart } from "../../page.ts"
import { flag, integer, list, object, optional, text } from "../../schema.ts"
import { fromSeconds } from "../../time.ts"
import { cardEtag, cardLink, participantId } from "./api.ts"

const card = {
  id: integer(),
  board_id: integer(),
  stack_id: integer(),
  title: text(),
  labels: list(text()),
  assigned: list(text()),
  due: optional(text()),
  done: optional(text()),
  archived: flag(),
  comments: integer(),
  modified: text(),
  url: text(),
}

export const shortCard = object({ ...card, preview: optional(text()) })

/** The output after a card was written: without labels, people and comments, which the write did not change. */
export const writtenCard = object({
  id: integer(),
  board_id: integer(),
  stack_id: integer(),
  title: text(),
  due: optional(text()),
  done: optional(text()),
  archived: flag(),
  order: integer(),
  etag: text(),
  url: text(),
})

export const wholeCard = object({ ...card, etag: text(), owner: text(), order: integer(), ...textPartFields })

export function toShortCard(nextcloud: Nextcloud, board: number, fields: Fields, preview = 0) {
  const description = fields.maybeText("description")
  return {
    ...toCard(nextcloud, board, fields),
    ...(preview === 0 || description === undefined ? {} : { preview: toExcerpt(description, preview) }),
  }
}

export function toFullCard(nextcloud: Nextcloud, board: number, fields: Fields, offset?: number) {
  return {
    ...toCard(nextcloud, board, fields),
    etag: cardEtag(fields),
    owner: participantId(fields, "owner"),
    order: fields.maybeNumber("order") ?? 0,
    ...toTextPart(fields.maybeText("description") ?? "", offset),
  }
}

export function toWrittenCard(nextcloud: Nextcloud, board: number, fields: Fields) {
  const { labels, assigned, comments, modified, ...card } = toCard(nextcloud, board, fields)
  return { ...card, order: fields.maybeNumber("order") ?? 0, etag: cardEtag(fields) }
}

function toCard(nextcloud: Nextcloud, board: number, fields: Fields) {
  const dueDate = fields.maybeText("duedate")
  const doneDate = fields.maybeText("done")
  return {
    id: fields.number("id"),
    board_id: board,
    stack_id: fields.number("stackId"),
    title: fields.text("title"),
    labels: labelsOf(fields),
    assigned: assignedTo(fields),
    ...(dueDate === undefined ? {} : { due: dueDate }),
    ...(doneDate === undefined ? {} : { done: doneDate }),
    archived: fields.maybeFlag("archived") ?? false,
    comments: fields.maybeNumber("commentsCount") ?? 0,
    modified: fromSeconds(fields.number("lastModified")),
    url: cardLink(nextcloud, board, fields.number("id")),
  }
}

export const labelsOf = (card: Fields): readonly string[] => card.objects("labels").map((label) => label.text("title"))

export const assignedTo = (card: Fields): readonly string[] =>
  card
    .objects("assignedUsers")
    // The participant is null when the account was deleted.
    .filter(({ raw }) => raw.participant !== undefined && raw.participant !== null)
    .map((assignment) => participantId(assignment, "participant"))
