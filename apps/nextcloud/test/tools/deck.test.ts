// Deck: what its reading tools make of a real server's answers, and which tools are offered.

import { describe, expect, it } from "vitest"
import { toCapabilities } from "../../src/api/capabilities.ts"
import { deckTools } from "../../src/tools/deck/deck.ts"
import { deckPeer } from "../peer/deck.ts"
import type { UnrecordedAnswer } from "../recorded.ts"
import { recorded } from "../recorded.ts"
import { api, callRecorded, card, etagOf, fullStacks, newer, ocs, whole } from "./deck-world.ts"
import { failing } from "./recorded-call.ts"

describe("reading Deck", () => {
  it("lists the boards with their links to the web interface", async () => {
    const { output, sent } = await callRecorded("nc_deck_list_boards", {}, recorded("deck", ["boards"]))
    expect(sent).toEqual([`GET ${api}/boards`])
    expect(output).toMatchObject({
      total: 1,
      boards: [{ id: 1, owner: "alice", shared: false, url: "http://cloud.test/index.php/apps/deck/board/1" }],
    })
  })

  it("lists only archived boards when asked for them", async () => {
    const { output } = await callRecorded("nc_deck_list_boards", { archived: true }, recorded("deck", ["boards"]))
    expect(output).toEqual({ boards: [], total: 0 })
  })

  it("shows an overview of a board in two requests", async () => {
    const { output, sent } = await callRecorded(
      "nc_deck_get_board",
      { board_id: 2 },
      recorded("deck", ["bob reads board", "stacks"]),
    )
    expect(sent.toSorted()).toEqual([`GET ${api}/boards/2`, `GET ${api}/boards/2/stacks`])
    expect(output).toMatchObject({
      title: "Projekt ✓",
      stacks: [{ id: 9, title: "To do", cards: 0 }, { id: 10 }],
      members: ["alice", "bob"],
      shared_with: [{ id: "bob", kind: "user", access: "read" }],
    })
    expect(output.labels).toContainEqual({ id: 15, title: "Wïchtig", color: "31CC7C" })
  })

  it("counts cards that are done and overdue", async () => {
    const { output } = await callRecorded(
      "nc_deck_get_board",
      { board_id: 2 },
      recorded("deck", ["get board"], [fullStacks]),
    )
    expect(output.stacks).toContainEqual({ id: 9, title: "To do", order: 1, cards: 3, done: 1, overdue: 1 })
  })

  it("lists open cards in their order, with a preview of the requested length", async () => {
    const input = { board_id: 2, preview: 10 }
    const { output, sent } = await callRecorded("nc_deck_list_cards", input, recorded("deck", [], [fullStacks]))
    expect(sent).toEqual([`GET ${api}/boards/2/stacks`])
    const cards = output.cards as readonly { id: number; preview?: string }[]
    expect(cards.map(({ id, preview }) => [id, preview])).toEqual([
      [12, "buy Milk …"],
      [13, undefined],
    ])
    expect(output.total).toBe(2)
  })

  it.each([
    [{ status: "done" }, [11]],
    [{ status: "all", stack_id: 10 }, []],
    [{ label: "home" }, [12]],
    [{ assigned_to: "bob" }, [13]],
    [{ query: "bread MILK" }, [12]],
    [{ query: "butter" }, []],
    [{ status: "archived" }, [11]],
  ])("by the filter %j, finds the cards %j", async (wanted, ids) => {
    const answering = recorded("deck", ["archived stacks"], [fullStacks])
    const { output } = await callRecorded("nc_deck_list_cards", { board_id: 2, ...wanted }, answering)
    expect((output.cards as readonly { id: number }[]).map(({ id }) => id)).toEqual(ids)
  })

  it("reads a card with the etag that changing it needs", async () => {
    const { output, sent } = await callRecorded("nc_deck_get_card", card, recorded("deck", ["get card"]))
    expect(sent).toEqual([`GET ${newer}/boards/2/stacks/9/cards/11`])
    expect(output).toMatchObject({
      title: "Kärte ✓",
      content: "# Markdown\n- [ ] ünï",
      due: "2026-12-01T10:00:00+00:00",
      owner: "alice",
      etag: expect.stringMatching(/^[0-9a-f]{16}$/),
      url: "http://cloud.test/index.php/apps/deck/board/2/card/11",
    })
  })

  it("returns a new etag for new content, and the same etag after a move", async () => {
    const etag = await etagOf(whole())
    expect(await etagOf(whole({ description: "other" }))).not.toBe(etag)
    expect(await etagOf(whole({ done: "2026-11-15T08:00:00+00:00" }))).not.toBe(etag)
    expect(await etagOf(whole({ order: 9, lastModified: 1794799999, stackId: 10 }))).toBe(etag)
  })

  it("shows files attached by sharing, and no deleted ones", async () => {
    const attachments = [
      { id: 4, type: "file", data: "plan.md", deletedAt: 0, extendedData: { filesize: 12 } },
      { id: 4, type: "deck_file", data: "old.md", deletedAt: 1794727054 },
    ]
    const { output } = await callRecorded("nc_deck_get_card", card, recorded("deck", [], [whole({ attachments })]))
    expect(output.attachments).toEqual([{ id: 4, type: "file", name: "plan.md", size: 12 }])
  })

  it("searches all boards, and pages without missing a card changed in the same second", async () => {
    const input = { query: "Card", limit: 1 }
    const { output, sent } = await callRecorded("nc_deck_search_cards", input, recorded("deck", ["OCS search"]))
    expect(sent).toEqual([`GET ${ocs}/search?term=Card&limit=2&format=json`])
    expect(output).toMatchObject({ cards: [{ id: 12, board_id: 2, title: "Card 0" }] })
    const next = { ...input, cursor: String(output.next_cursor) }
    const again = await callRecorded("nc_deck_search_cards", next, recorded("deck", ["OCS search"]))
    expect(again.sent).toEqual([`GET ${ocs}/search?term=Card&limit=3&format=json`])
    expect(again.output).toMatchObject({ cards: [{ id: 13 }] })
    expect(again.output).not.toHaveProperty("next_cursor")
  })

  it("returns the upcoming cards when there is no query", async () => {
    const { output, sent } = await callRecorded(
      "nc_deck_search_cards",
      { limit: 3 },
      recorded("deck", ["OCS upcoming"]),
    )
    expect(sent).toEqual([`GET ${ocs}/overview/upcoming?format=json`])
    expect(output).toMatchObject({ cards: [{ board_id: 1 }, { board_id: 1 }, { board_id: 1 }] })
  })

  it("reads comments page by page", async () => {
    const { output, sent } = await callRecorded(
      "nc_deck_list_comments",
      { card_id: 11, limit: 1 },
      recorded("deck", ["OCS comments list"]),
    )
    expect(sent).toEqual([`GET ${ocs}/cards/11/comments?limit=1&offset=0&format=json`])
    expect(output).toMatchObject({
      comments: [{ id: 71, author: "alice", message: "Kömmentar 🦊" }],
      next_cursor: "at-1",
    })
  })

  it.each([
    ["nc_deck_get_board", { board_id: 99999 }, ["get board missing", "stacks"]],
    ["nc_deck_get_card", { ...card, card_id: 99999 }, ["get card missing"]],
    ["nc_deck_list_comments", { card_id: 99999 }, []],
  ])("%s says that something missing does not exist or is not yours", async (name, input, labels) => {
    const stacks: UnrecordedAnswer = { path: `${api}/boards/99999/stacks`, status: 403, body: {} }
    const refusal = { ocs: { meta: { status: "failure", statuscode: 403, message: "Permission denied" }, data: [] } }
    const comments: UnrecordedAnswer = { path: `${ocs}/cards/99999/comments`, status: 403, body: refusal }
    const error = await failing(callRecorded(name, input, recorded("deck", labels, [stacks, comments])))
    expect(error.kind).toBe("not_found")
    expect(error.message).toMatch(/does not exist, or is not yours/)
  })

  it("reports a malformed response", async () => {
    const broken: UnrecordedAnswer = { path: `${api}/boards`, body: [{ id: 1 }] }
    const error = await failing(callRecorded("nc_deck_list_boards", {}, recorded("deck", [], [broken])))
    expect(error.kind).toBe("malformed")
  })
})

describe("the offered tools of Deck", () => {
  const withDeck = (deck?: object) =>
    toCapabilities({ version: { string: "32.0.1", major: 32 }, capabilities: deck === undefined ? {} : { deck } })
  const offered = (deck?: object) => deckTools.filter((tool) => tool.offered?.(withDeck(deck))).map(({ name }) => name)

  it("are none without the app", () => expect(offered()).toEqual([]))

  it("include dependent cards from Deck 1.18 on", () => {
    expect(offered({ version: "1.16.7", canCreateBoards: true })).not.toContain("nc_deck_set_dependent_card")
    expect(offered({ version: "1.18.0", canCreateBoards: true })).toHaveLength(deckTools.length)
  })

  it("exclude new boards for accounts that may not create any", () => {
    expect(offered({ version: "1.18.0", canCreateBoards: false })).not.toContain("nc_deck_create_board")
  })

  it("include a counterpart for each of the peer's tools", () => {
    expect(Object.keys(deckPeer)).toHaveLength(38)
    const names = deckTools.map(({ name }) => name)
    for (const ours of Object.values(deckPeer)) expect(names).toContain(/^\w+/.exec(ours)?.[0])
  })
})
