// One call of each tool of Deck. The stand-in answers from recordings: the board 2, the lists 9 and 10, the card 11.

import { deckTools } from "../../src/tools/deck/deck.ts"
import { toolOf } from "../fits.ts"
import { answering, enveloped } from "./answers.ts"
import { written } from "./files.ts"
import type { Samples, SampleWorld } from "./sample.ts"

const card = { board_id: 2, stack_id: 9, card_id: 11 }
const missingCard = { board_id: 2, stack_id: 9, card_id: 99999 }
const cards = "/apps/deck/api/v1.0/boards/2/stacks/9/cards/11"
const newer = "/apps/deck/api/v1.1/boards/2/stacks/9/cards/11"
const labels = "/apps/deck/api/v1.0/boards/2/labels/15"
const stack = "/apps/deck/api/v1.0/boards/2/stacks/9"
const label = { id: 15, title: "Important", color: "31CC7C", boardId: 2 }
const todo = { id: 9, title: "To do", boardId: 2, order: 1, cards: [], ETag: "0" }
const acl = {
  id: 1,
  participant: { uid: "bob" },
  type: 0,
  permissionEdit: true,
  permissionShare: false,
  permissionManage: false,
}

const withLabel = (world: SampleWorld, ...methods: readonly string[]) => {
  for (const method of ["GET", ...methods]) answering(world, method, labels, label)
}

const withStack = (world: SampleWorld, ...methods: readonly string[]) => {
  for (const method of ["GET", ...methods]) answering(world, method, stack, todo)
}

async function etagOf({ alice }: SampleWorld): Promise<string> {
  const read = (await toolOf(deckTools, "nc_deck_get_card").run(card, alice, undefined as never)) as { etag: string }
  return read.etag
}

function withSharedBoard(world: SampleWorld): void {
  const owner = { uid: "alice" }
  const board = { id: 2, title: "Project", owner, color: "00aa00", archived: false, acl: [acl], ETag: "0" }
  answering(world, "GET", "/apps/deck/api/v1.0/boards/2", board)
  answering(world, "DELETE", "/apps/deck/api/v1.0/boards/2/acl/1", {})
}

function withAttachment(world: SampleWorld): void {
  const attachments = [{ id: 4, type: "file", data: "plan.md", extendedData: { filesize: 12 } }]
  const owner = { uid: "alice" }
  answering(world, "GET", newer, { id: 11, title: "Card", stackId: 9, owner, lastModified: 1794727054, attachments })
  answering(world, "DELETE", `${newer}/attachments/file/4`, {})
}

const comment = { id: 71, actorId: "alice", message: "New", creationDateTime: "2026-11-15T07:17:52+00:00" }
const comments = "/ocs/v2.php/apps/deck/api/v1.0/cards/11/comments/71"

export const deckSamples: Samples = {
  nc_deck_list_boards: { arguments: () => ({}) },
  nc_deck_get_board: { arguments: () => ({ board_id: 2 }), missing: { board_id: 99999 } },
  nc_deck_create_board: { arguments: () => ({ title: "Board", color: "ff8800" }) },
  nc_deck_update_board: {
    arguments: () => ({ board_id: 2, title: "Project" }),
    missing: { board_id: 99999, title: "x" },
    conflict: () => ({ board_id: 2, title: "x", etag: "stale" }),
  },
  nc_deck_delete_board: { arguments: () => ({ board_id: 2 }), missing: { board_id: 99999 } },
  nc_deck_share_board: {
    arguments: () => ({ board_id: 2, id: "carol" }),
    missing: { board_id: 99999, id: "bob" },
  },
  nc_deck_unshare_board: {
    arguments(world) {
      withSharedBoard(world)
      return { board_id: 2, id: "bob" }
    },
    missing: { board_id: 99999, id: "bob" },
  },
  nc_deck_save_stack: {
    arguments: () => ({ board_id: 2, title: "To do" }),
    missing: { board_id: 2, stack_id: 99999, title: "x" },
  },
  nc_deck_delete_stack: {
    arguments(world) {
      withStack(world, "DELETE")
      return { board_id: 2, stack_id: 9 }
    },
    missing: { board_id: 2, stack_id: 99999 },
  },
  nc_deck_save_label: { arguments: () => ({ board_id: 2, title: "Important" }) },
  nc_deck_delete_label: {
    arguments(world) {
      withLabel(world, "DELETE")
      return { board_id: 2, label_id: 15 }
    },
  },
  nc_deck_list_cards: { arguments: () => ({ board_id: 2 }) },
  nc_deck_search_cards: { arguments: () => ({ query: "Card", limit: 2 }) },
  nc_deck_get_card: { arguments: () => card, missing: missingCard },
  nc_deck_create_card: {
    arguments: () => ({ board_id: 2, stack_id: 9, title: "Card" }),
    foreign: { board_id: 2, stack_id: 99999, title: "x" },
  },
  nc_deck_update_card: {
    arguments: async (world) => ({ ...card, etag: await etagOf(world), title: "New" }),
    missing: { ...missingCard, etag: "x", title: "x" },
    conflict: () => ({ ...card, etag: "stale", title: "x" }),
  },
  nc_deck_move_card: { arguments: () => ({ ...card, to_stack_id: 9, position: 0 }) },
  nc_deck_delete_card: {
    arguments(world) {
      answering(world, "DELETE", cards, { id: 11 })
      return card
    },
    missing: missingCard,
  },
  nc_deck_set_card_label: { arguments: () => ({ ...card, stack_id: 10, label_id: 15 }) },
  nc_deck_set_card_user: { arguments: () => ({ ...card, stack_id: 10, user_id: "bob" }) },
  nc_deck_set_dependent_card: {
    arguments(world) {
      answering(world, "POST", `${cards}/dependentCards/12`, {})
      return { ...card, dependent_card_id: 12 }
    },
  },
  nc_deck_attach_file: {
    async arguments(world) {
      answering(world, "POST", "/ocs/v2.php/apps/files_sharing/api/v1/shares", enveloped({ id: "7" }))
      await written(world.alice, "/attached.md")
      return { card_id: 11, path: "/attached.md" }
    },
  },
  nc_deck_remove_attachment: {
    arguments(world) {
      withAttachment(world)
      return { ...card, attachment_id: 4 }
    },
    missing: { ...missingCard, attachment_id: 4 },
  },
  nc_deck_list_comments: { arguments: () => ({ card_id: 11, limit: 20 }) },
  nc_deck_create_comment: { arguments: () => ({ card_id: 11, message: "Hello" }) },
  nc_deck_update_comment: {
    arguments(world) {
      answering(world, "PUT", comments, enveloped(comment))
      return { card_id: 11, comment_id: 71, message: "New" }
    },
  },
  nc_deck_delete_comment: {
    arguments(world) {
      answering(world, "DELETE", comments, enveloped([]))
      return { card_id: 11, comment_id: 71 }
    },
  },
}
