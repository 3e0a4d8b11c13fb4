// Collectives, of which nothing was recorded: its tools against the stand-in, which keeps to the documented API.

import { createStandIn } from "@holdpoint/nextcloud-stand-in"
import { describe, expect, it } from "vitest"
import { collectivesTools } from "../../src/tools/collectives/collectives.ts"
import { aboutOf, callTool, confirmAndCall, toolOf } from "../fits.ts"
import { connect } from "../nextcloud.ts"
import { collectivesPeer } from "../peer/collectives.ts"
import type { UnrecordedAnswer } from "../recorded.ts"
import { recorded } from "../recorded.ts"
import { createRecordedCaller, failing } from "./recorded-call.ts"

type Output = Readonly<Record<string, unknown>>
interface Named {
  readonly id: number
  readonly title: string
  readonly name: string
  readonly parent_id: number
}

const api = "/ocs/v2.php/apps/collectives/api/v1.0/collectives"
const web = "http://cloud.test/index.php/apps/collectives"

async function atHandbook() {
  const standIn = createStandIn({ seed: true, trusted: ["cloud.test"] })
  const { nextcloud, requests, forget } = connect(standIn.fetch)
  const call = (name: string, input: object) => callTool<Output>(toolOf(collectivesTools, name), input, nextcloud)
  const { collectives } = (await call("nc_collectives_list_collectives", {})) as { collectives: readonly Named[] }
  const collective_id = collectives[0]?.id ?? 0
  const { pages } = (await call("nc_collectives_list_pages", { collective_id })) as { pages: readonly Named[] }
  const start = pages.find(({ parent_id }) => parent_id === 0)?.id ?? 0
  const page_id = pages.find(({ title }) => title === "Onboarding")?.id ?? 0
  forget()
  const addPage = (title: string, parent_id = start) =>
    call("nc_collectives_create_page", { collective_id, parent_id, title }) as Promise<Output & { id: number }>
  return { standIn, nextcloud, requests, forget, call, addPage, collective_id, start, page_id }
}

describe("collectives", () => {
  it("lists collectives and pages with their links to the web interface", async () => {
    const { call, collective_id, start, page_id } = await atHandbook()
    expect(await call("nc_collectives_list_collectives", {})).toMatchObject({
      total: 1,
      collectives: [{ name: "Handbook", emoji: "📘", url: `${web}/Handbook-${collective_id}` }],
    })
    expect(await call("nc_collectives_list_pages", { collective_id })).toMatchObject({
      total: 2,
      pages: [
        { id: start, url: `${web}/Handbook-${collective_id}` },
        { id: page_id, url: `${web}/Handbook-${collective_id}/Onboarding-${page_id}` },
      ],
    })
  })

  it("links to pages by number, even when a name ends in a number", async () => {
    const { call, addPage } = await atHandbook()
    const { id: collective_id } = await call("nc_collectives_create_collective", { name: "Sprint-3" })
    expect(await call("nc_collectives_list_pages", { collective_id })).toMatchObject({
      pages: [{ url: `${web}/Sprint-3-${collective_id}` }],
    })
    const page = await addPage("Notes of 2026-05-01")
    expect(page.url).toMatch(new RegExp(`/Notes-of-2026-05-01-${page.id}$`))
  })

  it("links by name where the server has no slugs", async () => {
    const named = { title: "Größe", parentId: 1, timestamp: 1, collectivePath: "Collectives/A b" }
    const pages = [
      { ...named, id: 2, fileName: "Größe.md", filePath: "Über uns" },
      { ...named, id: 3, fileName: "Readme.md", filePath: "Größe" },
    ]
    const answer: UnrecordedAnswer = {
      path: `${api}/5/pages`,
      body: { ocs: { meta: { statuscode: 200 }, data: { pages } } },
    }
    const callRecorded = createRecordedCaller(collectivesTools)
    const { output } = await callRecorded(
      "nc_collectives_list_pages",
      { collective_id: 5 },
      recorded("deck", [], [answer]),
    )
    expect(output).toMatchObject({
      pages: [
        { url: `${web}/A%20b/%C3%9Cber%20uns/Gr%C3%B6%C3%9Fe?fileId=2` },
        { url: `${web}/A%20b/Gr%C3%B6%C3%9Fe?fileId=3` },
      ],
    })
  })

  it("reads a page's text over WebDAV, from an offset if one is given", async () => {
    const { call, requests, collective_id, page_id } = await atHandbook()
    const page = await call("nc_collectives_get_page", { collective_id, page_id })
    expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      `GET ${api}/${collective_id}/pages/${page_id}?format=json`,
      "GET /remote.php/dav/files/alice/Collectives/Handbook/Onboarding.md",
    ])
    expect(page).toMatchObject({ title: "Onboarding", content: expect.stringMatching(/^# Onboarding/) })
    const second = await call("nc_collectives_get_page", { collective_id, page_id, offset: 2 })
    expect(second.content).toMatch(/^Onboarding/)
  })

  it("finds a page's text after the page became a folder, was moved and got another title", async () => {
    const { call, requests, forget, addPage, collective_id, page_id } = await atHandbook()
    const below = await addPage("Keys", page_id)
    const other = await addPage("First days")
    const textOf = async (id: unknown) => {
      forget()
      const { content } = await call("nc_collectives_get_page", { collective_id, page_id: id })
      return [requests.at(-1)?.path.replace("/remote.php/dav/files/alice/Collectives/Handbook/", ""), content]
    }
    expect(await textOf(page_id)).toEqual(["Onboarding/Readme.md", expect.stringMatching(/^# Onboarding/)])
    expect(await textOf(below.id)).toEqual(["Onboarding/Keys.md", ""])
    await call("nc_collectives_move_page", { collective_id, page_id, parent_id: other.id, title: "Arriving" })
    const start = expect.stringMatching(/^# Onboarding/)
    expect(await textOf(page_id)).toEqual(["First%20days/Arriving/Readme.md", start])
    expect(await textOf(below.id)).toEqual(["First%20days/Arriving/Keys.md", ""])
  })

  it("searches the text of pages", async () => {
    const { call, requests, collective_id } = await atHandbook()
    expect(await call("nc_collectives_search_pages", { collective_id, query: "Lunch & team" })).toMatchObject({
      total: 0,
    })
    expect(requests[0]?.path).toBe(`${api}/${collective_id}/search?searchString=Lunch+%26+team&format=json`)
    expect(await call("nc_collectives_search_pages", { collective_id, query: "lunch" })).toMatchObject({ total: 1 })
  })

  it("overwrites a page's text only if it is still the text that was read", async () => {
    const { call, requests, forget, collective_id, page_id } = await atHandbook()
    const { etag } = await call("nc_collectives_get_page", { collective_id, page_id })
    forget()
    const written = await call("nc_collectives_write_page", { collective_id, page_id, etag, content: "# New ✓" })
    expect(requests.map(({ method }) => method)).toEqual(["GET", "PUT", "GET"])
    expect(requests[2]?.path).toBe(`${api}/${collective_id}/pages/${page_id}/touch?format=json`)
    expect(requests[1]?.headers.get("if-match")).toBe(`"${etag}"`)
    expect(await call("nc_collectives_get_page", { collective_id, page_id })).toMatchObject({
      content: "# New ✓",
      etag: written.etag,
    })
    const again = call("nc_collectives_write_page", { collective_id, page_id, etag, content: "lost" })
    expect(await failing(again)).toMatchObject({
      kind: "conflict",
      current: { content: "# New ✓", etag: written.etag },
    })
  })

  it("returns a page's new size and author after a write", async () => {
    const { standIn, collective_id, page_id } = await atHandbook()
    const { nextcloud } = connect(standIn.fetch, { user: "bob" })
    const call = (name: string, input: object) => callTool<Output>(toolOf(collectivesTools, name), input, nextcloud)
    const { etag, changed_by } = await call("nc_collectives_get_page", { collective_id, page_id })
    expect(changed_by).toBe("alice")
    const written = await call("nc_collectives_write_page", { collective_id, page_id, etag, content: "# New" })
    expect(written).toMatchObject({ changed_by: "bob", size: 5 })
  })

  it("returns the changed title when a title is taken or is not a valid file name", async () => {
    const { addPage } = await atHandbook()
    expect((await addPage("Onboarding")).title).toBe("Onboarding (2)")
    expect((await addPage("What? and/or why")).title).toBe("What and-or why")
  })

  it("creates pages, with text or without", async () => {
    const { call, requests, collective_id, start } = await atHandbook()
    const empty = await call("nc_collectives_create_page", { collective_id, parent_id: start, title: "Empty" })
    expect(requests.map(({ method, body }) => `${method} ${body}`)).toEqual([`POST {"title":"Empty"}`])
    expect(empty).toMatchObject({ title: "Empty", parent_id: start })
    const input = { collective_id, parent_id: start, title: "50 % & more #1", content: "Größe" }
    const page = await call("nc_collectives_create_page", input)
    expect(await call("nc_collectives_get_page", { collective_id, page_id: page.id })).toMatchObject({
      content: "Größe",
    })
  })

  it("finds the files of a user whose id differs from the login name", async () => {
    const standIn = createStandIn({ trusted: ["cloud.test"] })
    const { nextcloud, requests } = connect(standIn.fetch, { user: "dora" })
    const call = (name: string, input: object) => callTool<Output>(toolOf(collectivesTools, name), input, nextcloud)
    const { id } = await call("nc_collectives_create_collective", { name: "Größe 50 %" })
    const { pages } = (await call("nc_collectives_list_pages", { collective_id: id })) as { pages: readonly Named[] }
    await call("nc_collectives_get_page", { collective_id: id, page_id: pages[0]?.id })
    expect(requests.at(-1)?.path).toBe(
      "/remote.php/dav/files/ldap-7f3a/Collectives/Gr%C3%B6%C3%9Fe%2050%20%25/Readme.md",
    )
  })

  it("moves and renames pages", async () => {
    const { call, requests, collective_id, page_id } = await atHandbook()
    expect(await call("nc_collectives_move_page", { collective_id, page_id, title: "First days" })).toMatchObject({
      title: "First days",
    })
    expect(requests.map(({ method, path, body }) => `${method} ${path} ${body}`)).toEqual([
      `PUT ${api}/${collective_id}/pages/${page_id}?format=json {"title":"First days"}`,
    ])
    expect((await failing(call("nc_collectives_move_page", { collective_id, page_id }))).kind).toBe("invalid")
  })

  it("refuses an index that the server would ignore", async () => {
    const { call, requests, collective_id, page_id } = await atHandbook()
    const error = await failing(call("nc_collectives_move_page", { collective_id, page_id, title: "A", index: 1 }))
    expect(error).toMatchObject({ kind: "invalid", message: expect.stringContaining("below another") })
    expect(requests).toEqual([])
  })

  it("copies a page in place", async () => {
    const { call, collective_id, page_id } = await atHandbook()
    const copy = await call("nc_collectives_move_page", { collective_id, page_id, copy: true })
    expect(copy).toMatchObject({ title: "Onboarding (2)" })
    expect(copy.id).not.toBe(page_id)
    const read = await call("nc_collectives_get_page", { collective_id, page_id: copy.id })
    expect(read.content).toMatch(/^# Onboarding/)
  })

  it("says why a page cannot be moved", async () => {
    const { call, collective_id, start, page_id } = await atHandbook()
    const error = await failing(call("nc_collectives_move_page", { collective_id, page_id: start, parent_id: page_id }))
    expect(error).toMatchObject({ kind: "forbidden", message: expect.stringContaining("landing page") })
  })

  it("says that a name is taken", async () => {
    const { call, collective_id } = await atHandbook()
    const tag = { collective_id, name: "Important", color: "31CC7C" }
    await call("nc_collectives_create_tag", tag)
    const errors = [
      await failing(call("nc_collectives_create_tag", tag)),
      await failing(call("nc_collectives_create_collective", { name: "Handbook" })),
    ]
    for (const { kind, message } of errors)
      expect([kind, message]).toEqual(["invalid", expect.stringMatching(/exists/)])
  })

  it("sets and removes emojis of collectives and pages", async () => {
    const { call, collective_id, page_id } = await atHandbook()
    expect(await call("nc_collectives_set_emoji", { collective_id, emoji: "🦊" })).toEqual({
      name: "Handbook",
      emoji: "🦊",
    })
    expect(await call("nc_collectives_set_emoji", { collective_id })).toEqual({ name: "Handbook" })
    expect(await call("nc_collectives_set_emoji", { collective_id, page_id, emoji: "🍜" })).toEqual({
      name: "Onboarding",
      emoji: "🍜",
    })
    await call("nc_collectives_set_emoji", { collective_id, page_id })
    expect(await call("nc_collectives_get_page", { collective_id, page_id })).not.toHaveProperty("emoji")
  })

  it("tags pages", async () => {
    const { call, requests, forget, collective_id, page_id } = await atHandbook()
    const tag = await call("nc_collectives_create_tag", { collective_id, name: "Wïchtig", color: "31CC7C" })
    expect(await call("nc_collectives_list_tags", { collective_id })).toMatchObject({ tags: [tag], total: 1 })
    forget()
    const input = { collective_id, page_id, tag_id: tag.id }
    expect(await call("nc_collectives_set_page_tag", input)).toEqual({ page_id, assigned: true })
    expect(await call("nc_collectives_get_page", { collective_id, page_id })).toMatchObject({ tags: [tag.id] })
    forget()
    expect(await call("nc_collectives_set_page_tag", { ...input, assigned: false })).toEqual({
      page_id,
      assigned: false,
    })
    expect(requests.map(({ method }) => method)).toEqual(["DELETE"])
  })

  it("names a page before moving it to the trash, and restores it", async () => {
    const { nextcloud, call, collective_id, page_id } = await atHandbook()
    const input = { collective_id, page_id }
    const { loss, output } = await confirmAndCall(
      toolOf(collectivesTools, "nc_collectives_delete_page"),
      input,
      nextcloud,
    )
    expect(loss.what).toBe("the page “Onboarding” of Collectives/Handbook")
    expect(output).toEqual({ deleted: "Onboarding" })
    const trash = await call("nc_collectives_list_pages", { collective_id, trashed: true })
    const url = `${web}/collective-${collective_id}`
    expect(trash).toMatchObject({ total: 1, pages: [{ title: "Onboarding", trashed: expect.any(String), url }] })
    expect(await call("nc_collectives_restore_item", input)).toEqual({ restored: "Onboarding" })
    const restored = await call("nc_collectives_get_page", input)
    expect(restored.content).toMatch(/^# Onboarding/)
  })

  it("does not delete the start page", async () => {
    const { nextcloud, requests, collective_id, start } = await atHandbook()
    const tool = toolOf(collectivesTools, "nc_collectives_delete_page")
    const input = { collective_id, page_id: start }
    expect((await failing(aboutOf(tool, input, nextcloud))).message).toContain("start page")
    expect((await failing(callTool(tool, input, nextcloud))).kind).toBe("invalid")
    expect(requests.map(({ method }) => method)).toEqual(["GET", "GET"])
  })

  it("does not delete a page that has changed since it was shown", async () => {
    const { nextcloud, call, collective_id, page_id } = await atHandbook()
    const tool = toolOf(collectivesTools, "nc_collectives_delete_page")
    const loss = await aboutOf(tool, { collective_id, page_id }, nextcloud)
    await call("nc_collectives_move_page", { collective_id, page_id, title: "Other" })
    const error = await failing(callTool(tool, { collective_id, page_id }, nextcloud, { loss }))
    expect(error).toMatchObject({ kind: "conflict", current: { title: "Other" } })
  })

  it("deletes a collective in two steps, and says what each step does", async () => {
    const { nextcloud, call } = await atHandbook()
    const { id } = await call("nc_collectives_create_collective", { name: "Größe", emoji: "🦊" })
    const tool = toolOf(collectivesTools, "nc_collectives_delete_collective")
    const first = await confirmAndCall(tool, { collective_id: id }, nextcloud)
    expect(first.loss.details?.join()).toMatch(/goes to the trash/)
    expect(await call("nc_collectives_restore_item", { collective_id: id })).toEqual({ restored: "Größe" })
    await confirmAndCall(tool, { collective_id: id }, nextcloud)
    const last = await confirmAndCall(tool, { collective_id: id, forever: true }, nextcloud)
    expect(last.loss.details?.join()).toMatch(/cannot be undone/)
    expect((await failing(aboutOf(tool, { collective_id: id, forever: true }, nextcloud))).kind).toBe("not_found")
  })

  it("reports missing collectives and pages", async () => {
    const { call, collective_id } = await atHandbook()
    const missing = [
      call("nc_collectives_list_pages", { collective_id: 99999 }),
      call("nc_collectives_get_page", { collective_id, page_id: 99999 }),
    ]
    for (const one of missing) expect((await failing(one)).kind).toBe("not_found")
  })

  it("reports a malformed response", async () => {
    const body = { ocs: { meta: { status: "ok", statuscode: 200 }, data: { collectives: [{ id: 1 }] } } }
    const broken: UnrecordedAnswer = { path: api, body }
    const played = createRecordedCaller(collectivesTools)(
      "nc_collectives_list_collectives",
      {},
      recorded("deck", [], [broken]),
    )
    expect((await failing(played)).kind).toBe("malformed")
  })

  it("has a counterpart for each of the peer's tools", () => {
    expect(Object.keys(collectivesPeer)).toHaveLength(20)
    const ours = collectivesTools.map(({ name }) => name)
    for (const name of Object.values(collectivesPeer)) expect(ours).toContain(/^\w+/.exec(name)?.[0])
  })
})
