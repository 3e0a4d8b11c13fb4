// The trash, versions, comments and tags: restoring works, and permanent deletion asks first.

import { filesOf } from "@holdpoint/nextcloud-stand-in"
import { describe, expect, it } from "vitest"
import type { Tool } from "../../src/tool.ts"
import { historyTools } from "../../src/tools/history/history.ts"
import { aboutOf, callTool, confirmAndCall, toolOf } from "../fits.ts"
import type { Connected } from "../nextcloud.ts"
import { connect } from "../nextcloud.ts"
import { recorded } from "../recorded.ts"
import { twice } from "../samples/history.ts"
import { openStage, type Stage } from "./stage.ts"

const tool = (name: string): Tool => toolOf(historyTools, name)

const call = <O = Record<string, unknown>>({ nextcloud }: Connected, name: string, input: object = {}): Promise<O> =>
  callTool<O>(tool(name), input, nextcloud)

const textAt = ({ standIn }: Stage, path: string): string | undefined => filesOf(standIn.world).get("alice", path)?.text

interface Trashed {
  readonly id: string
  readonly path: string
  readonly kind: string
  readonly size?: number
}

describe("the trash", () => {
  function withTrash(...paths: readonly string[]): Stage {
    const stage = openStage()
    const files = filesOf(stage.standIn.world)
    for (const path of paths) {
      files.put("alice", path, "12345")
      files.remove("alice", path)
    }
    return stage
  }

  const listed = async (who: Connected) => (await call<{ items: Trashed[] }>(who, "nc_files_list_trash")).items

  it("restores a file to where it was, with every character of its name", async () => {
    const stage = withTrash("/Docs/100% sûr? 测试.txt")
    const [item] = await listed(stage.alice)
    expect(item).toMatchObject({ path: "/Docs/100% sûr? 测试.txt", kind: "file", size: 5 })
    const output = await call(stage.alice, "nc_files_restore_from_trash", { id: item?.id })
    expect(output).toEqual({ restored: "/Docs/100% sûr? 测试.txt" })
    expect(textAt(stage, "/Docs/100% sûr? 测试.txt")).toBe("12345")
    expect(await listed(stage.alice)).toEqual([])
  })

  it("is read from a real server's response, where folders have no size", async () => {
    const { nextcloud } = connect(recorded("webdav", ["current-user-principal from root", "trashbin list"]))
    const { items } = await callTool<{ items: Trashed[] }>(tool("nc_files_list_trash"), {}, nextcloud)
    expect(items.map(({ id, path, size }) => [id, path, size])).toEqual([
      ["Docs2.d1794726400", "/Docs2", undefined],
      ["empty.bin.d1794726378", "/Docs/empty.bin", 0],
    ])
  })

  it("is emptied only of what was shown", async () => {
    const stage = withTrash("/a.txt", "/b.txt")
    const empty = tool("nc_files_empty_trash")
    const loss = await aboutOf(empty, {}, stage.alice.nextcloud)
    expect(loss.what).toBe("everything in the trash: 2 files and 0 folders, 10 bytes")
    expect(loss.details?.at(-1)).toBe("It cannot be undone.")
    filesOf(stage.standIn.world).put("alice", "/c.txt", "c")
    filesOf(stage.standIn.world).remove("alice", "/c.txt")
    const late = callTool(empty, {}, stage.alice.nextcloud, { loss })
    await expect(late).rejects.toMatchObject({ kind: "conflict", current: { total: 3 } })
    const { output } = await confirmAndCall(empty, {}, stage.alice.nextcloud)
    expect([output, await listed(stage.alice)]).toEqual([{ deleted: 3 }, []])
  })

  it("deletes one item permanently, and names it by its path", async () => {
    const stage = withTrash("/a.txt", "/b.txt")
    const item = (await listed(stage.alice)).find(({ path }) => path === "/a.txt")
    const { loss } = await confirmAndCall(tool("nc_files_delete_from_trash"), { id: item?.id }, stage.alice.nextcloud)
    expect(loss.what).toBe("the file “/a.txt”")
    expect((await listed(stage.alice)).map(({ path }) => path)).toEqual(["/b.txt"])
  })

  it.each(["..", ".", "../../files/alice"])("does not accept %s as an item", async (id) => {
    const stage = withTrash("/a.txt")
    const attempt = call(stage.alice, "nc_files_delete_from_trash", { id })
    await expect(attempt).rejects.toMatchObject({ kind: "not_found" })
    expect(await listed(stage.alice)).toHaveLength(1)
  })
})

describe("versions", () => {
  it("are listed with the current one, read, and restored without losing the current one", async () => {
    const stage = openStage()
    const { path, version } = await twice(stage.alice.nextcloud, "/a ü.txt")
    const read = await call(stage.alice, "nc_files_read_version", { path, version })
    expect(read).toMatchObject({ content: "first\n", charset: "utf-8", size: 6 })
    const restore = tool("nc_files_restore_version")
    const { loss } = await confirmAndCall(restore, { path, version }, stage.alice.nextcloud)
    expect(loss.what).toBe("the file “/a ü.txt”")
    expect(loss.details?.[0]).toMatch(/^The file becomes what it was on 20.*\(6 bytes\)\.$/)
    expect(textAt(stage, path)).toBe("first\n")
    type Versions = { versions: { version: string; current: boolean }[] }
    const { versions } = await call<Versions>(stage.alice, "nc_files_list_versions", { path })
    // A restored version keeps its time.
    expect(versions.map((one) => [one.version === version, one.current])).toEqual([
      [false, false],
      [true, true],
    ])
  })

  it("can all be read, including the current one, which is the file itself", async () => {
    const stage = openStage()
    const { path } = await twice(stage.alice.nextcloud, "/a ü.txt")
    type Versions = { versions: { version: string; current: boolean }[] }
    const { versions } = await call<Versions>(stage.alice, "nc_files_list_versions", { path })
    const contents = versions.map(async ({ version, current }) => {
      const { content } = await call(stage.alice, "nc_files_read_version", { path, version })
      return [current, content]
    })
    expect(await Promise.all(contents)).toEqual([
      [true, "second\n"],
      [false, "first\n"],
    ])
  })

  it("are not restored over a file that has changed since it was read", async () => {
    const stage = openStage()
    const input = await twice(stage.alice.nextcloud, "/a.txt")
    const restore = tool("nc_files_restore_version")
    const loss = await aboutOf(restore, input, stage.alice.nextcloud)
    filesOf(stage.standIn.world).put("alice", "/a.txt", "third\n")
    const late = callTool(restore, input, stage.alice.nextcloud, { loss })
    await expect(late).rejects.toMatchObject({ kind: "conflict" })
    expect(textAt(stage, "/a.txt")).toBe("third\n")
  })

  it("exist only for files", async () => {
    const { alice } = openStage()
    const attempt = call(alice, "nc_files_list_versions", { path: "/" })
    await expect(attempt).rejects.toThrow("Only files have versions.")
  })
})

describe("comments", () => {
  interface Comments {
    readonly comments: readonly { readonly id: number; readonly message: string; readonly author: string }[]
    readonly total: number
    readonly next_cursor?: string
  }

  it("are written, listed in pages, and deleted after their text was shown", async () => {
    const stage = openStage()
    const { alice } = stage
    filesOf(stage.standIn.world).put("alice", "/a.txt", "a")
    for (const message of ["Hällo 🦊", "<b>& more</b>", "third"])
      await call(alice, "nc_files_create_comment", { path: "/a.txt", message })
    const first = await call<Comments>(alice, "nc_files_list_comments", { path: "/a.txt", limit: 2 })
    const input = { path: "/a.txt", limit: 2, cursor: first.next_cursor }
    const second = await call<Comments>(alice, "nc_files_list_comments", input)
    const all = [...first.comments, ...second.comments]
    expect(all.map(({ message }) => message).toSorted()).toEqual(["<b>& more</b>", "Hällo 🦊", "third"].toSorted())
    expect([first.total, second.next_cursor, all[0]?.author]).toEqual([3, undefined, "Alice Example"])
    const third = all.find(({ message }) => message === "third")
    const remove = tool("nc_files_delete_comment")
    const { loss } = await confirmAndCall(remove, { path: "/a.txt", comment_id: third?.id }, alice.nextcloud)
    expect(loss.what).toBe("the comment “third” on “/a.txt”")
    expect(await call(alice, "nc_files_list_comments", { path: "/a.txt" })).toMatchObject({ total: 2 })
  })

  it("are sent as a real server accepted them", async () => {
    const answer = recorded("webdav", ["current-user-principal from root", "comment create"])
    const stage = openStage()
    filesOf(stage.standIn.world).put("alice", "/a.txt", "a")
    const { nextcloud, requests } = connect(
      (request) =>
        request.method === "POST"
          ? answer(new Request("http://localhost/remote.php/dav/comments/files/139", { method: "POST" }))
          : stage.standIn.fetch(request),
      { url: "http://localhost" },
    )
    const input = { path: "/a.txt", message: "Hällo 🦊" }
    expect(await callTool(tool("nc_files_create_comment"), input, nextcloud)).toMatchObject({ id: 70 })
    expect(JSON.parse(requests.at(-1)?.body ?? "")).toEqual({
      actorType: "users",
      verb: "comment",
      message: "Hällo 🦊",
    })
  })
})

describe("tags", () => {
  it("are created, assigned to files by name, used to find files, and removed", async () => {
    const stage = openStage()
    const { alice } = stage
    filesOf(stage.standIn.world).put("alice", "/Docs/a.txt", "a")
    await call(alice, "nc_files_create_tag", { name: "Wichtig" })
    await call(alice, "nc_files_create_tag", { name: "später & mehr" })
    const path = "/Docs/a.txt"
    const set = await call(alice, "nc_files_set_tags", { path, add: ["wichtig", "später & mehr"] })
    expect(set).toMatchObject({ added: ["Wichtig", "später & mehr"], removed: [] })
    // Setting a tag twice has the same effect as once.
    await call(alice, "nc_files_set_tags", { path, add: ["Wichtig"] })
    type Files = { files: { path: string }[]; total: number }
    const tagged = await call<Files>(alice, "nc_files_list_tagged_files", { tag: "Wichtig" })
    expect(tagged.files.map((file) => file.path)).toEqual([path])
    await call(alice, "nc_files_set_tags", { path, remove: ["Wichtig"] })
    const { tags } = await call<{ tags: { name: string }[] }>(alice, "nc_files_list_tags", { path })
    expect(tags.map(({ name }) => name)).toEqual(["später & mehr"])
    expect(await call(alice, "nc_files_list_tags")).toMatchObject({ total: 2 })
  })

  it("have at most as many bytes as the server stores, and no spaces around their names", async () => {
    const { alice } = openStage()
    for (const name of ["ü".repeat(33), "  "])
      await expect(call(alice, "nc_files_create_tag", { name })).rejects.toMatchObject({ kind: "invalid" })
    expect(alice.requests).toEqual([])
    expect(await call(alice, "nc_files_create_tag", { name: ` ${"ü".repeat(32)} ` })).toMatchObject({
      name: "ü".repeat(32),
    })
  })

  it("are not created again in another case, and an invisible one is reported as invisible", async () => {
    const { alice, standIn } = openStage()
    await call(alice, "nc_files_create_tag", { name: "Wichtig" })
    const again = call(alice, "nc_files_create_tag", { name: "WICHTIG" })
    await expect(again).rejects.toMatchObject({ kind: "conflict", current: { name: "Wichtig" } })
    const admin = connect((request) => standIn.fetch(request), { user: "admin", url: "http://localhost" })
    const json = { name: "Geheim", userVisible: false, userAssignable: false }
    await admin.nextcloud.send({ method: "POST", path: "/remote.php/dav/systemtags/", json, activity: "preparing" })
    const secret = call(alice, "nc_files_create_tag", { name: "geheim" })
    await expect(secret).rejects.toThrow("this account cannot see it")
  })

  it("that do not exist are not created when assigned", async () => {
    const stage = openStage()
    filesOf(stage.standIn.world).put("alice", "/a.txt", "a")
    const attempt = call(stage.alice, "nc_files_set_tags", { path: "/a.txt", add: ["nope"] })
    await expect(attempt).rejects.toThrow("there is no tag “nope”")
    expect(await call(stage.alice, "nc_files_list_tags")).toMatchObject({ total: 0 })
  })

  it("are an empty list on a real server without any", async () => {
    const { nextcloud } = connect(recorded("webdav", ["current-user-principal from root", "system tags"]))
    expect(await callTool(tool("nc_files_list_tags"), {}, nextcloud)).toEqual({ tags: [], total: 0 })
  })
})

it("tools for tags are offered only where the server has tags", async () => {
  const { standIn, alice } = openStage()
  const capabilities = await alice.nextcloud.capabilities()
  expect(historyTools.every(({ offered }) => offered?.(capabilities))).toBe(true)
  standIn.switches.without.add("systemtags")
  const without = await connect((request) => standIn.fetch(request), {
    url: "http://localhost",
  }).nextcloud.capabilities()
  const gone = historyTools.filter(({ offered }) => !offered?.(without)).map(({ name }) => name)
  expect(gone).toEqual(["nc_files_list_tags", "nc_files_list_tagged_files", "nc_files_create_tag", "nc_files_set_tags"])
})

it("the tools that delete from the trash are not offered where the server forbids it", async () => {
  const { standIn } = openStage()
  const keeping = async (request: Request): Promise<Response> => {
    const body = JSON.parse(await (await standIn.fetch(request)).text())
    body.ocs.data.capabilities.files.delete_from_trash = false
    return Response.json(body)
  }
  const capabilities = await connect(keeping, { url: "http://localhost" }).nextcloud.capabilities()
  const gone = historyTools.filter(({ offered }) => !offered?.(capabilities)).map(({ name }) => name)
  expect(gone).toEqual(["nc_files_delete_from_trash", "nc_files_empty_trash"])
})
