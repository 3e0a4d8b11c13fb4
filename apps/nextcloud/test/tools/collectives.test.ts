// Collectives, of which nothing was recorded: its tools against the stand-in, which keeps to the documented API.

import { describe, expect, it } from "vitest"
import { createStandIn } from "../../src/stand-in/server.ts"
import { collectivesTools } from "../../src/tools/collectives/collectives.ts"
import { collectivesPeer } from "../../src/tools/collectives/peer.ts"
import { aboutOf, callTool, confirmAndCall, toolOf } from "../fits.ts"
import { connect } from "../nextcloud.ts"
import type { Made } from "../recorded.ts"
import { recorded } from "../recorded.ts"
import { failing, player } from "./play.ts"

type Output = Readonly<Record<string, unknown>>
interface Named {
  readonly id: number
  readonly title: string
  readonly name: string
  readonly parent_id: number
}

const api = "/ocs/v2.php/apps/collectives/api/v1.0/collectives"

async function atHandbook() {
  const standIn = createStandIn({ seed: true, trusted: ["cloud.test"] })
  const { nextcloud, seen, forget } = connect(standIn.fetch)
  const call = (name: string, input: object) => callTool<Output>(toolOf(collectivesTools, name), input, nextcloud)
  const { collectives } = (await call("nc_collectives_list_collectives", {})) as { collectives: readonly Named[] }
  const collective_id = collectives[0]?.id ?? 0
  const { pages } = (await call("nc_collectives_list_pages", { collective_id })) as { pages: readonly Named[] }
  const start = pages.find(({ parent_id }) => parent_id === 0)?.id ?? 0
  const page_id = pages.find(({ title }) => title === "Onboarding")?.id ?? 0
  forget()
  return { nextcloud, seen, forget, call, collective_id, start, page_id }
}

describe("collectives", () => {
  it("lists collectives and pages with where they are in the web interface", async () => {
    const { call, collective_id, start, page_id } = await atHandbook()
    expect(await call("nc_collectives_list_collectives", {})).toMatchObject({
      total: 1,
      collectives: [{ name: "Handbook", emoji: "📘", url: "http://cloud.test/index.php/apps/collectives/Handbook" }],
    })
    expect(await call("nc_collectives_list_pages", { collective_id })).toMatchObject({
      total: 2,
      pages: [
        { id: start, url: `http://cloud.test/index.php/apps/collectives/Handbook?fileId=${start}` },
        { id: page_id, url: `http://cloud.test/index.php/apps/collectives/Handbook/Onboarding?fileId=${page_id}` },
      ],
    })
  })

  it("reads a page's text over WebDAV, in parts if it is long", async () => {
    const { call, seen, collective_id, page_id } = await atHandbook()
    const page = await call("nc_collectives_get_page", { collective_id, page_id })
    expect(seen.map(({ method, path }) => `${method} ${path}`)).toEqual([
      `GET ${api}/${collective_id}/pages/${page_id}?format=json`,
      "GET /remote.php/dav/files/alice/Collectives/Handbook/Onboarding.md",
    ])
    expect(page).toMatchObject({ title: "Onboarding", content: expect.stringMatching(/^# Onboarding/) })
    const rest = await call("nc_collectives_get_page", { collective_id, page_id, offset: 2 })
    expect(rest.content).toMatch(/^Onboarding/)
  })

  it("searches the text of pages", async () => {
    const { call, seen, collective_id } = await atHandbook()
    expect(await call("nc_collectives_search_pages", { collective_id, query: "Lunch & team" })).toMatchObject({
      total: 0,
    })
    expect(seen[0]?.path).toBe(`${api}/${collective_id}/search?searchString=Lunch+%26+team&format=json`)
    expect(await call("nc_collectives_search_pages", { collective_id, query: "lunch" })).toMatchObject({ total: 1 })
  })

  it("writes a page's text only onto the text that was read", async () => {
    const { call, seen, forget, collective_id, page_id } = await atHandbook()
    const { etag } = await call("nc_collectives_get_page", { collective_id, page_id })
    forget()
    const written = await call("nc_collectives_write_page", { collective_id, page_id, etag, content: "# New ✓" })
    expect(seen.map(({ method }) => method)).toEqual(["GET", "PUT"])
    expect(seen[1]?.headers.get("if-match")).toBe(`"${etag}"`)
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

  it("creates pages, with text or without", async () => {
    const { call, seen, collective_id, start } = await atHandbook()
    const empty = await call("nc_collectives_create_page", { collective_id, parent_id: start, title: "Empty" })
    expect(seen.map(({ method, body }) => `${method} ${body}`)).toEqual([`POST {"title":"Empty"}`])
    expect(empty).toMatchObject({ title: "Empty", parent_id: start })
    const input = { collective_id, parent_id: start, title: "50 % & more #1", content: "Größe" }
    const page = await call("nc_collectives_create_page", input)
    expect(await call("nc_collectives_get_page", { collective_id, page_id: page.id })).toMatchObject({
      content: "Größe",
    })
  })

  it("finds the files of people whose id is not what they sign in with", async () => {
    const standIn = createStandIn({ trusted: ["cloud.test"] })
    const { nextcloud, seen } = connect(standIn.fetch, { user: "dora" })
    const call = (name: string, input: object) => callTool<Output>(toolOf(collectivesTools, name), input, nextcloud)
    const { id } = await call("nc_collectives_create_collective", { name: "Größe 50 %" })
    const { pages } = (await call("nc_collectives_list_pages", { collective_id: id })) as { pages: readonly Named[] }
    await call("nc_collectives_get_page", { collective_id: id, page_id: pages[0]?.id })
    expect(seen.at(-1)?.path).toBe("/remote.php/dav/files/ldap-7f3a/Collectives/Gr%C3%B6%C3%9Fe%2050%20%25/Readme.md")
  })

  it("moves and renames pages", async () => {
    const { call, seen, collective_id, page_id } = await atHandbook()
    expect(await call("nc_collectives_move_page", { collective_id, page_id, title: "First days" })).toMatchObject({
      title: "First days",
    })
    expect(seen.map(({ method, path, body }) => `${method} ${path} ${body}`)).toEqual([
      `PUT ${api}/${collective_id}/pages/${page_id}?format=json {"title":"First days"}`,
    ])
    expect((await failing(call("nc_collectives_move_page", { collective_id, page_id }))).kind).toBe("invalid")
  })

  it("gives emojis to collectives and pages, and takes them away", async () => {
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
  })

  it("tags pages", async () => {
    const { call, seen, forget, collective_id, page_id } = await atHandbook()
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
    expect(seen.map(({ method }) => method)).toEqual(["DELETE"])
  })

  it("moves pages to the trash after telling which, and brings them back", async () => {
    const { nextcloud, call, collective_id, page_id } = await atHandbook()
    const input = { collective_id, page_id }
    const { loss, output } = await confirmAndCall(
      toolOf(collectivesTools, "nc_collectives_delete_page"),
      input,
      nextcloud,
    )
    expect(loss.what).toBe("the page “Onboarding” of Collectives/Handbook")
    expect(output).toEqual({ deleted: "Onboarding" })
    expect(await call("nc_collectives_list_pages", { collective_id, trashed: true })).toMatchObject({ total: 1 })
    expect(await call("nc_collectives_restore_item", input)).toEqual({ restored: "Onboarding" })
  })

  it("does not delete another page than was shown", async () => {
    const { nextcloud, call, collective_id, page_id } = await atHandbook()
    const tool = toolOf(collectivesTools, "nc_collectives_delete_page")
    const loss = await aboutOf(tool, { collective_id, page_id }, nextcloud)
    await call("nc_collectives_move_page", { collective_id, page_id, title: "Other" })
    const error = await failing(callTool(tool, { collective_id, page_id }, nextcloud, { loss }))
    expect(error).toMatchObject({ kind: "conflict", current: { title: "Other" } })
  })

  it("deletes collectives in two steps, and tells which", async () => {
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

  it("says what is not there", async () => {
    const { call, collective_id } = await atHandbook()
    const missing = [
      call("nc_collectives_list_pages", { collective_id: 99999 }),
      call("nc_collectives_get_page", { collective_id, page_id: 99999 }),
    ]
    for (const one of missing) expect((await failing(one)).kind).toBe("not_found")
  })

  it("says that an answer cannot be understood", async () => {
    const body = { ocs: { meta: { status: "ok", statuscode: 200 }, data: { collectives: [{ id: 1 }] } } }
    const broken: Made = { path: api, body }
    const played = player(collectivesTools)("nc_collectives_list_collectives", {}, recorded("deck", [], [broken]))
    expect((await failing(played)).kind).toBe("malformed")
  })

  it("has an answer for each of the peer's tools", () => {
    expect(Object.keys(collectivesPeer)).toHaveLength(20)
    const ours = collectivesTools.map(({ name }) => name)
    for (const name of Object.values(collectivesPeer)) expect(ours).toContain(/^\w+/.exec(name)?.[0])
  })
})
