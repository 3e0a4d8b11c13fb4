// Tools for the lists of a board, which Deck calls stacks, and for its labels.

import { nextcloudError } from "../../api/error.ts"
import type { Nextcloud } from "../../api/nextcloud.ts"
import type { Fields } from "../../api/read.ts"
import { fieldsOf } from "../../api/read.ts"
import { integer, object, optional, text } from "../../schema.ts"
import { defineTool } from "../../tool.ts"
import { boardLink, deck, readStack } from "./api.ts"

const stack = object({ id: integer(), board_id: integer(), title: text(), order: integer(), url: text() })

const toStack = (nextcloud: Nextcloud, board: number, fields: Fields) => ({
  id: fields.number("id"),
  board_id: board,
  title: fields.text("title"),
  order: fields.maybeNumber("order") ?? 0,
  url: boardLink(nextcloud, board),
})

const saveStack = defineTool({
  name: "nc_deck_save_stack",
  title: "Create or change a list of a Deck board",
  description: "Creates a list (stack) of a board; with stack_id, changes its title or order.",
  scopes: ["deck.write"],
  effect: "change",
  input: object({
    board_id: integer(),
    stack_id: optional(integer()),
    title: optional(text("Required to create", { least: 1, most: 100 })),
    order: optional(integer("Smaller is further left", { least: 0 })),
  }),
  output: stack,
  requestsNote: "2 for a change: the list is read first.",
  notRecorded: "changing a list",
  async run({ board_id, stack_id, title, order }, nextcloud) {
    const path = `/boards/${board_id}/stacks`
    if (stack_id === undefined) {
      const activity = `creating a list on the board ${board_id}`
      if (title === undefined) throw nextcloudError("invalid", { activity, because: "a new list needs a title" })
      const answer = await deck(nextcloud, { method: "POST", path, json: { title, order: order ?? 999 }, activity })
      return toStack(nextcloud, board_id, fieldsOf(answer.json(), activity))
    }
    const activity = `changing the list ${stack_id}`
    const stack = await readStack(nextcloud, board_id, stack_id)
    const json = { title: title ?? stack.text("title"), order: order ?? stack.maybeNumber("order") ?? 0 }
    const answer = await deck(nextcloud, { method: "PUT", path: `${path}/${stack_id}`, json, activity })
    return toStack(nextcloud, board_id, fieldsOf(answer.json(), activity))
  },
})

const deleteStack = defineTool({
  name: "nc_deck_delete_stack",
  title: "Delete a list of a Deck board",
  description: "Deletes a list (stack) with all its cards.",
  scopes: ["deck.write"],
  effect: "remove",
  input: object({ board_id: integer(), stack_id: integer() }),
  output: object({ deleted: text("Its title") }),
  requests: 2,
  notRecorded: "reading one list",
  confirm: {
    verb: "Delete",
    async readLoss({ board_id, stack_id }, nextcloud) {
      const stack = await readStack(nextcloud, board_id, stack_id)
      const titles = stack.objects("cards").map((card) => `“${card.text("title")}”`)
      const moreText = titles.length > 5 ? ` and ${titles.length - 5} more` : ""
      return {
        what: `the list “${stack.text("title")}”`,
        details: [titles.length === 0 ? "It is empty." : `Cards: ${titles.slice(0, 5).join(", ")}${moreText}`],
        guard: stackGuard(stack),
      }
    },
  },
  async run({ board_id, stack_id }, nextcloud, { loss }) {
    const activity = `deleting the list ${stack_id}`
    const stack = await readStack(nextcloud, board_id, stack_id)
    if (loss?.guard !== undefined && loss.guard !== stackGuard(stack))
      throw nextcloudError("conflict", { activity, current: toStack(nextcloud, board_id, stack) })
    await deck(nextcloud, { method: "DELETE", path: `/boards/${board_id}/stacks/${stack_id}`, activity })
    return { deleted: stack.text("title") }
  },
})

/** A guard made of the title and the card ids: Deck's ETag misses cards added within the same second. */
const stackGuard = (stack: Fields): string =>
  [stack.text("title"), ...stack.objects("cards").map((card) => card.number("id"))].join("|")

const label = object({ id: integer(), board_id: integer(), title: text(), color: text() })

const toLabel = (board: number, fields: Fields) => ({
  id: fields.number("id"),
  board_id: board,
  title: fields.text("title"),
  color: fields.text("color"),
})

async function readLabel(nextcloud: Nextcloud, board: number, id: number): Promise<Fields> {
  const activity = `reading the label ${id}`
  return fieldsOf((await deck(nextcloud, { path: `/boards/${board}/labels/${id}`, activity })).json(), activity)
}

const saveLabel = defineTool({
  name: "nc_deck_save_label",
  title: "Create or change a label of a Deck board",
  description: "Creates a label of a board; with label_id, changes its title or colour.",
  scopes: ["deck.write"],
  effect: "change",
  input: object({
    board_id: integer(),
    label_id: optional(integer()),
    title: optional(text("Required to create", { least: 1, most: 100 })),
    color: optional(text("Six hex digits", { pattern: "^[0-9a-fA-F]{6}$" })),
  }),
  output: label,
  requestsNote: "2 for a change: the label is read first.",
  notRecorded: "changing a label",
  async run({ board_id, label_id, title, color }, nextcloud) {
    const path = `/boards/${board_id}/labels`
    if (label_id === undefined) {
      const activity = `creating a label on the board ${board_id}`
      if (title === undefined) throw nextcloudError("invalid", { activity, because: "a new label needs a title" })
      const json = { title, color: color ?? "31CC7C" }
      return toLabel(
        board_id,
        fieldsOf((await deck(nextcloud, { method: "POST", path, json, activity })).json(), activity),
      )
    }
    const activity = `changing the label ${label_id}`
    const storedLabel = await readLabel(nextcloud, board_id, label_id)
    const json = { title: title ?? storedLabel.text("title"), color: color ?? storedLabel.text("color") }
    const answer = await deck(nextcloud, { method: "PUT", path: `${path}/${label_id}`, json, activity })
    return toLabel(board_id, fieldsOf(answer.json(), activity))
  },
})

const deleteLabel = defineTool({
  name: "nc_deck_delete_label",
  title: "Delete a label of a Deck board",
  description: "Deletes a label of a board, and removes it from all cards.",
  scopes: ["deck.write"],
  effect: "remove",
  input: object({ board_id: integer(), label_id: integer() }),
  output: object({ deleted: text("Its title") }),
  requests: 2,
  source: "documented",
  notRecorded: "reading and deleting a label",
  confirm: {
    verb: "Delete",
    async readLoss({ board_id, label_id }, nextcloud) {
      const title = (await readLabel(nextcloud, board_id, label_id)).text("title")
      return { what: `the label “${title}”`, details: ["It is removed from all cards of the board."], guard: title }
    },
  },
  async run({ board_id, label_id }, nextcloud, { loss }) {
    const activity = `deleting the label ${label_id}`
    const storedLabel = await readLabel(nextcloud, board_id, label_id)
    if (loss?.guard !== undefined && loss.guard !== storedLabel.text("title"))
      throw nextcloudError("conflict", { activity, current: toLabel(board_id, storedLabel) })
    await deck(nextcloud, { method: "DELETE", path: `/boards/${board_id}/labels/${label_id}`, activity })
    return { deleted: storedLabel.text("title") }
  },
})

export const stackTools = [saveStack, deleteStack, saveLabel, deleteLabel]
