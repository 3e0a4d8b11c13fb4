// Deck: what is sent to write, change, move and delete cards.

import { describe, expect, it } from "vitest"
import { deckTools } from "../../src/tools/deck/deck.ts"
import { aboutOf, toolOf } from "../fits.ts"
import { connect } from "../nextcloud.ts"
import type { UnrecordedAnswer } from "../recorded.ts"
import { recorded } from "../recorded.ts"
import { api, callRecorded, card, cardOf, etagOf, whole } from "./deck-world.ts"
import { failing } from "./recorded-call.ts"

describe("writing cards", () => {
  it("creates a card at the end of its list", async () => {
    const input = { board_id: 2, stack_id: 9, title: "Kärte ✓", description: "# Hi", due: "2026-12-01T10:00:00+00:00" }
    const { output, sent } = await callRecorded("nc_deck_create_card", input, recorded("deck", ["create card"]))
    const body = `{"title":"Kärte ✓","type":"plain","order":999,"description":"# Hi","duedate":"2026-12-01T10:00:00+00:00"}`
    expect(sent).toEqual([`POST ${api}/boards/2/stacks/9/cards ${body}`])
    expect(output).toMatchObject({ id: 11, board_id: 2, stack_id: 9 })
  })

  it.each([
    ["2026-12-01T10:00:00+02:00", "2026-12-01T08:00:00+00:00"],
    ["2026-12-01T18:00:00.123Z", "2026-12-01T18:00:00+00:00"],
  ])("sends %s as %s, since Deck drops the offset and keeps the hours", async (due, duedate) => {
    const create = { board_id: 2, stack_id: 9, title: "x", due }
    const created = await callRecorded("nc_deck_create_card", create, recorded("deck", ["create card"]))
    expect(created.sent[0]).toContain(`"duedate":"${duedate}"`)
    const change = { ...card, etag: await etagOf(whole()), due }
    const changed = await callRecorded("nc_deck_update_card", change, recorded("deck", ["update card"], [whole()]))
    expect(changed.sent[1]).toContain(`"duedate":"${duedate}"`)
  })

  it("reads a due date without an offset as UTC", async () => {
    const input = { ...card, etag: await etagOf(whole()), due: "2026-12-01T18:00:00" }
    const { sent } = await callRecorded("nc_deck_update_card", input, recorded("deck", ["update card"], [whole()]))
    expect(sent[1]).toContain('"duedate":"2026-12-01T18:00:00+00:00"')
  })

  it("refuses a due date that is not a date", async () => {
    const input = { ...card, etag: "x", due: "tomorrow" }
    expect((await failing(callRecorded("nc_deck_update_card", input, recorded("deck", [])))).kind).toBe("invalid")
  })

  it("sends all unchanged fields of a card back, with its owner's id", async () => {
    const before = whole({
      description: "old",
      duedate: "2026-12-01T10:00:00+00:00",
      done: "2026-11-15T08:00:00+00:00",
      startdate: "2026-11-01T10:00:00+00:00",
      color: "ff0000",
    })
    const etag = await etagOf(before)
    const { sent } = await callRecorded(
      "nc_deck_update_card",
      { ...card, etag, title: "Neu" },
      recorded("deck", ["update card"], [before]),
    )
    expect(sent).toHaveLength(2)
    expect(JSON.parse(sent[1]?.replace(/^PUT \S+ /, "") ?? "")).toEqual({
      title: "Neu",
      type: "plain",
      owner: "alice",
      order: 4,
      description: "old",
      duedate: "2026-12-01T10:00:00+00:00",
      done: "2026-11-15T08:00:00+00:00",
      startdate: "2026-11-01T10:00:00+00:00",
      color: "ff0000",
    })
  })

  it("keeps a card in its current list, whatever list the caller names", async () => {
    const before = whole({ stackId: 10 })
    const etag = await etagOf(before)
    const moved: UnrecordedAnswer = { method: "PUT", path: `${api}/boards/2/stacks/10/cards/11`, body: cardOf(11) }
    const { sent } = await callRecorded(
      "nc_deck_update_card",
      { ...card, etag, due: "" },
      recorded("deck", [], [before, moved]),
    )
    expect(sent[1]).toMatch(new RegExp(`^PUT ${api}/boards/2/stacks/10/cards/11 .*"duedate":null`))
  })

  it.each([
    [{ archived: true }, { archived: true }],
    [{ done: true }, { done: expect.stringMatching(/^20\d\d-.*Z$/) }],
    [{ owner: "bob" }, { owner: "bob" }],
    [{ description: "" }, { description: "" }],
  ])("sends %j in the form that Deck expects", async (change, expected) => {
    const etag = await etagOf(whole())
    const { sent } = await callRecorded(
      "nc_deck_update_card",
      { ...card, etag, ...change },
      recorded("deck", ["update card"], [whole()]),
    )
    expect(JSON.parse(sent[1]?.replace(/^PUT \S+ /, "") ?? "")).toMatchObject(expected)
  })

  it("does not send archived for an archived card, which Deck would refuse", async () => {
    const before = whole({ archived: true })
    const input = { ...card, etag: await etagOf(before), title: "x", archived: true }
    const { sent } = await callRecorded("nc_deck_update_card", input, recorded("deck", ["update card"], [before]))
    expect(sent[1]).not.toMatch(/archived/)
  })

  it("does not overwrite a card that has changed since it was read, and returns the current one", async () => {
    const { nextcloud, requests } = connect(recorded("deck", ["get card"]))
    const input = { ...card, etag: "stale", title: "Neu" }
    const error = await failing(toolOf(deckTools, "nc_deck_update_card").run(input, nextcloud, {} as never))
    expect(error.kind).toBe("conflict")
    expect(error.current).toMatchObject({ title: "Kärte ✓", content: "# Markdown\n- [ ] ünï" })
    expect(requests.map(({ method }) => method)).toEqual(["GET"])
  })

  it("moves a card by the list in the path, since Deck ignores the list in the body", async () => {
    const answer: UnrecordedAnswer = {
      method: "PUT",
      path: `${api}/boards/2/stacks/10/cards/11/reorder`,
      body: [{ ...cardOf(11), stackId: 10, order: 0, owner: "alice", labels: null, assignedUsers: null }],
    }
    const { output, sent } = await callRecorded(
      "nc_deck_move_card",
      { ...card, to_stack_id: 10, position: 0 },
      recorded("deck", [], [answer]),
    )
    expect(sent).toEqual([`PUT ${api}/boards/2/stacks/10/cards/11/reorder {"order":0,"stackId":10}`])
    expect(output).toMatchObject({ id: 11, stack_id: 10, order: 0 })
  })

  it("fails when Deck left the card where it was", async () => {
    const path = `${api}/boards/2/stacks/10/cards/11/reorder`
    const answering = recorded("deck", [], [{ method: "PUT", path, body: [cardOf(11)] }])
    const error = await failing(callRecorded("nc_deck_move_card", { ...card, to_stack_id: 10 }, answering))
    expect(error.kind).toBe("malformed")
  })

  it("moves a card to another board with all its fields", async () => {
    const answers: readonly UnrecordedAnswer[] = [
      whole({ description: "old", done: "2026-11-15T08:00:00+00:00" }),
      { method: "PUT", path: `${api}/boards/3/stacks/30/cards/11`, body: { ...cardOf(11), stackId: 30 } },
    ]
    const input = { ...card, to_board_id: 3, to_stack_id: 30 }
    const { output, sent } = await callRecorded("nc_deck_move_card", input, recorded("deck", [], answers))
    expect(sent[1]).toMatch(/"order":999,"description":"old","duedate":null,"done":"2026-11-15T08:00:00\+00:00"/)
    expect(output).toMatchObject({ board_id: 3, stack_id: 30 })
  })

  it("shows the card's title before it is deleted, and deletes only what was shown", async () => {
    const { nextcloud } = connect(recorded("deck", ["get card"]))
    const loss = await aboutOf(toolOf(deckTools, "nc_deck_delete_card"), card, nextcloud)
    expect(loss.what).toBe("the card “Kärte ✓”")
    const gone: UnrecordedAnswer = { method: "DELETE", path: `${api}/boards/2/stacks/9/cards/11`, body: cardOf(11) }
    const { output, sent } = await callRecorded(
      "nc_deck_delete_card",
      card,
      recorded("deck", ["get card"], [gone]),
      loss,
    )
    expect(sent.map((one) => one.split(" ")[0])).toEqual(["GET", "DELETE"])
    expect(output).toEqual({ deleted: "Kärte ✓" })
    const changed = recorded("deck", [], [whole(), gone])
    expect((await failing(callRecorded("nc_deck_delete_card", card, changed, loss))).kind).toBe("conflict")
  })
})
