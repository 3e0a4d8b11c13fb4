// Deck: what is sent to write boards, lists, labels, comments and attachments.

import { describe, expect, it } from "vitest"
import { toParts } from "../../src/tools/deck/comments.ts"
import { deckTools } from "../../src/tools/deck/deck.ts"
import { aboutOf, toolOf } from "../fits.ts"
import { connect } from "../nextcloud.ts"
import type { UnrecordedAnswer } from "../recorded.ts"
import { recorded } from "../recorded.ts"
import { api, callRecorded, card, newer, ocs, stack, whole } from "./deck-world.ts"
import { failing } from "./recorded-call.ts"

const label15: UnrecordedAnswer = {
  path: `${api}/boards/2/labels/15`,
  body: { id: 15, title: "Wïchtig", color: "31CC7C" },
}
const attached = whole({ attachments: [{ id: 4, type: "file", data: "plan.md", extendedData: { filesize: 12 } }] })
const note = { id: 71, actorId: "alice", message: "new", creationDateTime: "2026-11-15T07:17:52+00:00" }
const enveloped = (data: unknown) => ({ ocs: { meta: { status: "ok", statuscode: 200 }, data } })

const writes: readonly [string, object, readonly string[], readonly UnrecordedAnswer[], readonly string[]][] = [
  [
    "nc_deck_create_board",
    { title: "A", color: "ff8800" },
    ["create board"],
    [],
    [`POST ${api}/boards {"title":"A","color":"ff8800"}`],
  ],
  [
    "nc_deck_update_board",
    { board_id: 2, title: "B" },
    ["get board", "update board"],
    [],
    [`GET ${api}/boards/2`, `PUT ${api}/boards/2 {"title":"B","color":"ff8800","archived":false}`],
  ],
  [
    "nc_deck_delete_board",
    { board_id: 2 },
    ["get board", "delete board"],
    [],
    [`GET ${api}/boards/2`, `DELETE ${api}/boards/2`],
  ],
  [
    "nc_deck_share_board",
    { board_id: 2, id: "bob", access: "edit" },
    ["get board", "share board with bob"],
    [],
    [
      `GET ${api}/boards/2`,
      `POST ${api}/boards/2/acl {"type":0,"participant":"bob","permissionEdit":true,"permissionShare":false,"permissionManage":false}`,
    ],
  ],
  [
    "nc_deck_share_board",
    { board_id: 2, id: "bob", access: "manage" },
    ["bob reads board"],
    [
      {
        method: "PUT",
        path: `${api}/boards/2/acl/1`,
        body: {
          id: 1,
          participant: { uid: "bob" },
          type: 0,
          permissionEdit: true,
          permissionShare: true,
          permissionManage: true,
        },
      },
    ],
    [
      `GET ${api}/boards/2`,
      `PUT ${api}/boards/2/acl/1 {"permissionEdit":true,"permissionShare":true,"permissionManage":true}`,
    ],
  ],
  [
    "nc_deck_unshare_board",
    { board_id: 2, id: "bob" },
    ["bob reads board"],
    [{ method: "DELETE", path: `${api}/boards/2/acl/1`, body: {} }],
    [`GET ${api}/boards/2`, `DELETE ${api}/boards/2/acl/1`],
  ],
  [
    "nc_deck_save_stack",
    { board_id: 2, title: "To do", order: 1 },
    ["create stack"],
    [],
    [`POST ${api}/boards/2/stacks {"title":"To do","order":1}`],
  ],
  [
    "nc_deck_save_stack",
    { board_id: 2, stack_id: 9, order: 5 },
    [],
    [stack, { ...stack, method: "PUT" }],
    [`GET ${api}/boards/2/stacks/9`, `PUT ${api}/boards/2/stacks/9 {"title":"To do","order":5}`],
  ],
  [
    "nc_deck_delete_stack",
    { board_id: 2, stack_id: 9 },
    [],
    [stack, { ...stack, method: "DELETE" }],
    [`GET ${api}/boards/2/stacks/9`, `DELETE ${api}/boards/2/stacks/9`],
  ],
  [
    "nc_deck_save_label",
    { board_id: 2, title: "Wïchtig" },
    ["create label"],
    [],
    [`POST ${api}/boards/2/labels {"title":"Wïchtig","color":"31CC7C"}`],
  ],
  [
    "nc_deck_save_label",
    { board_id: 2, label_id: 15, color: "000000" },
    [],
    [label15, { ...label15, method: "PUT" }],
    [`GET ${api}/boards/2/labels/15`, `PUT ${api}/boards/2/labels/15 {"title":"Wïchtig","color":"000000"}`],
  ],
  [
    "nc_deck_delete_label",
    { board_id: 2, label_id: 15 },
    [],
    [label15, { ...label15, method: "DELETE" }],
    [`GET ${api}/boards/2/labels/15`, `DELETE ${api}/boards/2/labels/15`],
  ],
  [
    "nc_deck_set_card_label",
    { ...card, stack_id: 10, label_id: 15 },
    ["assign label"],
    [{ ...whole(), path: `${api}/boards/2/stacks/10/cards/11` }],
    [`GET ${newer}/boards/2/stacks/10/cards/11`, `PUT ${api}/boards/2/stacks/10/cards/11/assignLabel {"labelId":15}`],
  ],
  [
    "nc_deck_set_card_label",
    { ...card, label_id: 15, assigned: false },
    [],
    [{ method: "PUT", path: `${api}/boards/2/stacks/9/cards/11/removeLabel`, body: "null" }],
    [`PUT ${api}/boards/2/stacks/9/cards/11/removeLabel {"labelId":15}`],
  ],
  [
    "nc_deck_set_card_user",
    { ...card, stack_id: 10, user_id: "bob" },
    ["assign user"],
    [],
    [`PUT ${api}/boards/2/stacks/10/cards/11/assignUser {"userId":"bob"}`],
  ],
  [
    "nc_deck_set_card_user",
    { ...card, user_id: "devs", kind: "group", assigned: false },
    [],
    [{ method: "PUT", path: `${api}/boards/2/stacks/9/cards/11/unassignUser`, body: {} }],
    [`PUT ${api}/boards/2/stacks/9/cards/11/unassignUser {"userId":"devs","type":1}`],
  ],
  [
    "nc_deck_set_dependent_card",
    { ...card, dependent_card_id: 12 },
    [],
    [{ method: "POST", path: `${api}/boards/2/stacks/9/cards/11/dependentCards/12`, body: {} }],
    [`POST ${api}/boards/2/stacks/9/cards/11/dependentCards/12`],
  ],
  [
    "nc_deck_set_dependent_card",
    { ...card, dependent_card_id: 12, assigned: false },
    [],
    [{ method: "DELETE", path: `${api}/boards/2/stacks/9/cards/11/dependentCards/12`, body: {} }],
    [`DELETE ${api}/boards/2/stacks/9/cards/11/dependentCards/12`],
  ],
  [
    "nc_deck_attach_file",
    { card_id: 11, path: "/Größe/plan.md" },
    [],
    [{ method: "POST", path: "/ocs/v2.php/apps/files_sharing/api/v1/shares", body: enveloped({ id: "7" }) }],
    [
      `POST /ocs/v2.php/apps/files_sharing/api/v1/shares?format=json {"path":"/Größe/plan.md","shareType":12,"shareWith":"11","permissions":1}`,
    ],
  ],
  [
    "nc_deck_remove_attachment",
    { ...card, attachment_id: 4 },
    [],
    [attached, { method: "DELETE", path: `${newer}/boards/2/stacks/9/cards/11/attachments/file/4`, body: {} }],
    [`GET ${newer}/boards/2/stacks/9/cards/11`, `DELETE ${newer}/boards/2/stacks/9/cards/11/attachments/file/4`],
  ],
  [
    "nc_deck_create_comment",
    { card_id: 11, message: "Kömmentar 🦊", reply_to: 70 },
    ["OCS comments create"],
    [],
    [`POST ${ocs}/cards/11/comments?format=json {"message":"Kömmentar 🦊","parentId":70}`],
  ],
  [
    "nc_deck_update_comment",
    { card_id: 11, comment_id: 71, message: "new" },
    [],
    [{ method: "PUT", path: `${ocs}/cards/11/comments/71`, body: enveloped(note) }],
    [`PUT ${ocs}/cards/11/comments/71?format=json {"message":"new"}`],
  ],
  [
    "nc_deck_delete_comment",
    { card_id: 11, comment_id: 71 },
    ["OCS comments list"],
    [{ method: "DELETE", path: `${ocs}/cards/11/comments/71`, body: enveloped([]) }],
    [`GET ${ocs}/cards/11/comments?limit=200&offset=0&format=json`, `DELETE ${ocs}/cards/11/comments/71?format=json`],
  ],
]

describe("writing to Deck", () => {
  it.each(writes)("%s with %j sends exactly what Deck takes", async (name, input, labels, answers, expected) => {
    const { sent } = await callRecorded(name, input, recorded("deck", labels, answers))
    expect(sent).toEqual(expected)
  })

  it("sends the header that Nextcloud requires for bearer tokens", async () => {
    const { nextcloud, requests } = connect(recorded("deck", ["boards"]))
    await toolOf(deckTools, "nc_deck_list_boards").run({}, nextcloud, {} as never)
    expect(requests[0]?.headers.get("ocs-apirequest")).toBe("true")
  })

  it("succeeds when the user is already assigned, and fails for an unknown user", async () => {
    const input = { ...card, stack_id: 10, user_id: "bob" }
    await expect(
      callRecorded("nc_deck_set_card_user", input, recorded("deck", ["assign user twice"])),
    ).resolves.toBeDefined()
    const error = await failing(callRecorded("nc_deck_set_card_user", input, recorded("deck", ["assign unknown user"])))
    expect(error.message).toMatch(/not part of the board/)
  })

  it("succeeds when the user to remove was never assigned, but not for any other 404", async () => {
    const path = `${api}/boards/2/stacks/9/cards/11/unassignUser`
    const body = { status: 404, message: "No assignment for bobfound." }
    const input = { ...card, user_id: "bob", assigned: false }
    const answering = (more: object) => recorded("deck", [], [{ method: "PUT", path, status: 404, body: more }])
    expect((await callRecorded("nc_deck_set_card_user", input, answering(body))).output).toMatchObject({
      assigned: false,
    })
    expect((await failing(callRecorded("nc_deck_set_card_user", input, answering({})))).kind).toBe("not_found")
  })

  it("does not put a label on a card twice, which Deck would do", async () => {
    const labelled = whole({ labels: [{ id: 15, title: "Wïchtig" }] })
    const { sent } = await callRecorded(
      "nc_deck_set_card_label",
      { ...card, label_id: 15 },
      recorded("deck", [], [labelled]),
    )
    expect(sent).toEqual([`GET ${newer}/boards/2/stacks/9/cards/11`])
  })

  it("names both cards when a dependency cannot be added", async () => {
    const input = { ...card, dependent_card_id: 12 }
    const path = `${api}/boards/2/stacks/9/cards/11/dependentCards/12`
    const answering = recorded("deck", [], [{ method: "POST", path, status: 403, body: {} }])
    const error = await failing(callRecorded("nc_deck_set_dependent_card", input, answering))
    expect(error.message).toMatch(/^Adding the dependency of the card 11 on the card 12 failed/)
  })

  it("asks for the type when two attachments share an id, since each type has its own ids", async () => {
    const attachments = [
      { id: 4, type: "deck_file", data: "old.md", deletedAt: 0 },
      { id: 4, type: "file", data: "plan.md", deletedAt: 0 },
    ]
    const gone: UnrecordedAnswer = {
      method: "DELETE",
      path: `${newer}/boards/2/stacks/9/cards/11/attachments/deck_file/4`,
      body: {},
    }
    const answering = recorded("deck", [], [whole({ attachments }), gone])
    const input = { ...card, attachment_id: 4 }
    const error = await failing(callRecorded("nc_deck_remove_attachment", input, answering))
    expect(error.message).toMatch(/“old.md” is a deck_file, “plan.md” a file.*`type`/)
    const { output } = await callRecorded("nc_deck_remove_attachment", { ...input, type: "deck_file" }, answering)
    expect(output).toEqual({ removed: "old.md" })
  })

  it("reports an archived board, although Deck reports an internal error", async () => {
    const body = { status: 500, message: "Operation not allowed. This board is archived." }
    const answer: UnrecordedAnswer = { method: "POST", path: `${api}/boards/2/stacks`, status: 500, body }
    const error = await failing(
      callRecorded("nc_deck_save_stack", { board_id: 2, title: "x" }, recorded("deck", [], [answer])),
    )
    expect(error.kind).toBe("invalid")
    expect(error.message).toMatch(/This board is archived.*unarchived/)
  })

  it("passes on Deck's own reason where there is one", async () => {
    const reason = "Creating boards has been disabled for your account."
    const answer: UnrecordedAnswer = {
      method: "POST",
      path: `${api}/boards`,
      status: 403,
      body: { status: 403, message: reason },
    }
    const error = await failing(callRecorded("nc_deck_create_board", { title: "x" }, recorded("deck", [], [answer])))
    expect(error.kind).toBe("forbidden")
    expect(error.message).toContain(reason)
    expect(error.message).not.toMatch(/no difference/)
  })

  it("says that the account may not change it, or that it does not exist", async () => {
    const input = { board_id: 2, stack_id: 9, title: "no" }
    const error = await failing(
      callRecorded("nc_deck_create_card", input, recorded("deck", ["bob creates card without edit (403)"])),
    )
    expect(error.kind).toBe("forbidden")
    expect(error.message).toMatch(/does not exist/)
  })

  it("does not change a board that changed since it was read, and returns the current one", async () => {
    const input = { board_id: 2, title: "B", etag: "stale" }
    const error = await failing(callRecorded("nc_deck_update_board", input, recorded("deck", ["get board"])))
    expect(error).toMatchObject({ kind: "conflict", current: { title: "Projekt 测试 🦊" } })
  })

  it("refuses a comment that is too long before it is sent, and splits it on request", async () => {
    const message = `${"a".repeat(700)}\n\n${"b ".repeat(400)}`
    const answering = recorded("deck", ["OCS comments create"])
    const error = await failing(callRecorded("nc_deck_create_comment", { card_id: 11, message }, answering))
    expect(error.message).toMatch(/at most 1000/)
    const { sent } = await callRecorded("nc_deck_create_comment", { card_id: 11, message, split: true }, answering)
    expect(sent).toHaveLength(2)
    expect(toParts("🦊".repeat(1001)).map((part) => [...part].length)).toEqual([1000, 1])
  })

  it("looks up the path of a file given by its id", async () => {
    const multistatus = `<?xml version="1.0"?><d:multistatus xmlns:d="DAV:"><d:response><d:href>/remote.php/dav/files/alice/Gr%C3%B6%C3%9Fe/plan.md</d:href><d:propstat><d:prop><d:getetag>x</d:getetag></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response></d:multistatus>`
    const who = `<?xml version="1.0"?><d:multistatus xmlns:d="DAV:"><d:response><d:href>/remote.php/dav/</d:href><d:propstat><d:prop><d:current-user-principal><d:href>/remote.php/dav/principals/users/alice/</d:href></d:current-user-principal></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response></d:multistatus>`
    const answers: readonly UnrecordedAnswer[] = [
      { method: "PROPFIND", path: "/remote.php/dav/", status: 207, type: "application/xml", body: who },
      { method: "SEARCH", path: "/remote.php/dav/", status: 207, type: "application/xml", body: multistatus },
      { method: "POST", path: "/ocs/v2.php/apps/files_sharing/api/v1/shares", body: enveloped({ id: "7" }) },
    ]
    const { output } = await callRecorded(
      "nc_deck_attach_file",
      { card_id: 11, file_id: 42 },
      recorded("deck", [], answers),
    )
    expect(output).toEqual({ card_id: 11, path: "/Größe/plan.md", share_id: "7" })
  })

  it.each([
    ["nc_deck_delete_board", { board_id: 2 }, ["get board", "stacks"], [], /the board “Projekt 测试 🦊”/],
    ["nc_deck_delete_stack", { board_id: 2, stack_id: 9 }, [], [stack], /the list “To do”/],
    ["nc_deck_delete_label", { board_id: 2, label_id: 15 }, [], [label15], /the label “Wïchtig”/],
    ["nc_deck_unshare_board", { board_id: 2, id: "bob" }, ["bob reads board"], [], /“Projekt ✓” with Bob Example/],
    ["nc_deck_delete_comment", { card_id: 11, comment_id: 71 }, ["OCS comments list"], [], /“Kömmentar 🦊”/],
    ["nc_deck_remove_attachment", { ...card, attachment_id: 4 }, [], [attached], /“plan.md” of the card/],
    ["nc_deck_attach_file", { card_id: 11, path: "/Taxes.pdf" }, [], [], /the file “\/Taxes.pdf”/],
  ] as const)(
    "%s names what will be lost, with the stated number of requests",
    async (name, input, labels, answers, what) => {
      const { nextcloud, requests } = connect(recorded("deck", labels, answers))
      const tool = toolOf(deckTools, name)
      expect((await aboutOf(tool, input, nextcloud)).what).toMatch(what)
      expect(requests).toHaveLength(tool.confirm?.requests ?? -1)
    },
  )
})
