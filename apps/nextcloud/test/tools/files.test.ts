// Looking at files: lists, parts of texts, pictures, and searching, against the stand-in and the recordings.

import { filesOf } from "@holdpoint/nextcloud-stand-in"
import { describe, expect, it } from "vitest"
import type { WithContent } from "../../src/tool.ts"
import { fileTools } from "../../src/tools/files/files.ts"
import { docx, pdf } from "../extract/documents.ts"
import { callTool, toolOf } from "../fits.ts"
import type { Connected } from "../nextcloud.ts"
import { connect } from "../nextcloud.ts"
import { recorded } from "../recorded.ts"
import { openStage, type Stage } from "./stage.ts"

interface Item {
  readonly path: string
  readonly kind: string
  readonly id: number
  readonly size: number
  readonly etag: string
  readonly favorite: boolean
  readonly shared?: readonly string[]
  readonly owner?: string
  readonly url: string
}

interface Text {
  readonly content?: string
  readonly charset?: string
  readonly next_offset?: number
  readonly size: number
  readonly etag: string
}

const call = <O = Record<string, unknown>>({ nextcloud }: Connected, name: string, input: object = {}): Promise<O> =>
  callTool<O>(toolOf(fileTools, name), input, nextcloud)

const read = (who: Connected, path: string, offset?: number): Promise<Text> =>
  call<Text>(who, "nc_files_read_file", { path, ...(offset === undefined ? {} : { offset }) })

async function blocks({ nextcloud }: Connected, path: string) {
  const run = { progress: async () => {}, signal: AbortSignal.timeout(10_000) }
  const result = await toolOf(fileTools, "nc_files_read_file").run({ path }, nextcloud, run)
  return (result as WithContent<Text>).content
}

function putFile({ standIn }: Stage, path: string, content: string | Uint8Array, user = "alice"): void {
  filesOf(standIn.world).put(user, path, content)
}

describe("nc_files_list_directory", () => {
  it("lists folders first, then by name in natural order, with ids, sizes and links", async () => {
    const stage = openStage()
    putFile(stage, "/b 10.txt", "ten")
    putFile(stage, "/b 9.txt", "nine!")
    putFile(stage, "/Zoo/inside.txt", "x")
    const { items, total } = await call<{ items: Item[]; total: number }>(stage.alice, "nc_files_list_directory")
    expect(items.map(({ path, kind, size }) => [path, kind, size])).toEqual([
      ["/Zoo", "folder", 1],
      ["/b 9.txt", "file", 5],
      ["/b 10.txt", "file", 3],
    ])
    expect(total).toBe(3)
    expect(items[1]?.url).toBe(`http://localhost/index.php/f/${items[1]?.id}`)
  })

  it("returns the next page for a cursor", async () => {
    const stage = openStage()
    for (const name of ["a", "b", "c"]) putFile(stage, `/${name}.txt`, name)
    type Page = { items: Item[]; total: number; next_cursor?: string }
    const first = await call<Page>(stage.alice, "nc_files_list_directory", { limit: 2 })
    const second = await call<Page>(stage.alice, "nc_files_list_directory", { limit: 2, cursor: first.next_cursor })
    expect([...first.items, ...second.items].map(({ path }) => path)).toEqual(["/a.txt", "/b.txt", "/c.txt"])
    expect([first.total, second.next_cursor]).toEqual([3, undefined])
  })

  it("shows what is shared, and who owns it", async () => {
    const { alice, bob } = openStage({ seed: true })
    type Page = { items: Item[] }
    const { items } = await call<Page>(alice, "nc_files_list_directory")
    const foreign = items.find(({ owner }) => owner !== undefined)
    expect(foreign).toMatchObject({ owner: "Bob Example", kind: "folder" })
    const own = (await call<Page>(bob, "nc_files_list_directory")).items.find(({ shared }) => shared !== undefined)
    expect(own?.shared).toEqual(["user"])
  })

  it("refuses a file and says what to do with it", async () => {
    const stage = openStage()
    putFile(stage, "/a.txt", "a")
    const attempt = call(stage.alice, "nc_files_list_directory", { path: "/a.txt" })
    await expect(attempt).rejects.toThrow("it is a file. Read it with nc_files_read_file")
  })

  it("reads the response of a real server", async () => {
    const answer = recorded("webdav", ["current-user-principal from root", "PROPFIND root depth 1 props"])
    // The recorded request had a trailing slash, which makes no difference.
    const { nextcloud } = connect(({ url, method }) =>
      answer(new Request(url.replace(/\/files\/alice$/, "$&/"), { method })),
    )
    const tool = toolOf(fileTools, "nc_files_list_directory")
    const { items } = await callTool<{ items: Item[] }>(tool, {}, nextcloud)
    expect(items.map(({ path, id, size }) => [path, id, size])).toEqual([
      ["/Deck", 106, 192_699],
      ["/Notes", 105, 0],
      ["/Recipes", 108, 0],
    ])
  })
})

describe("nc_files_get_info", () => {
  it("lists the permissions on an own file, and describes the top folder", async () => {
    const { alice, bob } = openStage({ seed: true })
    expect(await call(alice, "nc_files_get_info", { path: "/Projects/Budget.csv" })).toMatchObject({
      type: "text/csv",
      may: ["read", "write", "delete", "move", "share"],
    })
    const root = await call(bob, "nc_files_get_info", { path: "/" })
    expect(root).toMatchObject({ kind: "folder", path: "/" })
    expect(root.free_bytes).toBeUndefined()
  })

  it("finds names with special characters and other scripts, in a subfolder and for any user id", async () => {
    const path = "/100% sûr? #1 + 测试 🦊/a;b&c=d'e.txt"
    const { standIn } = openStage({ path: "/cloud" })
    filesOf(standIn.world).put("ldap-7f3a", path, "found")
    const dora = connect((request) => standIn.fetch(request), { user: "dora", url: "http://localhost/cloud" })
    expect(await call(dora, "nc_files_get_info", { path })).toMatchObject({ path, size: 5 })
    const { items } = await call<{ items: Item[] }>(dora, "nc_files_list_directory", {
      path: "/100% sûr? #1 + 测试 🦊",
    })
    expect(items.map((item) => item.path)).toEqual([path])
    expect((await read(dora, path)).content).toBe("found")
  })

  it("does not leave the user's own files", async () => {
    const { alice } = openStage()
    const attempt = call(alice, "nc_files_get_info", { path: "/../bob/Readme.md" })
    await expect(attempt).rejects.toMatchObject({ kind: "invalid" })
  })
})

describe("nc_files_read_file", () => {
  it("reads a long text in parts, split between characters, and downloads only each part", async () => {
    const stage = openStage()
    const whole = `${"ab".repeat(19_999)}x${"🦊漢é".repeat(9_000)}`
    putFile(stage, "/long.txt", whole)
    const parts: string[] = []
    let offset: number | undefined
    do {
      const part: Text = await read(stage.alice, "/long.txt", offset)
      parts.push(part.content ?? "")
      offset = part.next_offset
    } while (offset !== undefined)
    expect(parts.join("")).toBe(whole)
    expect(parts.length).toBeGreaterThan(2)
    expect(stage.alice.requests.map(({ headers }) => headers.get("range"))[0]).toBe("bytes=0-39999")
    expect(stage.alice.requests).toHaveLength(parts.length)
  })

  it.each([
    ["utf-8", "a.txt", "Größe\n", Buffer.from("Größe\n")],
    ["utf-8", "bom.txt", "Größe\n", Buffer.from("\uFEFFGröße\n")],
    ["windows-1252", "old.txt", "Größe\n", Buffer.from("Größe\n", "latin1")],
    ["utf-16le", "wide.txt", "Größe\n", Buffer.from("\uFEFFGröße\n", "utf16le")],
    ["utf-16le", "east.txt", "漢字", Buffer.from("\uFEFF漢字", "utf16le")],
    ["utf-8", "unknown.weird", "Größe\n", Buffer.from("Größe\n")],
  ])("understands %s in %s", async (charset, name, content, bytes) => {
    const stage = openStage()
    putFile(stage, `/${name}`, bytes)
    expect(await read(stage.alice, `/${name}`)).toMatchObject({ charset, content })
  })

  it("reads an empty file, and refuses an offset behind its end", async () => {
    const stage = openStage()
    putFile(stage, "/empty.txt", "")
    expect(await read(stage.alice, "/empty.txt")).toMatchObject({ content: "", size: 0 })
    const attempt = read(stage.alice, "/empty.txt", 10)
    await expect(attempt).rejects.toThrow("it ends before byte 10")
  })

  it("says that a path is a folder, although the server answers 200", async () => {
    const stage = openStage()
    putFile(stage, "/Folder/a.txt", "a")
    await expect(read(stage.alice, "/Folder")).rejects.toThrow("it is a folder. Use nc_files_list_directory")
  })

  it.each([
    ["cat.png", "image", "image/png"],
    ["song.mp3", "audio", "audio/mpeg"],
  ])("returns %s as %s", async (name, type, mimeType) => {
    const stage = openStage()
    putFile(stage, `/${name}`, new Uint8Array([0, 1, 2, 255]))
    expect(await blocks(stage.alice, `/${name}`)).toEqual([{ type, data: "AAEC/w==", mimeType }])
    expect((await read(stage.alice, `/${name}`)).content).toBeUndefined()
  })

  it("returns everything else as a blob, even when the name does not show that it is not text", async () => {
    const stage = openStage()
    const bytes = new Uint8Array(50_000)
    putFile(stage, "/data.weird", bytes)
    stage.alice.forget()
    const [block] = await blocks(stage.alice, "/data.weird")
    expect(block).toMatchObject({
      type: "resource",
      resource: { uri: "http://localhost/remote.php/dav/files/alice/data.weird", mimeType: "application/octet-stream" },
    })
    expect(JSON.stringify(block)).toContain(Buffer.from(bytes).toString("base64"))
    expect(stage.alice.requests).toHaveLength(2)
  })

  it("returns a preview of a picture that is too large", async () => {
    const stage = openStage()
    putFile(stage, "/Photos/large 1.jpg", new Uint8Array(5 * 1024 * 1024))
    const picture = { status: 200, headers: { "content-type": "image/png" }, body: new Uint8Array([1, 2, 3]) }
    stage.standIn.switches.intercept = (_, path) => (path.endsWith("/core/preview") ? picture : undefined)
    expect(await blocks(stage.alice, "/Photos/large 1.jpg")).toEqual([
      { type: "image", data: "AQID", mimeType: "image/png" },
    ])
    expect(stage.alice.requests.at(-1)?.path).toContain("file=%2FPhotos%2Flarge+1.jpg&x=1600&y=1600&a=1")
    const preview = await call(stage.alice, "nc_files_read_file", { path: "/Photos/large 1.jpg" })
    expect(preview).toMatchObject({ preview: true, type: "image/png", size: 5 * 1024 * 1024 })
    picture.status = 404
    await expect(read(stage.alice, "/Photos/large 1.jpg")).rejects.toMatchObject({ kind: "too_large" })
  })

  it("refuses a file that is too large, and links to its folder", async () => {
    const stage = openStage()
    putFile(stage, "/Films/film.mp4", new Uint8Array(5 * 1024 * 1024))
    const attempt = read(stage.alice, "/Films/film.mp4")
    await expect(attempt).rejects.toMatchObject({ kind: "too_large" })
    await expect(attempt).rejects.toThrow("http://localhost/index.php/apps/files/files?dir=%2FFilms")
  })
})

describe("nc_files_search_files", () => {
  async function search(who: Connected, input: object): Promise<readonly string[]> {
    const { files } = await call<{ files: Item[] }>(who, "nc_files_search_files", input)
    return files.map(({ path }) => path).sort()
  }

  it("finds by part of a name, pattern, type, folder, size and time, and by combinations of them", async () => {
    const stage = openStage()
    putFile(stage, "/Docs/Report one.pdf", "12345")
    putFile(stage, "/Docs/report two.txt", "123")
    putFile(stage, "/Pictures/cat.png", "1234567")
    const { alice } = stage
    expect(await search(alice, { name: "REPORT" })).toEqual(["/Docs/Report one.pdf", "/Docs/report two.txt"])
    expect(await search(alice, { name: "*.p*" })).toEqual(["/Docs/Report one.pdf", "/Pictures/cat.png"])
    expect(await search(alice, { type: "image" })).toEqual(["/Pictures/cat.png"])
    expect(await search(alice, { type: "application/pdf" })).toEqual(["/Docs/Report one.pdf"])
    expect(await search(alice, { type: "folder", name: "doc" })).toEqual(["/Docs"])
    expect(await search(alice, { folder: "/Pictures", type: "image" })).toEqual(["/Pictures/cat.png"])
    expect(await search(alice, { name: "report", min_size: 4 })).toEqual(["/Docs/Report one.pdf"])
    expect(await search(alice, { name: "report", max_size: 3 })).toEqual(["/Docs/report two.txt"])
    expect(await search(alice, { name: "report", modified_after: "2001-01-01" })).toHaveLength(2)
    expect(await search(alice, { name: "report", modified_before: "2001-01-01T00:00:00Z" })).toEqual([])
    expect(stage.alice.requests.map(({ method }) => method)).toEqual(Array.from({ length: 10 }, () => "SEARCH"))
  })

  it("accepts only types that the server can search for", async () => {
    const stage = openStage()
    putFile(stage, "/a.png", "1")
    putFile(stage, "/b.txt", "2")
    const { alice } = stage
    for (const type of ["image", "image/*", "IMAGE/png"]) expect(await search(alice, { type })).toEqual(["/a.png"])
    for (const type of ["*", "*/*"]) expect(await search(alice, { type, name: "*.*" })).toEqual(["/a.png", "/b.txt"])
    for (const type of ["image/p*", "*/png"])
      await expect(search(alice, { type })).rejects.toThrow("is not a type that can be searched for")
  })

  it("treats % and _ in a name as plain characters", async () => {
    const stage = openStage()
    for (const name of ["50% off", "50 percent off", "a_b", "axb"]) putFile(stage, `/${name}.txt`, "x")
    expect(await search(stage.alice, { name: "50% off" })).toEqual(["/50% off.txt"])
    expect(await search(stage.alice, { name: "a_b" })).toEqual(["/a_b.txt"])
  })

  it("searches below a folder whose name needs encoding in addresses", async () => {
    const stage = openStage()
    putFile(stage, "/50% off #1/a b.txt", "x")
    putFile(stage, "/other/a b.txt", "x")
    expect(await search(stage.alice, { folder: "/50% off #1", name: "a b" })).toEqual(["/50% off #1/a b.txt"])
  })

  it("finds favourites", async () => {
    const stage = openStage()
    putFile(stage, "/a.txt", "a")
    putFile(stage, "/b.txt", "b")
    await call(stage.alice, "nc_files_set_favorite", { path: "/b.txt", favorite: true })
    expect(await search(stage.alice, { favorites: true })).toEqual(["/b.txt"])
    expect(await call(stage.alice, "nc_files_get_info", { path: "/b.txt" })).toMatchObject({ favorite: true })
    await call(stage.alice, "nc_files_set_favorite", { path: "/b.txt", favorite: false })
    expect(await search(stage.alice, { favorites: true })).toEqual([])
  })

  it("returns page after page, with one request each", async () => {
    const stage = openStage()
    for (const name of ["a", "b", "c", "d", "e"]) putFile(stage, `/${name}.txt`, name)
    const paths: string[] = []
    let cursor: string | undefined
    do {
      const input = { type: "text", limit: 2, ...(cursor === undefined ? {} : { cursor }) }
      const page = await call<{ files: Item[]; next_cursor?: string }>(stage.alice, "nc_files_search_files", input)
      paths.push(...page.files.map(({ path }) => path))
      cursor = page.next_cursor
    } while (cursor !== undefined)
    expect(paths.toSorted()).toEqual(["/a.txt", "/b.txt", "/c.txt", "/d.txt", "/e.txt"])
    expect(stage.alice.requests).toHaveLength(3)
  })

  it("sends the search that a real server answered", async () => {
    const { nextcloud, requests } = connect(
      recorded("webdav", ["current-user-principal from root", "SEARCH mime + order + limit"]),
    )
    const tool = toolOf(fileTools, "nc_files_search_files")
    const { files } = await callTool<{ files: Item[] }>(tool, { type: "text", limit: 2 }, nextcloud)
    expect(files.map(({ path }) => path)).toEqual(["/Größe 测试 🦊/naïve résumé №1 + & #%.txt", "/Docs/badsum.txt"])
    expect(requests[0]?.path).toBe("/remote.php/dav/")
    for (const part of [
      "<d:scope><d:href>/files/alice</d:href><d:depth>infinity</d:depth></d:scope>",
      "<d:where><d:like><d:prop><d:getcontenttype/></d:prop><d:literal>text/%</d:literal></d:like></d:where>",
      "<d:orderby><d:order><d:prop><d:getlastmodified/></d:prop><d:descending/></d:order></d:orderby>",
      "<d:limit><d:nresults>3</d:nresults></d:limit>",
    ])
      expect(requests[0]?.body).toContain(part)
  })

  it("reports a failure of the server, and does not call the server unreachable", async () => {
    const { standIn } = openStage()
    const message = "<s:message>The index is broken</s:message>"
    const errorBody = `<d:error xmlns:d="DAV:" xmlns:s="http://sabredav.org/ns">${message}</d:error>`
    const broken = connect(
      (request) =>
        request.method === "SEARCH"
          ? Promise.resolve(new Response(errorBody, { status: 500, headers: { "content-type": "application/xml" } }))
          : standIn.fetch(request),
      { url: "http://localhost" },
    )
    const error = await call(broken, "nc_files_search_files", { name: "a" }).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ kind: "failed", status: 500 })
    expect(String(error)).toContain("“The index is broken”")
    expect(String(error)).not.toMatch(/reach|later/)
  })

  it("says which date it cannot parse, and which folder it cannot search", async () => {
    const { alice } = openStage()
    const when = call(alice, "nc_files_search_files", { modified_after: "next Tuesday" })
    await expect(when).rejects.toThrow("“next Tuesday” is not a date")
    const where = call(alice, "nc_files_search_files", { folder: "/nowhere" })
    await expect(where).rejects.toMatchObject({ kind: "not_found" })
  })
})

describe("nc_files_read_document_text", () => {
  const textOf = ({ alice }: Stage, path: string, offset?: number) =>
    call(alice, "nc_files_read_document_text", { path, ...(offset === undefined ? {} : { offset }) })

  it("returns the text under a heading for each page", async () => {
    const stage = openStage()
    putFile(stage, "/Report.pdf", pdf("Sales went up", "Costs did not"))
    expect(await textOf(stage, "/Report.pdf")).toMatchObject({
      kind: "pdf",
      parts: 2,
      content: "## Page 1\nSales went up\n\n## Page 2\nCosts did not",
    })
  })

  it("returns a long text in parts that join to the whole", async () => {
    const stage = openStage()
    const words = Array.from({ length: 15_000 }, (_, index) => `w${index}`).join(" ")
    putFile(stage, "/Long.docx", docx(`<w:p><w:r><w:t>${words}</w:t></w:r></w:p>`))
    const first = await textOf(stage, "/Long.docx")
    const next = await textOf(stage, "/Long.docx", first.next_offset as number)
    const last = await textOf(stage, "/Long.docx", next.next_offset as number)
    expect(`${first.content}${next.content}${last.content}` === `${words}\n\nA footnote.`).toBe(true)
    expect(last).not.toHaveProperty("next_offset")
    await expect(textOf(stage, "/Long.docx", 900_000)).rejects.toThrow("its text ends before character 900000")
  })

  it("says when a document has no text, and which tool to use for one that it cannot read", async () => {
    const stage = openStage()
    putFile(stage, "/Scan.pdf", pdf(""))
    expect(await textOf(stage, "/Scan.pdf")).toMatchObject({ note: expect.stringContaining("scanned") })
    putFile(stage, "/Notes.txt", "plain")
    await expect(textOf(stage, "/Notes.txt")).rejects.toThrow(/neither a PDF nor .* nc_files_read_file/)
    putFile(stage, "/Folder/x.txt", "x")
    await expect(textOf(stage, "/Folder")).rejects.toThrow("it is a folder")
  })
})
