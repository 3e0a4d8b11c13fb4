// Writing, moving and deleting files: only a confirmed version is overwritten or deleted.

import { filesOf } from "@holdpoint/nextcloud-stand-in"
import { describe, expect, it } from "vitest"
import { fileTools } from "../../src/tools/files/files.ts"
import { aboutOf, callTool, confirmAndCall, toolOf } from "../fits.ts"
import type { Connected } from "../nextcloud.ts"
import { connect } from "../nextcloud.ts"
import { openStage, type Stage } from "./stage.ts"

interface Written {
  readonly path: string
  readonly id: number
  readonly etag: string
  readonly created: boolean
  readonly url: string
}

const call = <O = Record<string, unknown>>({ nextcloud }: Connected, name: string, input: object): Promise<O> =>
  callTool<O>(toolOf(fileTools, name), input, nextcloud)

const write = (who: Connected, input: object): Promise<Written> => call<Written>(who, "nc_files_write_file", input)

const putFile = ({ standIn }: Stage, path: string, content: string, user = "alice") =>
  filesOf(standIn.world).put(user, path, content)

const textAt = ({ standIn }: Stage, path: string, user = "alice"): string | undefined =>
  filesOf(standIn.world).get(user, path)?.text

const methods = ({ requests }: Connected): readonly string[] => requests.map(({ method }) => method)

describe("nc_files_write_file", () => {
  it("creates a file, and returns its etag and link", async () => {
    const stage = openStage()
    const written = await write(stage.alice, { path: "/new.txt", content: "Größe" })
    expect(written).toMatchObject({ path: "/new.txt", created: true, size: 7 })
    expect(written.url).toBe(`http://localhost/index.php/f/${written.id}`)
    expect(written.etag).toBe(filesOf(stage.standIn.world).get("alice", "/new.txt")?.etag)
    expect(stage.alice.requests[0]?.headers.get("if-none-match")).toBe("*")
  })

  it("never overwrites an existing file, and returns it for merging", async () => {
    const stage = openStage()
    const { etag } = putFile(stage, "/there.txt", "old")
    const attempt = write(stage.alice, { path: "/there.txt", content: "new" })
    await expect(attempt).rejects.toMatchObject({ kind: "conflict", current: { content: "old", etag } })
    expect(textAt(stage, "/there.txt")).toBe("old")
  })

  it("replaces the version with the given etag, and no later one", async () => {
    const stage = openStage()
    const { etag } = putFile(stage, "/there.txt", "old")
    const written = await write(stage.alice, { path: "/there.txt", content: "new", etag })
    expect([written.created, textAt(stage, "/there.txt")]).toEqual([false, "new"])
    const late = write(stage.alice, { path: "/there.txt", content: "newer", etag })
    await expect(late).rejects.toMatchObject({ kind: "conflict", current: { content: "new", etag: written.etag } })
    expect(textAt(stage, "/there.txt")).toBe("new")
  })

  it("never overwrites a film, and does not download it to say so", async () => {
    const stage = openStage()
    filesOf(stage.standIn.world).put("alice", "/film.mp4", new Uint8Array(5_000_000))
    const attempt = write(stage.alice, { path: "/film.mp4", content: "x" })
    await expect(attempt).rejects.toMatchObject({ kind: "conflict", current: { size: 5_000_000 } })
    expect(methods(stage.alice)).toEqual(["PUT", "PROPFIND"])
  })

  it("accepts an etag as servers and proxies write it, and refuses an invalid one", async () => {
    const stage = openStage()
    for (const write_ of [
      (tag: string) => `"${tag}"`,
      (tag: string) => `W/"${tag}"`,
      (tag: string) => `"${tag}-gzip"`,
    ]) {
      const { etag } = putFile(stage, "/there.txt", "old")
      await write(stage.alice, { path: "/there.txt", content: "new", etag: write_(etag) })
      expect(textAt(stage, "/there.txt")).toBe("new")
    }
    const { length } = stage.alice.requests
    const evil = write(stage.alice, { path: "/there.txt", content: "x", etag: 'a"\r\nif-none-match: *' })
    await expect(evil).rejects.toMatchObject({ kind: "invalid" })
    expect(stage.alice.requests).toHaveLength(length)
  })

  it("says that the file of an etag was deleted", async () => {
    const { alice } = openStage()
    const attempt = write(alice, { path: "/gone.txt", content: "x", etag: "abc" })
    await expect(attempt).rejects.toThrow("it was deleted")
  })

  it("writes bytes given in base64, and refuses other text", async () => {
    const stage = openStage()
    await write(stage.alice, { path: "/bytes.bin", content: "AAEC\n/w==", encoding: "base64" })
    expect([...(filesOf(stage.standIn.world).get("alice", "/bytes.bin")?.content ?? [])]).toEqual([0, 1, 2, 255])
    const attempt = write(stage.alice, { path: "/no.bin", content: "Größe", encoding: "base64" })
    await expect(attempt).rejects.toThrow("the content is not base64")
  })

  it("reports a missing folder, a full account, a locked file and a missing permission", async () => {
    const stage = openStage({ seed: true })
    const missing = write(stage.alice, { path: "/nowhere/x.txt", content: "x" })
    await expect(missing).rejects.toThrow("create it first with nc_files_create_directory")
    const carol = connect((request) => stage.standIn.fetch(request), { user: "carol", url: "http://localhost" })
    const large = write(carol, { path: "/large.txt", content: "x".repeat(1_048_577) })
    await expect(large).rejects.toMatchObject({ kind: "full" })
    stage.standIn.switches.intercept = (method) => (method === "PUT" ? { status: 423 } : undefined)
    const locked = write(stage.alice, { path: "/locked.txt", content: "x" })
    await expect(locked).rejects.toMatchObject({ kind: "locked" })
    stage.standIn.switches.intercept = (method) => (method === "PUT" ? { status: 403 } : undefined)
    const forbidden = write(stage.alice, { path: "/other.txt", content: "x" })
    await expect(forbidden).rejects.toMatchObject({ kind: "forbidden" })
  })

  it("sends more than 10 MB in parts, as a real server expects them", async () => {
    const stage = openStage()
    const content = "0123456789".repeat(2_100_000)
    const written = await write(stage.alice, { path: "/large.txt", content })
    expect(written).toMatchObject({ created: true, size: 21_000_000 })
    expect(textAt(stage, "/large.txt")).toBe(content)
    expect(methods(stage.alice)).toEqual(["MKCOL", "PUT", "PUT", "PUT", "PROPFIND", "MOVE"])
    const [begun, first, , , , moved] = stage.alice.requests
    expect(first?.path).toBe(`${begun?.path}/00001`)
    expect(moved?.path).toBe(`${begun?.path}/.file`)
    expect(moved?.headers.get("oc-total-length")).toBe("21000000")
    for (const one of [begun, first, moved])
      expect(one?.headers.get("destination")).toBe("http://localhost/remote.php/dav/files/alice/large.txt")
  })

  it("never overwrites with a large file, and leaves no parts behind", async () => {
    const stage = openStage()
    putFile(stage, "/there.txt", "old")
    const attempt = write(stage.alice, { path: "/there.txt", content: "x".repeat(10_000_001) })
    await expect(attempt).rejects.toMatchObject({ kind: "conflict", current: { content: "old" } })
    expect(textAt(stage, "/there.txt")).toBe("old")
    expect(methods(stage.alice).at(-1)).toBe("DELETE")
  })
})

describe("nc_files_upload_chunk", () => {
  const send = (who: Connected, input: object) =>
    call<{ upload_id: string; done: boolean; next_part?: number; id?: number }>(who, "nc_files_upload_chunk", input)

  it("joins parts that arrive in any order", async () => {
    const stage = openStage()
    const first = await send(stage.alice, { path: "/whole.txt", content: "one ", part: 1 })
    expect(first).toMatchObject({ done: false, next_part: 2 })
    const { upload_id } = first
    const early = send(stage.alice, { path: "/whole.txt", content: "three", part: 3, upload_id, last: true })
    await expect(early).rejects.toThrow("missing parts: 2")
    await send(stage.alice, { path: "/whole.txt", content: "dHdvIA==", encoding: "base64", part: 2, upload_id })
    const last = await send(stage.alice, { path: "/whole.txt", content: "three", part: 3, upload_id, last: true })
    expect([last.done, textAt(stage, "/whole.txt")]).toEqual([true, "one two three"])
    expect(last.id).toBe(filesOf(stage.standIn.world).get("alice", "/whole.txt")?.id)
  })

  it("looks the new file up when the response does not describe it, as with an object store", async () => {
    const stage = openStage()
    const alice = connect(
      async (request) => {
        const answer = await stage.standIn.fetch(request)
        return request.method === "MOVE" ? new Response(null, { status: answer.status }) : answer
      },
      { url: "http://localhost" },
    )
    const written = await send(alice, { path: "/whole.txt", content: "one", part: 1, last: true })
    expect(written).toMatchObject({ done: true, id: filesOf(stage.standIn.world).get("alice", "/whole.txt")?.id })
  })

  it("requires the upload_id for a later part, and refuses a path in its place", async () => {
    const { alice } = openStage()
    const attempt = send(alice, { path: "/whole.txt", content: "two", part: 2 })
    await expect(attempt).rejects.toThrow("upload_id is missing")
    const input = { path: "/whole.txt", content: "two", part: 2, upload_id: "../../files/alice" }
    await expect(send(alice, input)).rejects.toThrow('Property "upload_id"')
  })
})

describe("nc_files_append_file", () => {
  const append = (who: Connected, path: string, content: string) => call(who, "nc_files_append_file", { path, content })

  it("appends on a new line, whether or not the last line is ended", async () => {
    const stage = openStage()
    putFile(stage, "/open.txt", "one")
    putFile(stage, "/ended.txt", "one\n")
    for (const path of ["/open.txt", "/ended.txt"]) await append(stage.alice, path, "two\n")
    expect([textAt(stage, "/open.txt"), textAt(stage, "/ended.txt")]).toEqual(["one\ntwo\n", "one\ntwo\n"])
  })

  it("appends to what somebody else wrote in between", async () => {
    const stage = openStage()
    putFile(stage, "/log.txt", "one\n")
    let isFirst = true
    const alice = connect(
      (request) => {
        if (request.method === "PUT" && isFirst) putFile(stage, "/log.txt", "one\nof others\n")
        isFirst = request.method !== "PUT" && isFirst
        return stage.standIn.fetch(request)
      },
      { url: "http://localhost" },
    )
    await append(alice, "/log.txt", "two\n")
    expect(textAt(stage, "/log.txt")).toBe("one\nof others\ntwo\n")
  })

  it("appends to what others wrote, even when they write first four times", async () => {
    const stage = openStage()
    putFile(stage, "/log.txt", "one\n")
    let others = 0
    const alice = connect(
      (request) => {
        if (request.method === "PUT" && others < 4) putFile(stage, "/log.txt", `one\nof others ${++others}\n`)
        return stage.standIn.fetch(request)
      },
      { url: "http://localhost" },
    )
    await append(alice, "/log.txt", "two\n")
    expect(textAt(stage, "/log.txt")).toBe("one\nof others 4\ntwo\n")
  })

  it("refuses files that are not text, and folders", async () => {
    const stage = openStage()
    filesOf(stage.standIn.world).put("alice", "/bytes.txt", new Uint8Array([0, 255]))
    await expect(append(stage.alice, "/bytes.txt", "x")).rejects.toThrow("it is not UTF-8 text")
    await expect(append(stage.alice, "/", "x")).rejects.toThrow("it is a folder")
  })
})

describe("nc_files_create_directory", () => {
  const create = (who: Connected, path: string) =>
    call<{ created: string[]; url: string }>(who, "nc_files_create_directory", { path })

  it("also creates missing folders above it, and lists what it created", async () => {
    const stage = openStage()
    putFile(stage, "/a/x.txt", "x")
    expect((await create(stage.alice, "/a/b c/d")).created).toEqual(["/a/b c", "/a/b c/d"])
    expect((await create(stage.alice, "a/b c/d/")).created).toEqual([])
  })

  it.each([
    ["/a", "%2Fa"],
    ["/a/b c/", "%2Fa%2Fb%20c"],
    ["/100% #1? Größe & +", "%2F100%25%20%231%3F%20Gr%C3%B6%C3%9Fe%20%26%20%2B"],
  ])("links to the folder itself: %s", async (path, dir) => {
    const { url } = await create(openStage().alice, path)
    expect(url).toBe(`http://localhost/index.php/apps/files/files?dir=${dir}`)
  })

  it("says that a file is in the way", async () => {
    const stage = openStage()
    putFile(stage, "/a.txt", "x")
    await expect(create(stage.alice, "/a.txt")).rejects.toMatchObject({ kind: "conflict", current: { kind: "file" } })
    await expect(create(stage.alice, "/a.txt/b")).rejects.toMatchObject({ kind: "conflict" })
  })
})

describe("nc_files_move_resource and nc_files_copy_resource", () => {
  const move = toolOf(fileTools, "nc_files_move_resource")
  const copy = toolOf(fileTools, "nc_files_copy_resource")

  it("move and copy folders with their content, on a server in a subfolder", async () => {
    const stage = openStage({ path: "/cloud" })
    const { id } = filesOf(stage.standIn.world).mkdir("alice", "/a")
    putFile(stage, "/a/x.txt", "x")
    const moved = await callTool(move, { source_path: "/a", destination_path: "/b ä" }, stage.alice.nextcloud)
    expect(moved).toMatchObject({ path: "/b ä", id, replaced: false })
    await callTool(copy, { source_path: "/b ä", destination_path: "/c" }, stage.alice.nextcloud)
    expect(["/a", "/b ä", "/c"].map((path) => textAt(stage, `${path}/x.txt`))).toEqual([undefined, "x", "x"])
    const { headers } = stage.alice.requests[0] ?? {}
    expect(headers?.get("destination")).toBe("http://localhost/cloud/remote.php/dav/files/alice/b%20%C3%A4")
    expect(headers?.get("overwrite")).toBe("F")
  })

  it.each([move, copy])("$name replaces only what the person was shown", async (tool) => {
    const stage = openStage()
    putFile(stage, "/new.txt", "new")
    putFile(stage, "/old.txt", "old")
    const input = { source_path: "/new.txt", destination_path: "/old.txt", overwrite: true }
    const loss = await aboutOf(tool, input, stage.alice.nextcloud)
    expect(loss.what).toBe("the file “/old.txt” with “/new.txt”")
    expect(loss.details).toEqual(["3 bytes", "It can be restored from the trash."])
    putFile(stage, "/old.txt", "changed")
    const late = callTool(tool, input, stage.alice.nextcloud, { loss })
    await expect(late).rejects.toMatchObject({ kind: "conflict", current: { size: 7 } })
    const { output } = await confirmAndCall<{ replaced: boolean }>(tool, input, stage.alice.nextcloud)
    expect([output.replaced, textAt(stage, "/old.txt")]).toEqual([true, "new"])
  })

  it.each([move, copy])("$name replaces only the version with the etag, without a confirmation", async (tool) => {
    const stage = openStage()
    putFile(stage, "/new.txt", "new")
    const { etag } = putFile(stage, "/old.txt", "old")
    putFile(stage, "/old.txt", "changed")
    const input = { source_path: "/new.txt", destination_path: "/old.txt", overwrite: true }
    const late = callTool(tool, { ...input, destination_etag: etag }, stage.alice.nextcloud)
    await expect(late).rejects.toMatchObject({ kind: "conflict", current: { size: 7 } })
    const useless = callTool(tool, { ...input, overwrite: false, destination_etag: etag }, stage.alice.nextcloud)
    await expect(useless).rejects.toMatchObject({ kind: "invalid" })
    const now = `W/"${filesOf(stage.standIn.world).get("alice", "/old.txt")?.etag}-gzip"`
    await callTool(tool, { ...input, destination_etag: now }, stage.alice.nextcloud)
    expect(textAt(stage, "/old.txt")).toBe("new")
  })

  it("ask only when something would be replaced", () => {
    const input = { source_path: "/a", destination_path: "/b" }
    expect([move.confirm?.when?.(input), copy.confirm?.when?.({ ...input, overwrite: true })]).toEqual([false, true])
  })

  it("say what is wrong with a destination", async () => {
    const stage = openStage()
    putFile(stage, "/a/x.txt", "x")
    const into = callTool(move, { source_path: "/a", destination_path: "/a/b" }, stage.alice.nextcloud)
    await expect(into).rejects.toThrow("A folder cannot be put into itself")
    const nowhere = callTool(copy, { source_path: "/a", destination_path: "/no/b" }, stage.alice.nextcloud)
    await expect(nowhere).rejects.toThrow("nc_files_create_directory")
    const same = callTool(move, { source_path: "/a", destination_path: "/a" }, stage.alice.nextcloud)
    await expect(same).rejects.toMatchObject({ kind: "forbidden" })
  })
})

describe("nc_files_delete_resource", () => {
  const remove = toolOf(fileTools, "nc_files_delete_resource")

  it("shows a folder with its number of files, and moves it to the trash", async () => {
    const stage = openStage()
    putFile(stage, "/a/x.txt", "12345")
    putFile(stage, "/a/b/y.txt", "x".repeat(1500))
    const { loss, output } = await confirmAndCall(remove, { path: "/a/" }, stage.alice.nextcloud)
    expect(loss.what).toBe("the folder “/a”")
    expect(loss.details).toEqual(["2 files, 1.5 kB", "It can be restored from the trash."])
    expect(output).toEqual({ deleted: "/a", in_trash: true })
    expect(textAt(stage, "/a/x.txt")).toBeUndefined()
    expect(stage.alice.requests.at(-1)?.headers.has("if-match")).toBe(false)
  })

  it("deletes only what was shown, and a file only under its current etag", async () => {
    const stage = openStage()
    putFile(stage, "/a.txt", "seen")
    const loss = await aboutOf(remove, { path: "/a.txt" }, stage.alice.nextcloud)
    const { etag } = putFile(stage, "/a.txt", "changed")
    const late = callTool(remove, { path: "/a.txt" }, stage.alice.nextcloud, { loss })
    await expect(late).rejects.toMatchObject({ kind: "conflict", current: { etag } })
    await callTool(remove, { path: "/a.txt" }, stage.alice.nextcloud)
    expect(stage.alice.requests.at(-1)?.headers.get("if-match")).toBe(`"${etag}"`)
  })

  it("says that deleting a received share only hides it, and refuses the top folder", async () => {
    const { alice } = openStage({ seed: true })
    const loss = await aboutOf(remove, { path: "/Importer" }, alice.nextcloud)
    expect(loss.details).toEqual(["Bob Example shares it with you: they keep it, and it disappears from your files."])
    await expect(callTool(remove, { path: "/" }, alice.nextcloud)).rejects.toMatchObject({ kind: "invalid" })
  })

  it("says that a file in another person's folder is deleted for them too", async () => {
    const { alice } = openStage({ seed: true })
    const loss = await aboutOf(remove, { path: "/Importer/todo.md" }, alice.nextcloud)
    expect(loss.details).toEqual([
      expect.stringMatching(/ bytes$/),
      "It can be restored from the trash.",
      "It is in a folder that belongs to Bob Example: it is deleted for them and for everyone who has that folder.",
    ])
  })
})

it.each(["/", "", "//"])("refuses to delete the top folder (%j) before a person is asked", async (path) => {
  const tool = toolOf(fileTools, "nc_files_delete_resource")
  const asked = aboutOf(tool, { path }, openStage().alice.nextcloud)
  await expect(asked).rejects.toThrow("the top folder cannot be deleted")
})
