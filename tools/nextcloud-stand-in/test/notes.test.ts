// The stand-in's Notes app stores notes, returns lists in chunks and prevents lost updates.

import { describe, expect, it } from "vitest"
import { seedNotes } from "../src/notes/seed.ts"
import { notesOf } from "../src/notes/store.ts"
import { createStandIn } from "../src/server.ts"

interface NoteFields {
  readonly id: number
  readonly title: string
  readonly category: string
  readonly content: string
  readonly favorite: boolean
  readonly modified: number
  readonly etag: string
  readonly internalPath: string
}

let clock = Date.UTC(2026, 10, 15, 12)

function setUp() {
  clock = Date.UTC(2026, 10, 15, 12)
  const standIn = createStandIn({ now: () => clock })
  const ask = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}, user = "alice") =>
    standIn.fetch(
      new Request(`http://localhost/index.php/apps/notes/api/${path}`, {
        method,
        headers: {
          authorization: `Basic ${btoa(`${user}:${user}-Pass-2026`)}`,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
      }),
    )
  const read = async (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
    (await (await ask(method, path, body, headers)).json()) as NoteFields
  const list = async (path: string) => (await (await ask("GET", path)).json()) as NoteFields[]
  return { ...standIn, ask, read, list }
}

describe("the Notes app", () => {
  it("returns what was written, to its owner only", async () => {
    const { ask, read } = setUp()
    const created = await read("POST", "v1/notes", {
      title: "Größe 测试",
      category: "a/b",
      content: "x",
      favorite: true,
    })
    expect(await read("GET", `v1/notes/${created.id}`)).toEqual(created)
    expect(created).toMatchObject({ internalPath: "/Notes/a/b/Größe 测试.md", favorite: true, modified: clock / 1000 })
    expect((await ask("GET", `v1/notes/${created.id}`, undefined, {}, "bob")).status).toBe(404)
  })

  it("makes titles unique in their category and safe as file names", async () => {
    const { read } = setUp()
    await read("POST", "v1/notes", { title: "Plan" })
    expect((await read("POST", "v1/notes", { title: "Plan" })).title).toBe("Plan (2)")
    expect((await read("POST", "v1/notes", { title: "Plan", category: "other" })).title).toBe("Plan")
    expect((await read("POST", "v1/notes", { title: 'a/b\\c:d*e?"<>|' })).title).toBe("abcde")
  })

  it("creates an empty note from an unreadable request", async () => {
    const { read } = setUp()
    await read("POST", "v1/notes", {})
    expect(await read("POST", "v1/notes", "{bad")).toMatchObject({ title: "New note (2)", content: "" })
  })

  it("refuses an update with a stale etag and returns the current note", async () => {
    const { ask, read } = setUp()
    const first = await read("POST", "v1/notes", { title: "Plan", content: "one" })
    const second = await read("PUT", `v1/notes/${first.id}`, { content: "two" }, { "if-match": `"${first.etag}"` })
    const stale = await ask("PUT", `v1/notes/${first.id}`, { content: "three" }, { "if-match": `"${first.etag}"` })
    expect(stale.status).toBe(412)
    expect(await stale.json()).toEqual(second)
  })

  it("changes the time of a note only when its content changes", async () => {
    const { read } = setUp()
    const first = await read("POST", "v1/notes", { title: "Plan", content: "one" })
    clock += 60_000
    expect((await read("PUT", `v1/notes/${first.id}`, { favorite: true })).modified).toBe(first.modified)
    expect((await read("PUT", `v1/notes/${first.id}`, { content: "two" })).modified).toBe(clock / 1000)
  })

  it("answers 304 while nothing changed", async () => {
    const { ask, world } = setUp()
    const old = notesOf(world).create("alice", { title: "Old" })
    const first = await ask("GET", "v1/notes")
    const same = { "if-none-match": first.headers.get("etag") ?? "" }
    expect((await ask("GET", "v1/notes", undefined, same)).status).toBe(304)
    notesOf(world).remove("alice", old.id)
    expect((await ask("GET", "v1/notes", undefined, same)).status).toBe(200)
  })

  it("refuses what exceeds the quota and stores nothing of it", async () => {
    const { ask, world } = setUp()
    const big = { title: "big", content: "x".repeat(2_000_000) }
    expect((await ask("POST", "v1/notes", big, {}, "carol")).status).toBe(507)
    expect(notesOf(world).list("carol")).toEqual([])
  })

  it("starts with notes in several categories", async () => {
    const { world, list } = setUp()
    seedNotes(world)
    const categories = new Set((await list("v1/notes")).map(({ category }) => category))
    expect([...categories].sort()).toEqual(["", "Haus", "Haus/Küche", "Travel", "Work"])
    expect((await list("v1/notes?category=Work")).map(({ title }) => title)).toEqual([
      "Release checklist",
      "Planning meeting",
      "Budget 2027",
    ])
  })
})
