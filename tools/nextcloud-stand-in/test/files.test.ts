// The stand-in's files keep what is written: etags, trash, versions, chunks, favourites, shares, locks.

import { describe, expect, it } from "vitest"
import { createStandIn, filesOf, person, type StandIn, seedFiles } from "../src/index.ts"
import { childOf, childrenOf, dav, type Element, nc, oc, parseXml, textOf } from "../src/xml.ts"

interface FileResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly bytes: Uint8Array
}

interface Ask {
  readonly body?: string | Uint8Array<ArrayBuffer>
  readonly headers?: Readonly<Record<string, string>>
  readonly as?: string
}

interface Client {
  readonly standIn: StandIn
  /** The path below the server's address. */
  readonly ask: (method: string, path: string, more?: Ask) => Promise<FileResponse>
  /** The path below the user's own files. */
  readonly dav: (method: string, path: string, more?: Ask) => Promise<FileResponse>
  /** The properties of each resource, by its path. */
  readonly find: (path: string, names: string, more?: Ask) => Promise<ReadonlyMap<string, Element>>
}

const root = "http://localhost/cloud"

function open(options: Parameters<typeof createStandIn>[0] = {}): Client {
  const standIn = createStandIn({ path: "/cloud", ...options })
  const ask: Client["ask"] = async (method, path, { body, headers = {}, as = "alice" } = {}) => {
    const authorization = `Basic ${Buffer.from(`${as}:${as}-Pass-2026`).toString("base64")}`
    const all = { authorization, "ocs-apirequest": "true", ...headers }
    const request = new Request(`${root}${path}`, { method, headers: all, ...(body === undefined ? {} : { body }) })
    const response = await standIn.fetch(request)
    const bytes = new Uint8Array(await response.arrayBuffer())
    return { status: response.status, headers: response.headers, bytes, text: new TextDecoder().decode(bytes) }
  }
  const inFiles: Client["dav"] = (method, path, more = {}) =>
    ask(method, `/remote.php/dav/files/${more.as ?? "alice"}${path}`, more)
  const find: Client["find"] = async (path, names, more = {}) => {
    const headers = { depth: "1", ...more.headers }
    return propertiesIn((await ask("PROPFIND", path, { ...more, body: asking(names), headers })).text)
  }
  return { standIn, ask, dav: inFiles, find }
}

const spaces = `xmlns:d="${dav}" xmlns:oc="${oc}" xmlns:nc="${nc}"`

const asking = (names: string): string => {
  const elements = names.split(" ").map((name) => `<${name}/>`)
  return `<d:propfind ${spaces}><d:prop>${elements.join("")}</d:prop></d:propfind>`
}

function propertiesIn(body: string): ReadonlyMap<string, Element> {
  const responses = childrenOf(parseXml(body), dav, "response")
  return new Map(
    responses.map((response) => {
      const prop = childOf(childOf(response, dav, "propstat"), dav, "prop")
      if (prop === undefined) throw new Error("There are no properties.")
      return [decodeURIComponent(textOf(response, dav, "href") ?? "").replace("/cloud/remote.php/dav/", ""), prop]
    }),
  )
}

const to = (path: string, as = "alice") => ({ destination: `${root}/remote.php/dav/files/${as}${path}` })

const favourite = (value: number) =>
  `<d:propertyupdate ${spaces}><d:set><d:prop><oc:favorite>${value}</oc:favorite></d:prop></d:set></d:propertyupdate>`

const scope = "<d:scope><d:href>/files/alice</d:href><d:depth>infinity</d:depth></d:scope>"

const searching = (where: string, rest = ""): string => {
  const select = `<d:select><d:prop><oc:fileid/></d:prop></d:select><d:from>${scope}</d:from>`
  const search = `<d:basicsearch>${select}<d:where>${where}</d:where>${rest}</d:basicsearch>`
  return `<d:searchrequest ${spaces}>${search}</d:searchrequest>`
}

describe("the files", () => {
  it("returns what was written, under the same id, with new etags for all parents", async () => {
    const { dav: ask, find } = open()
    await ask("MKCOL", "/a")
    await ask("MKCOL", "/a/b")
    const first = await ask("PUT", "/a/b/x.txt", { body: "one" })
    const etags = async () => {
      const requests = ["", "/a", "/a/b"].map(async (path) => {
        const things = await find(`/remote.php/dav/files/alice${path}`, "d:getetag", { headers: { depth: "0" } })
        return [...things.values()].map((one) => textOf(one, dav, "getetag"))[0]
      })
      return Promise.all(requests)
    }
    const before = await etags()
    const second = await ask("PUT", "/a/b/x.txt", { body: "two" })
    const after = await etags()
    expect([first.status, second.status]).toEqual([201, 204])
    expect(second.headers.get("oc-fileid")).toBe(first.headers.get("oc-fileid"))
    expect(second.headers.get("etag")).not.toBe(first.headers.get("etag"))
    expect((await ask("GET", "/a/b/x.txt")).text).toBe("two")
    expect(after.filter((etag, index) => etag === before[index])).toEqual([])
  })

  it("overwrites only with the current etag", async () => {
    const { dav: ask } = open()
    const { headers } = await ask("PUT", "/x.txt", { body: "one" })
    const etag = headers.get("etag") ?? ""
    expect((await ask("PUT", "/x.txt", { body: "two", headers: { "if-match": etag } })).status).toBe(204)
    expect((await ask("PUT", "/x.txt", { body: "three", headers: { "if-match": etag } })).status).toBe(412)
    expect((await ask("PUT", "/x.txt", { body: "four", headers: { "if-none-match": "*" } })).status).toBe(412)
    expect((await ask("DELETE", "/x.txt", { headers: { "if-match": etag } })).status).toBe(412)
    expect((await ask("GET", "/x.txt")).text).toBe("two")
  })

  it("finds unusual names where they were written, on a server in a subfolder", async () => {
    const { dav: ask, find } = open()
    for (const name of ["100% sure.txt", "a b+c&d#e?.txt", "Größe 测试 🦊.txt", "Cafe\u0301.txt", "%41.txt"]) {
      expect((await ask("PUT", `/${encodeURIComponent(name)}`, { body: name })).status).toBe(201)
      expect((await ask("GET", `/${encodeURIComponent(name.normalize("NFC"))}`)).text).toBe(name)
    }
    const things = await find("/remote.php/dav/files/alice/", "d:displayname")
    const names = [...things.values()].map((one) => textOf(one, dav, "displayname"))
    expect(names).toEqual(["alice", "100% sure.txt", "a b+c&d#e?.txt", "Größe 测试 🦊.txt", "Café.txt", "%41.txt"])
    expect([...things.keys()][1]).toBe("files/alice/100% sure.txt")
  })

  it("moves and copies folders with their content, and replaces only when allowed", async () => {
    const { dav: ask } = open()
    await ask("MKCOL", "/from")
    await ask("PUT", "/from/x.txt", { body: "x" })
    await ask("PUT", "/there.txt", { body: "there" })
    expect((await ask("COPY", "/from", { headers: to("/twin") })).status).toBe(201)
    expect((await ask("MOVE", "/from", { headers: to("/new%20name") })).status).toBe(201)
    expect((await ask("GET", "/new%20name/x.txt")).text).toBe("x")
    expect((await ask("GET", "/twin/x.txt")).text).toBe("x")
    expect((await ask("GET", "/from/x.txt")).status).toBe(404)
    const headers = { ...to("/there.txt"), overwrite: "F" }
    expect((await ask("MOVE", "/twin/x.txt", { headers })).status).toBe(412)
    expect((await ask("MOVE", "/twin/x.txt", { headers: to("/there.txt") })).status).toBe(204)
    expect((await ask("GET", "/there.txt")).text).toBe("x")
    expect((await ask("MOVE", "/twin", { headers: to("/twin/inside") })).status).toBe(409)
    expect((await ask("MOVE", "/twin", { headers: to("/twin", "bob") })).status).toBe(403)
  })

  it("moves only onto the current version, when If names an etag", async () => {
    const { dav: ask } = open()
    await ask("PUT", "/a.txt", { body: "a" })
    const { headers } = await ask("PUT", "/b.txt", { body: "b" })
    const target = `${root}/remote.php/dav/files/alice/b.txt`
    const onto = (etag: string) => ({ ...to("/b.txt"), if: `<${target}> ([${etag}])` })
    expect((await ask("MOVE", "/a.txt", { headers: onto('"stale"') })).status).toBe(412)
    expect((await ask("MOVE", "/a.txt", { headers: onto(headers.get("etag") ?? "") })).status).toBe(204)
    expect((await ask("GET", "/b.txt")).text).toBe("a")
  })

  it.each([
    ["one of two lists holds", "([CURRENT]) ([STALE])", 204],
    ["another one of two lists holds", "(<opaquelocktoken:1>) ([CURRENT])", 204],
    ["no list holds", "([STALE]) (<opaquelocktoken:1>)", 412],
    ["one of two named resources has no list that holds", "<URL> ([CURRENT]) <URL> ([STALE])", 412],
    ["one condition of the list does not hold", "([CURRENT] <opaquelocktoken:1>)", 412],
    ["the etag after Not is another one", "(Not [STALE])", 204],
    ["the token after Not is not a lock", "([CURRENT] Not <DAV:no-lock>)", 204],
    ["the etag after Not is the current one", "(Not [CURRENT])", 412],
  ])("evaluates an If header as sabre does: where %s, %s is answered with %i", async (_, header, status) => {
    const { dav: ask } = open()
    const { headers } = await ask("PUT", "/x.txt", { body: "one" })
    const condition = header
      .replaceAll("CURRENT", headers.get("etag") ?? "")
      .replaceAll("STALE", '"stale"')
      .replaceAll("URL", `${root}/remote.php/dav/files/alice/x.txt`)
    expect((await ask("PUT", "/x.txt", { body: "two", headers: { if: condition } })).status).toBe(status)
  })

  it("keeps deleted files in the trash, and restores them to their folder", async () => {
    const { ask, dav: inFiles, find } = open({ now: () => 1_800_000_000_000 })
    await inFiles("MKCOL", "/plans")
    await inFiles("PUT", "/plans/x.txt", { body: "kept" })
    await inFiles("DELETE", "/plans/x.txt")
    await inFiles("PUT", "/plans/x.txt", { body: "newer" })
    const names = "nc:trashbin-original-location d:getcontentlength"
    const [, [path = "", item] = []] = await find("/remote.php/dav/trashbin/alice/trash", names)
    expect(textOf(item, nc, "trashbin-original-location")).toBe("plans/x.txt")
    const headers = { destination: `${root}/remote.php/dav/trashbin/alice/restore/x.txt` }
    expect((await ask("MOVE", `/remote.php/dav/${path}`, { headers })).status).toBe(201)
    expect((await inFiles("GET", "/plans/x%20(restored).txt")).text).toBe("kept")
    expect((await find("/remote.php/dav/trashbin/alice/trash", names)).size).toBe(1)
    for (const body of ["a", "b"]) {
      await inFiles("PUT", "/twice.txt", { body })
      await inFiles("DELETE", "/twice.txt")
    }
    expect((await find("/remote.php/dav/trashbin/alice/trash", names)).size).toBe(3)
    await inFiles("DELETE", "/plans")
    expect((await ask("DELETE", "/remote.php/dav/trashbin/alice/trash")).status).toBe(204)
    expect((await find("/remote.php/dav/trashbin/alice/trash", names)).size).toBe(1)
  })

  it("deletes permanently when there is no trash", async () => {
    const { ask, dav: inFiles, standIn } = open()
    standIn.switches.without.add("files_trashbin")
    await inFiles("PUT", "/x.txt", { body: "x" })
    await inFiles("DELETE", "/x.txt")
    expect((await ask("PROPFIND", "/remote.php/dav/trashbin/alice/trash")).status).toBe(404)
    standIn.switches.without.clear()
    expect((await ask("PROPFIND", "/remote.php/dav/trashbin/alice/trash")).text).not.toContain("x.txt")
  })

  it("keeps earlier versions, even within one second, and restores them", async () => {
    const { ask, dav: inFiles, find } = open({ now: () => 1_800_000_000_000 })
    const { headers } = await inFiles("PUT", "/x.txt", { body: "one" })
    await inFiles("PUT", "/x.txt", { body: "two" })
    await inFiles("PUT", "/x.txt", { body: "three" })
    const id = Number.parseInt(headers.get("oc-fileid") ?? "", 10)
    const things = await find(`/remote.php/dav/versions/alice/versions/${id}`, "d:getcontentlength")
    const [, first, ...rest] = [...things.keys()]
    expect(rest).toHaveLength(2)
    expect((await ask("GET", `/remote.php/dav/${first}`)).text).toBe("one")
    const destination = { destination: `${root}/remote.php/dav/versions/alice/restore/target` }
    expect((await ask("MOVE", `/remote.php/dav/${first}`, { headers: destination })).status).toBe(201)
    expect((await inFiles("GET", "/x.txt")).text).toBe("one")
    // The restored version is the current one, with its old time; the previous content is a version.
    const after = await find(`/remote.php/dav/versions/alice/versions/${id}`, "d:getlastmodified")
    const present = await find("/remote.php/dav/files/alice/x.txt", "d:getlastmodified", { headers: { depth: "0" } })
    const [modified] = [...present.values()].map((one) => textOf(one, dav, "getlastmodified"))
    expect([after.size, textOf(after.get(first ?? ""), dav, "getlastmodified")]).toEqual([4, modified])
    // The current version is listed, but can only be read as the file.
    expect((await ask("GET", `/remote.php/dav/${first}`)).status).toBe(404)
  })

  it("returns a range of an earlier version", async () => {
    const { ask, dav: inFiles, find } = open()
    const { headers } = await inFiles("PUT", "/x.txt", { body: "one two" })
    await inFiles("PUT", "/x.txt", { body: "three" })
    const id = Number.parseInt(headers.get("oc-fileid") ?? "", 10)
    const [, first] = [...(await find(`/remote.php/dav/versions/alice/versions/${id}`, "d:getetag")).keys()]
    const part = await ask("GET", `/remote.php/dav/${first}`, { headers: { range: "bytes=4-6" } })
    expect([part.status, part.text, part.headers.get("etag")]).toEqual([206, "two", first?.split("/").at(-1)])
  })

  it("joins chunks in the order of their numbers, if all are present", async () => {
    const { ask, dav: inFiles } = open()
    const upload = "/remote.php/dav/uploads/alice/up-1"
    await ask("MKCOL", upload, { headers: to("/big.bin") })
    for (const [name, body] of Object.entries({ "2": "BBB", "10": "CC", "1": "AAAA" })) {
      expect((await ask("PUT", `${upload}/${name}`, { body, headers: to("/big.bin") })).status).toBe(201)
    }
    const move = (total: string) =>
      ask("MOVE", `${upload}/.file`, { headers: { ...to("/big.bin"), "oc-total-length": total } })
    expect((await move("10")).status).toBe(400)
    expect((await move("9")).status).toBe(201)
    expect((await inFiles("GET", "/big.bin")).text).toBe("AAAABBBCC")
    expect((await ask("PROPFIND", upload)).status).toBe(404)
    await ask("MKCOL", upload, { headers: to("/big.bin") })
    const onto = { ...to("/big.bin"), overwrite: "F" }
    expect((await ask("MOVE", `${upload}/.file`, { headers: onto })).status).toBe(412)
  })

  it("finds favourites, types and names, in pages", async () => {
    const { ask, dav: inFiles } = open()
    for (const name of ["a.md", "b.md", "c.txt", "d_e.md"]) await inFiles("PUT", `/${name}`, { body: name })
    await inFiles("PROPPATCH", "/b.md", { body: favourite(1) })
    await inFiles("PROPPATCH", "/a.md", { body: favourite(1) })
    await inFiles("PROPPATCH", "/a.md", { body: favourite(0) })
    const search = async (where: string, extra?: string) => {
      const { text } = await ask("SEARCH", "/remote.php/dav/", { body: searching(where, extra) })
      return [...propertiesIn(text).keys()].map((path) => path.split("/").at(-1))
    }
    const property = (name: string) => `<d:prop><${name}/></d:prop>`
    const typed = (literal: string) =>
      `<d:like>${property("d:getcontenttype")}<d:literal>${literal}</d:literal></d:like>`
    const isMarkdown = typed("text/markdown")
    const order = `<d:orderby><d:order>${property("d:displayname")}<d:descending/></d:order></d:orderby>`
    const page = `${order}<d:limit><d:nresults>2</d:nresults><x:firstresult xmlns:x="urn:x">1</x:firstresult></d:limit>`
    expect(await search(`<d:eq>${property("oc:favorite")}<d:literal>yes</d:literal></d:eq>`)).toEqual(["b.md"])
    expect(await search(isMarkdown, page)).toEqual(["b.md", "a.md"])
    expect(await search(`<d:and>${isMarkdown}<d:not>${isMarkdown}</d:not></d:and>`)).toEqual([])
    expect(await search(`<d:and>${typed("text/%")}<d:not>${isMarkdown}</d:not></d:and>`)).toEqual(["c.txt"])
    const refused = await ask("SEARCH", "/remote.php/dav/", { body: searching(typed("text/mark%")) })
    expect([refused.status, refused.text]).toEqual([500, expect.stringContaining("Unsupported query value")])
    const rules = "<oc:filter-rules><oc:favorite>1</oc:favorite></oc:filter-rules>"
    const body = `<oc:filter-files ${spaces}><d:prop><oc:fileid/></d:prop>${rules}</oc:filter-files>`
    const report = await inFiles("REPORT", "/", { body })
    expect([...propertiesIn(report.text).keys()]).toEqual(["files/alice/b.md"])
  })

  it("refuses what exceeds the quota, and accepts it after space was freed", async () => {
    const users = [person("alice", { quota: 100 })]
    const { dav: ask, find } = open({ users })
    expect((await ask("PUT", "/a.bin", { body: "x".repeat(60) })).status).toBe(201)
    expect((await ask("PUT", "/b.bin", { body: "x".repeat(60) })).status).toBe(507)
    expect((await ask("COPY", "/a.bin", { headers: to("/b.bin") })).status).toBe(507)
    const [[, home] = []] = await find("/remote.php/dav/files/alice/", "d:quota-available-bytes d:quota-used-bytes")
    expect(textOf(home, dav, "quota-available-bytes")).toBe("40")
    await ask("DELETE", "/a.bin")
    expect((await ask("PUT", "/b.bin", { body: "x".repeat(60) })).status).toBe(201)
  })

  it("lets only the author change a comment", async () => {
    const { ask, dav: inFiles, standIn } = open()
    const { id } = filesOf(standIn.world).put("alice", "/x.txt", "x")
    const path = `/remote.php/dav/comments/files/${id}`
    for (const message of ["first", "second", "third 🦊"]) {
      const body = JSON.stringify({ actorType: "users", verb: "comment", message })
      expect((await ask("POST", path, { body })).status).toBe(201)
    }
    const report = `<oc:filter-comments ${spaces}><oc:limit>2</oc:limit><oc:offset>1</oc:offset></oc:filter-comments>`
    const comments = propertiesIn((await ask("REPORT", path, { body: report })).text)
    expect([...comments.values()].map((one) => textOf(one, oc, "message"))).toEqual(["second", "first"])
    const [second] = comments.keys()
    expect((await ask("DELETE", `/remote.php/dav/${second}`, { as: "bob" })).status).toBe(404)
    expect((await ask("DELETE", `/remote.php/dav/${second}`)).status).toBe(204)
    expect(propertiesIn((await ask("REPORT", path, { body: report })).text).size).toBe(1)
    expect((await inFiles("PROPFIND", "/x.txt", { body: asking("oc:comments-count") })).text).toContain(">2<")
  })

  it("finds files by tags", async () => {
    const { ask, dav: inFiles, standIn } = open()
    const { id } = filesOf(standIn.world).put("alice", "/x.txt", "x")
    const make = () => ask("POST", "/remote.php/dav/systemtags/", { body: JSON.stringify({ name: "urgent" }) })
    const created = await make()
    const loud = ask("POST", "/remote.php/dav/systemtags/", { body: JSON.stringify({ name: "URGENT" }) })
    expect([created.status, (await make()).status, (await loud).status]).toEqual([201, 409, 409])
    const tag = created.headers.get("content-location")?.split("/").at(-1) ?? ""
    const relation = `/remote.php/dav/systemtags-relations/files/${id}`
    expect((await ask("PUT", `${relation}/999`)).status).toBe(412)
    expect((await ask("PUT", `${relation}/${tag}`)).status).toBe(201)
    const rules = `<oc:filter-rules><oc:systemtag>${tag}</oc:systemtag></oc:filter-rules>`
    const body = `<oc:filter-files ${spaces}><d:prop><oc:fileid/></d:prop>${rules}</oc:filter-files>`
    const tagged = async () => propertiesIn((await inFiles("REPORT", "/", { body })).text).size
    expect(await tagged()).toBe(1)
    expect((await ask("DELETE", `${relation}/${tag}`)).status).toBe(204)
    expect(await tagged()).toBe(0)
    expect((await ask("DELETE", `/remote.php/dav/systemtags/${tag}`)).status).toBe(403)
    expect((await ask("DELETE", `/remote.php/dav/systemtags/${tag}`, { as: "admin" })).status).toBe(204)
  })

  it("lets only administrators assign restricted tags", async () => {
    const { ask, standIn } = open()
    const { id } = filesOf(standIn.world).put("alice", "/x.txt", "x")
    const body = JSON.stringify({ name: "legal", userAssignable: false })
    const created = await ask("POST", "/remote.php/dav/systemtags/", { body, as: "admin" })
    const tag = created.headers.get("content-location")?.split("/").at(-1) ?? ""
    expect((await ask("PUT", `/remote.php/dav/systemtags-relations/files/${id}/${tag}`)).status).toBe(403)
  })

  it("refuses to lock files", async () => {
    const { dav: ask, find, standIn } = open()
    filesOf(standIn.world).put("alice", "/x.txt", "x")
    expect((await ask("LOCK", "/x.txt", { headers: { "x-user-lock": "1" } })).status).toBe(501)
    const [[, file] = []] = await find("/remote.php/dav/files/alice/x.txt", "nc:lock")
    expect(textOf(file, nc, "lock")).toBe("")
    expect((await ask("PUT", "/x.txt", { body: "y", headers: { if: "(<opaquelocktoken:1>)" } })).status).toBe(412)
  })

  it("starts with files of several kinds", async () => {
    const { standIn, dav: ask, find } = open()
    seedFiles(standIn.world)
    const things = await find("/remote.php/dav/files/alice/", "d:getcontenttype oc:permissions")
    expect([...things.keys()]).toContain("files/alice/Importer/")
    expect((await ask("GET", "/Projects/server.log")).bytes.byteLength).toBeGreaterThan(200_000)
    expect((await ask("GET", "/Photos/Sunset.png")).bytes.subarray(1, 4)).toEqual(new TextEncoder().encode("PNG"))
    expect((await ask("GET", "/Importer/todo.md")).text).toContain("umlauts")
    expect(filesOf(standIn.world).get("bob", "/Readme.md")?.text).toContain("Bob")
  })
})
