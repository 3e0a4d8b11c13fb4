// A board, its lists and cards, for the tests of Deck.

import { deckTools } from "../../src/tools/deck/deck.ts"
import type { UnrecordedAnswer } from "../recorded.ts"
import { recorded } from "../recorded.ts"
import { createRecordedCaller } from "./recorded-call.ts"

export const callRecorded = createRecordedCaller(deckTools)
export const api = "/index.php/apps/deck/api/v1.0"
/** Version 1.1 of the API, which includes files that were attached by sharing. */
export const newer = "/index.php/apps/deck/api/v1.1"
export const ocs = "/ocs/v2.php/apps/deck/api/v1.0"
export const card = { board_id: 2, stack_id: 9, card_id: 11 }

export const stack: UnrecordedAnswer = {
  path: `${api}/boards/2/stacks/9`,
  body: { id: 9, title: "To do", boardId: 2, order: 1, ETag: "e", cards: [{ id: 12, title: "Card 0" }] },
}

export const fullStacks: UnrecordedAnswer = {
  path: `${api}/boards/2/stacks`,
  body: [
    { id: 10, title: "Later", order: 2 },
    {
      id: 9,
      title: "To do",
      order: 1,
      cards: [
        cardOf(13, { order: 3, overdue: 3, assignedUsers: [{ participant: { uid: "bob" }, type: 0 }] }),
        cardOf(12, { order: 2, description: "buy Milk and bread", labels: [{ id: 6, title: "Home" }] }),
        cardOf(11, { order: 1, done: "2026-11-15T08:00:00+00:00" }),
      ],
    },
  ],
}

export function cardOf(id: number, more: object = {}) {
  const owner = { primaryKey: "alice", uid: "alice", displayname: "Alice Example", type: 0 }
  const empty = { description: "", labels: [], assignedUsers: [], attachments: [], duedate: null, done: null }
  return { id, title: `Card ${id}`, stackId: 9, type: "plain", lastModified: 1794727054, owner, ...empty, ...more }
}

export const whole = (more: object = {}): UnrecordedAnswer => ({
  path: `${api}/boards/2/stacks/9/cards/11`,
  body: cardOf(11, { order: 4, archived: false, ...more }),
})

export async function etagOf(answer: UnrecordedAnswer): Promise<string> {
  const { output } = await callRecorded("nc_deck_get_card", card, recorded("deck", [], [answer]))
  return String(output.etag)
}
