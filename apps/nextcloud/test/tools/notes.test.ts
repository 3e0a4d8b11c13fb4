// Notes, against the stand-in: listed, searched, written without losing anything, with their attachments.

import { createStandIn } from "@holdpoint/nextcloud-stand-in"
import { describe, expect, it } from "vitest"
import { noteTools } from "../../src/tools/notes/notes.ts"
import { aboutOf, callTool, toolOf } from "../fits.ts"
import { connect } from "../nextcloud.ts"
import { notesPeer } from "../peer/notes.ts"
import { attached, createdNote, notesSamples, picture } from "../samples/notes.ts"
import { checkEvery } from "./every.ts"

interface Listed {
  readonly notes: readonly { readonly id: number; readonly title: string; readonly excerpt?: string }[]
  readonly total: number
  readonly categories?: readonly string[]
  readonly next_cursor?: string
}

function setUp() {
  const standIn = createStandIn()
  const connected = connect(standIn.fetch, { url: "http://localhost" })
  const call = <O = Record<string, never>>(name: string, input: object) =>
    callTool<O>(toolOf(noteTools, `nc_notes_${name}`), input, connected.nextcloud)
  return { ...connected, standIn, call }
}

describe("notes", () => {
  it("are listed in pages, with their number and categories, without their content", async () => {
    const { call, nextcloud, requests, forget } = setUp()
    for (const title of ["a", "b", "c"]) await createdNote(nextcloud, { title, category: "Only/Here" })
    forget()
    const first = await call<Listed>("list_notes", { category: "Only/Here", limit: 2 })
    expect(first).toMatchObject({ total: 3, categories: ["Only/Here"] })
    expect(first.notes).toHaveLength(2)
    expect(requests[0]?.path).toBe("/index.php/apps/notes/api/v1/notes?exclude=content&category=Only%2FHere")
    const second = await call<Listed>("list_notes", { category: "Only/Here", limit: 2, cursor: first.next_cursor })
    expect(second.notes).toHaveLength(1)
    expect(second).not.toHaveProperty("next_cursor")
    await expect(call("list_notes", { cursor: "garbage" })).rejects.toMatchObject({ kind: "invalid" })
  })

  it("are found by parts of words in any order, and show an excerpt around the match", async () => {
    const { call, nextcloud } = setUp()
    await createdNote(nextcloud, { title: "Reise", content: `${"lang ".repeat(100)}Äpfel aus Köln` })
    const { notes } = await call<Listed>("search_notes", { query: "köl ÄPF" })
    expect(notes).toHaveLength(1)
    expect(notes[0]?.excerpt).toContain("Köln")
    expect((await call<Listed>("search_notes", { query: "äpfel nirgends" })).total).toBe(0)
  })

  it("are changed only where a value is given, and an empty value counts", async () => {
    const { call, nextcloud, requests, forget } = setUp()
    const { id, etag } = await createdNote(nextcloud)
    forget()
    const after = await call<{ content: string; category: string; title: string }>("update_note", {
      note_id: id,
      etag,
      category: "",
    })
    expect(after).toMatchObject({ category: "", title: "Einkauf 100% 🛒", content: "# Milch\n- Äpfel" })
    expect(requests).toMatchObject([{ method: "PUT", body: '{"category":""}' }])
    expect(requests[0]?.headers.get("if-match")).toBe(`"${etag}"`)
  })

  it("that have changed since they were read are returned in their current state", async () => {
    const { call, nextcloud } = setUp()
    const { id, etag } = await createdNote(nextcloud)
    await call("append_content", { note_id: id, content: "from elsewhere" })
    await expect(call("update_note", { note_id: id, etag, content: "mine" })).rejects.toMatchObject({
      kind: "conflict",
      current: { id, content: "# Milch\n- Äpfel\n\n---\n\nfrom elsewhere" },
    })
  })

  it("are deleted only as they were shown, and not if they have changed since", async () => {
    const { call, nextcloud } = setUp()
    const { id } = await createdNote(nextcloud)
    const tool = toolOf(noteTools, "nc_notes_delete_note")
    const loss = await aboutOf(tool, { note_id: id }, nextcloud)
    expect(loss.what).toBe("the note “Einkauf 100% 🛒”")
    expect(loss.details?.join(" ")).toContain("Haus/Küche")
    await call("append_content", { note_id: id, content: "more" })
    await expect(callTool(tool, { note_id: id }, nextcloud, { loss })).rejects.toMatchObject({ kind: "conflict" })
    const again = await aboutOf(tool, { note_id: id }, nextcloud)
    expect(await callTool(tool, { note_id: id }, nextcloud, { loss: again })).toEqual({ deleted: "Einkauf 100% 🛒" })
    await expect(call("get_note", { note_id: id })).rejects.toMatchObject({ kind: "not_found" })
  })

  it("of other people are not found", async () => {
    const { nextcloud, standIn } = setUp()
    const { id } = await createdNote(nextcloud)
    const bob = connect(standIn.fetch, { url: "http://localhost", user: "bob" })
    await expect(
      callTool(toolOf(noteTools, "nc_notes_get_note"), { note_id: id }, bob.nextcloud),
    ).rejects.toMatchObject({
      kind: "not_found",
    })
  })

  it("can be read in parts when they are long", async () => {
    const { call, nextcloud } = setUp()
    const { id } = await createdNote(nextcloud, { content: "🦊".repeat(30_000) })
    const first = await call<{ content: string; next_offset: number; total_characters: number }>("get_note", {
      note_id: id,
    })
    const second = await call<{ content: string }>("get_note", { note_id: id, offset: first.next_offset })
    expect(first.content + second.content).toBe("🦊".repeat(30_000))
    expect(first.total_characters).toBe(60_000)
  })
})

describe("attachments", () => {
  const tool = toolOf(noteTools, "nc_notes_get_attachment")
  const run = { progress: async () => {}, signal: AbortSignal.timeout(10_000) }

  it("are found in the folder of the note's category, and a picture is returned as a picture", async () => {
    const { nextcloud, requests, forget } = setUp()
    const { id } = await createdNote(nextcloud)
    await attached(nextcloud, id, "Katze 1.png", picture)
    forget()
    const result = await tool.run({ note_id: id, filename: `.attachments.${id}/Katze%201.png` }, nextcloud, run)
    expect(result).toEqual({
      output: { filename: "Katze 1.png", mime_type: "image/png", size: picture.length },
      content: [{ type: "image", mimeType: "image/png", data: picture.toString("base64") }],
    })
    expect(requests[1]?.path).toBe(`/remote.php/dav/files/alice/Notes/Haus/K%C3%BCche/.attachments.${id}/Katze%201.png`)
  })

  it("are found beside the note, where the plain editor puts them", async () => {
    const { nextcloud, call, requests, forget } = setUp()
    const content = "![](9f86d081.png)\n![cat](Katze%201.png) and list.txt, not shown"
    const { id } = await createdNote(nextcloud, { content })
    await attached(nextcloud, id, "list.txt", Buffer.from("x"))
    const beside = `/remote.php/dav/files/alice/Notes/Haus/K%C3%BCche`
    for (const name of ["9f86d081.png", "Katze%201.png", "secret.txt"])
      await nextcloud.send({ method: "PUT", path: `${beside}/${name}`, body: picture, activity: "attaching" })
    forget()
    for (const filename of ["9f86d081.png", "./9f86d081.png", "Katze%201.png", "Katze 1.png"])
      expect(await call("get_attachment", { note_id: id, filename })).toMatchObject({ mime_type: "image/png" })
    expect(requests).toHaveLength(8)
    expect(await call("get_attachment", { note_id: id, filename: "list.txt" })).toMatchObject({ content: "x" })
    const hidden = call("get_attachment", { note_id: id, filename: "secret.txt" })
    await expect(hidden).rejects.toMatchObject({ kind: "not_found" })
  })

  it("that are text are returned as text, and others as bytes", async () => {
    const { nextcloud, call } = setUp()
    const { id } = await createdNote(nextcloud)
    await attached(nextcloud, id, "list.txt", Buffer.from("Äpfel"))
    await attached(nextcloud, id, "plan.pdf", Buffer.from("%PDF-1.4"))
    expect(await call("get_attachment", { note_id: id, filename: "list.txt" })).toMatchObject({
      content: "Äpfel",
      size: 6,
    })
    expect(await tool.run({ note_id: id, filename: "plan.pdf" }, nextcloud, run)).toMatchObject({
      output: { mime_type: "application/pdf" },
      content: [{ type: "resource", resource: { blob: Buffer.from("%PDF-1.4").toString("base64") } }],
    })
  })

  it("cannot be used to read other files", async () => {
    const { nextcloud, call, requests, forget } = setUp()
    const { id } = await createdNote(nextcloud)
    forget()
    for (const filename of ["../secret.md", `.attachments.${id}/..%2F..%2Fsecret.md`, ".."])
      await expect(call("get_attachment", { note_id: id, filename })).rejects.toMatchObject({ kind: "invalid" })
    expect(requests).toHaveLength(0)
    await expect(call("get_attachment", { note_id: id, filename: "none.png" })).rejects.toMatchObject({
      kind: "not_found",
    })
  })
})

describe("settings", () => {
  it("are changed one by one", async () => {
    const { call, requests } = setUp()
    await call("set_settings", { file_suffix: ".txt" })
    expect(requests).toMatchObject([{ method: "PUT", body: '{"fileSuffix":".txt"}' }])
    expect(await call("get_settings", {})).toMatchObject({ file_suffix: ".txt", notes_path: "Notes" })
    await expect(call("set_settings", {})).rejects.toThrow("there is nothing to change")
  })
})

checkEvery(noteTools, notesSamples, notesPeer)
