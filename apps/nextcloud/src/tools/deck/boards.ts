// Tools for Deck boards: an overview of each, and who may see it.

import { nextcloudError } from "../../api/error.ts"
import type { Nextcloud } from "../../api/nextcloud.ts"
import type { Fields } from "../../api/read.ts"
import { fieldsOf, objectsOf } from "../../api/read.ts"
import { pageFields, paging, toPage } from "../../page.ts"
import { pluralize } from "../../pluralize.ts"
import { flag, integer, list, object, optional, text } from "../../schema.ts"
import { defineTool } from "../../tool.ts"
import { boardLink, deck, isOffered, participantId, readBoard, readStacks } from "./api.ts"
import { toAccess } from "./sharing.ts"

const board = {
  id: integer(),
  title: text(),
  color: text(),
  owner: text(),
  archived: flag(),
  can_edit: flag(),
  shared: flag(),
  url: text(),
}

const boardWithEtag = object({ ...board, etag: text() })

const color = (description = "Six hex digits, such as ff8800") => text(description, { pattern: "^[0-9a-fA-F]{6}$" })

function toBoard(nextcloud: Nextcloud, fields: Fields) {
  return {
    id: fields.number("id"),
    title: fields.text("title"),
    color: fields.text("color"),
    owner: participantId(fields, "owner"),
    archived: fields.flag("archived"),
    can_edit: fields.maybeObject("permissions")?.maybeFlag("PERMISSION_EDIT") ?? false,
    shared: fields.list("acl").length > 0,
    url: boardLink(nextcloud, fields.number("id")),
  }
}

const toBoardWithEtag = (nextcloud: Nextcloud, fields: Fields) => ({
  ...toBoard(nextcloud, fields),
  etag: fields.text("ETag"),
})

const listBoards = defineTool({
  name: "nc_deck_list_boards",
  title: "List Deck boards",
  description: "The user's Deck boards, own and shared.",
  scopes: ["deck.read"],
  effect: "read",
  input: object({ archived: optional(flag("Only the archived ones")), ...paging }),
  output: object({ boards: list(object(board)), ...pageFields }),
  async run({ archived: isArchived = false, ...page }, nextcloud) {
    const activity = "listing the boards"
    const all = objectsOf((await deck(nextcloud, { path: "/boards", activity })).json(), activity)
    const currentBoards = all.filter(
      (fields) => fields.flag("archived") === isArchived && (fields.maybeNumber("deletedAt") ?? 0) === 0,
    )
    const { items, facts } = toPage(currentBoards, page)
    return { boards: items.map((fields) => toBoard(nextcloud, fields)), ...facts }
  },
})

const getBoard = defineTool({
  name: "nc_deck_get_board",
  title: "Look at a Deck board",
  description:
    "One board at a glance: its lists (stacks) with numbers of cards, labels, members, and who it is shared with.",
  scopes: ["deck.read"],
  effect: "read",
  input: object({ board_id: integer() }),
  output: object({
    ...board,
    etag: text(),
    stacks: list(
      object({ id: integer(), title: text(), order: integer(), cards: integer(), done: integer(), overdue: integer() }),
    ),
    labels: list(object({ id: integer(), title: text(), color: text() })),
    members: list(text()),
    shared_with: list(object({ id: text(), kind: text(), access: text() })),
  }),
  requests: 2,
  async run({ board_id }, nextcloud) {
    const [board, stacks] = await Promise.all([readBoard(nextcloud, board_id), readStacks(nextcloud, board_id)])
    return {
      ...toBoardWithEtag(nextcloud, board),
      stacks: stacks.map(toStack),
      labels: board.objects("labels").map((label) => ({
        id: label.number("id"),
        title: label.text("title"),
        color: label.text("color"),
      })),
      members: board.objects("users").map((user) => user.text("uid")),
      shared_with: board.objects("acl").map(toAccess),
    }
  },
})

function toStack(stack: Fields) {
  const cards = stack.objects("cards")
  return {
    id: stack.number("id"),
    title: stack.text("title"),
    order: stack.maybeNumber("order") ?? 0,
    cards: cards.length,
    done: cards.filter((card) => card.maybeText("done") !== undefined).length,
    // Deck's codes: 3 overdue, 2 today, 1 soon.
    overdue: cards.filter((card) => (card.maybeNumber("overdue") ?? 0) >= 3).length,
  }
}

const createBoard = defineTool({
  name: "nc_deck_create_board",
  title: "Create a Deck board",
  description: "Creates a board with Deck's usual labels, but no lists.",
  scopes: ["deck.write"],
  effect: "add",
  input: object({ title: text(undefined, { least: 1, most: 100 }), color: optional(color()) }),
  output: boardWithEtag,
  offered: (capabilities) => capabilities.of("deck")?.maybeFlag("canCreateBoards") ?? isOffered(capabilities),
  async run({ title, color: chosenColor = "0082c9" }, nextcloud) {
    const activity = `creating the board “${title}”`
    const json = { title, color: chosenColor }
    const answer = await deck(nextcloud, { method: "POST", path: "/boards", json, activity })
    return toBoardWithEtag(nextcloud, fieldsOf(answer.json(), activity))
  },
})

const updateBoard = defineTool({
  name: "nc_deck_update_board",
  title: "Change a Deck board",
  description: "Changes title or colour, archives or unarchives it.",
  scopes: ["deck.write"],
  effect: "change",
  input: object({
    board_id: integer(),
    etag: optional(text("As read: fails if the board changed since")),
    title: optional(text(undefined, { least: 1, most: 100 })),
    color: optional(color()),
    archived: optional(flag()),
  }),
  output: boardWithEtag,
  requests: 2,
  notRecorded: "archiving a board",
  async run({ board_id, etag, title, color: chosenColor, archived }, nextcloud) {
    const activity = `changing the board ${board_id}`
    if (title === undefined && chosenColor === undefined && archived === undefined)
      throw nextcloudError("invalid", { activity, because: "there is nothing to change" })
    const board = await readBoard(nextcloud, board_id)
    assertUnchanged(nextcloud, board, etag, activity)
    const json = {
      title: title ?? board.text("title"),
      color: chosenColor ?? board.text("color"),
      archived: archived ?? board.flag("archived"),
    }
    const answer = await deck(nextcloud, { method: "PUT", path: `/boards/${board_id}`, json, activity })
    return toBoardWithEtag(nextcloud, fieldsOf(answer.json(), activity))
  },
})

const deleteBoard = defineTool({
  name: "nc_deck_delete_board",
  title: "Delete a Deck board",
  description: "Deletes a board with all its lists and cards, for all who share it.",
  scopes: ["deck.write"],
  effect: "remove",
  reach: "ended",
  input: object({ board_id: integer() }),
  output: object({ deleted: text("Its title") }),
  requests: 2,
  confirm: {
    requests: 2,
    verb: "Delete",
    async readLoss({ board_id }, nextcloud) {
      const [board, stacks] = await Promise.all([readBoard(nextcloud, board_id), readStacks(nextcloud, board_id)])
      const cards = stacks.reduce((sum, stack) => sum + stack.list("cards").length, 0)
      const shareCount = board.list("acl").length
      return {
        what: `the board “${board.text("title")}”`,
        details: [
          `${pluralize(stacks.length, "list")} with ${pluralize(cards, "card")}, and the archived ones.`,
          ...(shareCount === 0
            ? []
            : [`It is shared with ${pluralize(shareCount, "other", "others")}, who lose it too.`]),
        ],
        guard: board.text("ETag"),
      }
    },
  },
  async run({ board_id }, nextcloud, { loss }) {
    const activity = `deleting the board ${board_id}`
    const board = await readBoard(nextcloud, board_id)
    assertUnchanged(nextcloud, board, loss?.guard, activity)
    await deck(nextcloud, { method: "DELETE", path: `/boards/${board_id}`, activity })
    return { deleted: board.text("title") }
  },
})

function assertUnchanged(nextcloud: Nextcloud, board: Fields, etag: string | undefined, activity: string): void {
  if (etag === undefined || etag === board.text("ETag")) return
  throw nextcloudError("conflict", { activity, current: toBoardWithEtag(nextcloud, board) })
}

export const boardTools = [listBoards, getBoard, createBoard, updateBoard, deleteBoard]
