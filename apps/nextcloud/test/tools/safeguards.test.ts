// Safeguards of all tools: only the confirmed object is removed, no argument is ignored, and unusual responses of real
// servers are understood.

import { filesOf } from "@holdpoint/nextcloud-stand-in"
import { describe, expect, it } from "vitest"
import { toCapabilities } from "../../src/api/capabilities.ts"
import { htmlToText } from "../../src/html.ts"
import { supportedTools } from "../../src/tool-selection.ts"
import { collectivesTools } from "../../src/tools/collectives/collectives.ts"
import { belowServer } from "../../src/tools/contacts/api.ts"
import { cookbookTools } from "../../src/tools/cookbook/cookbook.ts"
import { deckTools } from "../../src/tools/deck/deck.ts"
import { fileTools } from "../../src/tools/files/files.ts"
import { historyTools } from "../../src/tools/history/history.ts"
import { noteTools } from "../../src/tools/notes/notes.ts"
import { sharingTools } from "../../src/tools/sharing/sharing.ts"
import { statusTools } from "../../src/tools/status/status.ts"
import { tableTools } from "../../src/tools/tables/tables.ts"
import { talkTools } from "../../src/tools/talk/talk.ts"
import { aboutOf, callTool, reachOf, toolOf } from "../fits.ts"
import { always, connect } from "../nextcloud.ts"
import { createRecordedCaller } from "./recorded-call.ts"
import { openStage } from "./stage.ts"

const enveloped = (data: unknown, status = 200): Response =>
  Response.json({ ocs: { meta: { status: "ok", statuscode: status }, data } }, { status })

const multistatus = (responses: string): Response =>
  new Response(
    `<d:multistatus xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns" xmlns:nc="http://nextcloud.org/ns">${responses}</d:multistatus>`,
    { status: 207, headers: { "content-type": "application/xml" } },
  )

const response = (href: string, props: string): string =>
  `<d:response><d:href>${href}</d:href><d:propstat><d:prop>${props}</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>`

describe("the trash", () => {
  const trashed = (id: string, time: number) =>
    response(
      `/remote.php/dav/trashbin/alice/trash/${id}`,
      `<nc:trashbin-original-location>${id}</nc:trashbin-original-location><nc:trashbin-deletion-time>${time}</nc:trashbin-deletion-time>`,
    )

  it("is not emptied when an item in the middle was exchanged since the trash was shown", async () => {
    const self = response("/remote.php/dav/trashbin/alice/trash/", "")
    const of = (middle: string) =>
      connect(always(() => multistatus(self + trashed("c", 9) + trashed(middle, 5) + trashed("a", 1)))).nextcloud
    const empty = toolOf(historyTools, "nc_files_empty_trash")
    const loss = await aboutOf(empty, {}, of("draft.txt"))
    await expect(callTool(empty, {}, of("only-copy.txt"), { loss })).rejects.toMatchObject({ kind: "conflict" })
  })

  it("shows how much a folder holds before it is permanently deleted, in a single request", async () => {
    const stage = openStage()
    const files = filesOf(stage.standIn.world)
    files.put("alice", "/Plans/a.txt", "12345")
    files.put("alice", "/Plans/b.txt", "12345")
    files.put("alice", "/Plans/old/c.txt", "12345")
    files.remove("alice", "/Plans")
    const listed = toolOf(historyTools, "nc_files_list_trash")
    const { items } = await callTool<{ items: { id: string }[] }>(listed, {}, stage.alice.nextcloud)
    stage.alice.forget()
    const remove = toolOf(historyTools, "nc_files_delete_from_trash")
    const loss = await aboutOf(remove, { id: items[0]?.id }, stage.alice.nextcloud)
    expect(loss.details?.join(" ")).toContain("2 files and 1 folder directly in it")
    expect(stage.alice.requests).toHaveLength(1)
  })
})

describe("comments on files", () => {
  it("end when the server returns no more, whatever its count says", async () => {
    const file = response(
      "/remote.php/dav/files/alice/a.txt",
      "<d:getlastmodified>Sun, 15 Nov 2026 07:06:05 GMT</d:getlastmodified><d:getetag>x</d:getetag><oc:fileid>5</oc:fileid><oc:size>1</oc:size><oc:comments-count>9</oc:comments-count>",
    )
    let asked = 0
    const { nextcloud } = connect(always(() => multistatus(asked++ === 0 ? file : "")))
    const output = await callTool(toolOf(historyTools, "nc_files_list_comments"), { path: "/a.txt" }, nextcloud)
    expect(output).not.toHaveProperty("next_cursor")
  })
})

describe("reading a file", () => {
  it("refuses an offset in a file that is not text", async () => {
    const stage = openStage()
    filesOf(stage.standIn.world).put("alice", "/cat.png", new Uint8Array([137, 80, 78, 71, 0]))
    const read = callTool(
      toolOf(fileTools, "nc_files_read_file"),
      { path: "/cat.png", offset: 2 },
      stage.alice.nextcloud,
    )
    await expect(read).rejects.toMatchObject({ kind: "invalid", message: expect.stringContaining("offset") })
  })
})

describe("large accounts", () => {
  const props = (id: number) =>
    `<d:getlastmodified>Sun, 15 Nov 2026 07:06:05 GMT</d:getlastmodified><d:getetag>x</d:getetag><oc:fileid>${id}</oc:fileid><oc:size>1</oc:size>`

  it("can list a folder of 17,000 files", async () => {
    const padding = `<!--${"x".repeat(1_000)}-->`
    const folder = response(
      "/remote.php/dav/files/alice/",
      `<d:resourcetype><d:collection/></d:resourcetype>${props(1)}`,
    )
    const files = Array.from(
      { length: 17_000 },
      (_, at) => response(`/remote.php/dav/files/alice/${at}.jpg`, props(at + 2)) + padding,
    )
    const { nextcloud } = connect(always(() => multistatus(folder + files.join(""))))
    const listed = await callTool(toolOf(fileTools, "nc_files_list_directory"), { limit: 1 }, nextcloud)
    expect(listed).toMatchObject({ total: 17_000 })
  })

  it("can search more notes than the usual limit of a response allows", async () => {
    const note = {
      id: 1,
      title: "T",
      category: "",
      favorite: false,
      modified: 1,
      etag: "e",
      content: "x".repeat(1_000_000),
    }
    const { nextcloud } = connect(async () => Response.json(Array.from({ length: 17 }, () => note)))
    const result = await callTool(toolOf(noteTools, "nc_notes_search_notes"), { query: "t" }, nextcloud)
    expect(result).toMatchObject({ total: 17 })
  })
})

describe("appending to a note", () => {
  it("keeps what somebody else wrote in between", async () => {
    const note = { id: 5, title: "T", category: "", favorite: false, modified: 1 }
    const versions = ["one", "one and theirs"]
    let reads = 0
    const { nextcloud, requests } = connect(async ({ method, headers }) => {
      if (method === "GET") return Response.json({ ...note, etag: `e${reads}`, content: versions[reads++] })
      if (headers.get("if-match") === '"e1"') return Response.json({ ...note, etag: "e2", content: "written" })
      return Response.json({ ...note, etag: "e1", content: versions[1] }, { status: 412 })
    })
    await callTool(toolOf(noteTools, "nc_notes_append_content"), { note_id: 5, content: "mine" }, nextcloud)
    expect(JSON.parse(requests.at(-1)?.body ?? "")).toEqual({ content: "one and theirs\n\n---\n\nmine" })
  })
})

describe("the offered tools", () => {
  it("stay available when an app reports odd capabilities", async () => {
    const raw = { deck: ["odd"], user_status: { enabled: "perhaps" } }
    const capabilities = toCapabilities({ version: { major: 32, string: "32.0.1" }, capabilities: raw })
    const nextcloud = {
      ...connect(always(() => new Response())).nextcloud,
      capabilities: async () => capabilities,
      apps: async () => new Set<string>(),
    }
    const names = (await supportedTools([...deckTools, ...statusTools, ...fileTools], nextcloud)).map(
      ({ name }) => name,
    )
    expect(names).toContain("nc_files_list_directory")
    expect(names).toContain("nc_deck_list_boards")
  })
})

describe("a collective", () => {
  it("is shown with its number of pages before it is deleted", async () => {
    const one = { id: 5, name: "Garden" }
    const { nextcloud, requests } = connect(async ({ url }) =>
      enveloped(url.includes("/pages") ? { pages: [{}, {}, {}] } : { collectives: [one] }),
    )
    const remove = toolOf(collectivesTools, "nc_collectives_delete_collective")
    const loss = await aboutOf(remove, { collective_id: 5 }, nextcloud)
    expect(loss.details?.[0]).toContain("3 pages")
    expect(requests).toHaveLength(remove.confirm?.requests ?? 0)
  })
})

describe("shares", () => {
  const tool = (name: string) => toolOf(sharingTools, name)

  it.each([{ inside: true }, { inside: true, path: "/a", shared_with_me: true }])(
    "are not listed with arguments that mean nothing together: %j",
    async (input) => {
      const { alice } = openStage()
      const attempt = callTool(tool("nc_sharing_list_shares"), input, alice.nextcloud)
      await expect(attempt).rejects.toMatchObject({ kind: "invalid" })
      expect(alice.requests).toEqual([])
    },
  )

  it("are shown before they get more permissions, and changed only if still the same", async () => {
    const stage = openStage()
    filesOf(stage.standIn.world).put("alice", "/plan.txt", "x")
    const link = { path: "/plan.txt", label: "For all" }
    const created = await callTool<{ id: number }>(tool("nc_sharing_create_public_link"), link, stage.alice.nextcloud)
    const update = tool("nc_sharing_update_share")
    const input = { share_id: created.id, can: ["edit"] }
    expect(await reachOf(update, input, stage.alice.nextcloud)).toEqual(["weakened"])
    expect(await reachOf(update, { share_id: created.id, note: "x" }, stage.alice.nextcloud)).toEqual(["public"])
    const loss = await aboutOf(update, input, stage.alice.nextcloud)
    expect(loss.what).toBe("the share of “/plan.txt” by a public link")
    expect(loss.details).toEqual(["Now they may read.", "Then they may read, edit."])
    const other = { ...loss, guard: "another" }
    const late = callTool(update, input, stage.alice.nextcloud, { loss: other })
    await expect(late).rejects.toMatchObject({ kind: "conflict" })
    await callTool(update, input, stage.alice.nextcloud, { loss })
  })
})

describe("work that fails halfway", () => {
  it("is reported, so that no part of a comment is written twice", async () => {
    let posts = 0
    const comment = { id: 7, actorId: "alice", message: "first", creationDateTime: "2026-11-15T07:17:52+00:00" }
    const { nextcloud } = connect(async () => (posts++ === 0 ? enveloped(comment) : new Response("", { status: 504 })))
    const input = { card_id: 1, message: `${"x".repeat(990)} ${"y".repeat(990)}`, split: true }
    const call = callTool(toolOf(deckTools, "nc_deck_create_comment"), input, nextcloud)
    await expect(call).rejects.toMatchObject({ kind: "unavailable", current: { comments: [{ id: 7 }] } })
    await expect(call).rejects.toThrow("1 of 2 parts")
  })

  it("is reported for a page that was created without its text", async () => {
    const page = { id: 9, title: "P", parentId: 1, timestamp: 1, collectivePath: "C", fileName: "P.md", filePath: "" }
    const { nextcloud } = connect(async ({ method, url }) => {
      if (method === "POST") return enveloped({ page })
      return method === "PROPFIND"
        ? always(() => new Response())(new Request(url, { method }))
        : new Response("", { status: 507 })
    })
    const input = { collective_id: 5, parent_id: 1, title: "P", content: "text" }
    const call = callTool(toolOf(collectivesTools, "nc_collectives_create_page"), input, nextcloud)
    await expect(call).rejects.toMatchObject({ kind: "full", current: { id: 9 } })
    await expect(call).rejects.toThrow("nc_collectives_write_page")
  })
})

describe("dates", () => {
  it.each([
    [fileTools, "nc_files_search_files", { modified_after: "5" }],
    [fileTools, "nc_files_search_files", { modified_before: "next week" }],
    [deckTools, "nc_deck_update_card", { board_id: 1, stack_id: 2, card_id: 3, etag: "x", due: "tomorrow" }],
  ] as const)("that are invalid are refused before anything is sent: case %#", async (tools, name, input) => {
    const { nextcloud, requests } = connect(always(() => new Response("{}")))
    await expect(callTool(toolOf(tools, name), input, nextcloud)).rejects.toMatchObject({ kind: "invalid" })
    expect(requests).toEqual([])
  })
})

describe("comments of Deck", () => {
  const note = (id: number, message: string) => ({
    id,
    actorId: "alice",
    message,
    creationDateTime: "2026-11-15T07:17:52+00:00",
  })
  const remove = toolOf(deckTools, "nc_deck_delete_comment")
  const many = Array.from({ length: 200 }, (_, index) => note(1000 - index, "newer"))

  it("are found after 200 newer ones, and deleted only as they were shown", async () => {
    let message = "old one"
    const { nextcloud, requests } = connect(async ({ url, method }) => {
      if (method === "DELETE") return enveloped([])
      return enveloped(new URL(url).searchParams.get("offset") === "0" ? many : [note(7, message)])
    })
    const input = { card_id: 11, comment_id: 7 }
    const loss = await aboutOf(remove, input, nextcloud)
    expect(loss.what).toBe("the comment “old one”")
    message = "changed meanwhile"
    await expect(callTool(remove, input, nextcloud, { loss })).rejects.toMatchObject({ kind: "conflict" })
    expect(requests.some(({ method }) => method === "DELETE")).toBe(false)
    message = "old one"
    await callTool(remove, input, nextcloud, { loss })
    expect(requests.at(-1)?.method).toBe("DELETE")
  })
})

describe("addresses in responses", () => {
  it("are read for any user id and any host and path of the server", async () => {
    const id = "o'brien (x)@corp"
    const principal = response(
      "/",
      `<d:current-user-principal><d:href>/c/remote.php/dav/principals/users/o%27brien%20(x)%40corp/</d:href></d:current-user-principal>`,
    )
    const props =
      "<d:getlastmodified>Sun, 15 Nov 2026 07:06:05 GMT</d:getlastmodified><d:getetag>x</d:getetag><oc:fileid>5</oc:fileid><oc:size>1</oc:size>"
    const item = response("https://inside.example/c/remote.php/dav/files/o%27brien%20(x)%40corp/a%20b.md", props)
    const { nextcloud, requests } = connect(
      async ({ method }) =>
        method === "PROPFIND"
          ? multistatus(principal)
          : method === "SEARCH"
            ? multistatus(item)
            : enveloped({ id: "9" }),
      { url: "http://cloud.test/c" },
    )
    const attach = toolOf(deckTools, "nc_deck_attach_file")
    expect(await callTool(attach, { card_id: 1, file_id: 5 }, nextcloud)).toMatchObject({ path: "/a b.md" })
    expect(requests[0]?.body).toContain(`<d:href>/files/${id.replace("'", "&#39;")}</d:href>`)
  })

  it("are used below the server's own address, even when they are absolute and name another host", () => {
    const { nextcloud } = connect(async () => new Response(), { url: "https://cloud.test/nc" })
    for (const before of ["", "/nc", "http://inside:8080/nc", "https://cloud.test/nc"])
      expect(belowServer(nextcloud, `${before}/remote.php/dav/x%20y.vcf`)).toBe("/remote.php/dav/x%20y.vcf")
  })
})

describe("an argument", () => {
  const nothing = always(() => enveloped([]))

  it.each([
    ["nc_status_set_status", { status: "dnd", clear_at: "2026-12-01T18:00:00Z" }],
    ["nc_status_set_status", { predefined: "meeting", message: "x" }],
    ["nc_status_set_status", { predefined: "meeting", icon: "🎉" }],
    ["nc_tables_read_table", { table_id: 1, view_id: 2 }],
    ["nc_cookbook_set_config", {}],
  ] as const)("that would be ignored is refused: %s %j", async (name, input) => {
    const { nextcloud, requests } = connect(nothing)
    await expect(
      callTool(toolOf([...statusTools, ...tableTools, ...cookbookTools], name), input, nextcloud),
    ).rejects.toMatchObject({ kind: "invalid" })
    expect(requests).toEqual([])
  })

  it.each(["salt/pepper", "..", "a\\b"])(
    "with special characters is searched for in recipes, and leads to no other address: %s",
    async (query) => {
      const { nextcloud, requests } = connect(async () => Response.json([]))
      await callTool(toolOf(cookbookTools, "nc_cookbook_list_recipes"), { query }, nextcloud)
      expect(requests[0]?.path).toMatch(/\/api\/v1\/(recipes|search\/[^/]*)$/)
      expect(requests[0]?.path).not.toMatch(/%2f|%5c/i)
    },
  )

  it("limits the conversations of Talk to changed ones, or adds the status of participants", async () => {
    const callRecorded = createRecordedCaller(talkTools)
    const listed = await callRecorded("nc_talk_list_conversations", { modified_since: "2026-11-15T00:00:00Z" }, nothing)
    expect(listed.sent).toEqual(["GET /ocs/v2.php/apps/spreed/api/v4/room?modifiedSince=1794700800&format=json"])
    const one = { actorId: "bob", actorType: "users", displayName: "Bob", participantType: 3, status: "dnd" }
    const { output, sent } = await callRecorded(
      "nc_talk_list_participants",
      { token: "abc", include_status: true },
      always(() => enveloped([one])),
    )
    expect(sent[0]).toContain("includeStatus=true")
    expect(output.participants).toEqual([expect.objectContaining({ id: "bob", status: "dnd" })])
  })
})

describe("an article in HTML", () => {
  it("leaves an entity named like a JavaScript member unchanged", () => {
    expect(htmlToText("a &constructor; &amp; b")).toBe("a &constructor; & b")
  })

  // A parser that searches the whole text for the end of every unclosed tag would exceed the time limit of the test.
  it.each(['<a href="x">', "<script>", "<", "<a <b"])(
    "is read in one pass when nothing in it is closed: %s",
    (piece) => {
      expect(htmlToText(`before${piece.repeat(300_000)}`)).toMatch(/^before/)
    },
  )
})
