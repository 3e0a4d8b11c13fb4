// Unified search, notifications, user status, users and groups: their tools against the stand-in and the recordings.

import { createStandIn, notify, person } from "@holdpoint/nextcloud-stand-in"
import { describe, expect, it } from "vitest"
import { notificationTools } from "../../src/tools/notifications/notifications.ts"
import { searchTools } from "../../src/tools/search/search.ts"
import { statusTools } from "../../src/tools/status/status.ts"
import { userTools } from "../../src/tools/users/users.ts"
import { aboutOf, callTool, confirmAndCall, toolOf } from "../fits.ts"
import { connect } from "../nextcloud.ts"
import type { UnrecordedAnswer } from "../recorded.ts"
import { recorded } from "../recorded.ts"
import { createRecordedCaller, failing } from "./recorded-call.ts"

type Output = Readonly<Record<string, unknown>>
interface UserPage {
  readonly users: readonly { readonly id: string }[]
  readonly next_cursor?: string
}

const tools = [...searchTools, ...notificationTools, ...statusTools, ...userTools]
const callRecorded = createRecordedCaller(tools)
const ocs = "/ocs/v2.php"
const enveloped = (data: unknown) => ({ ocs: { meta: { status: "ok", statuscode: 200 }, data } })

function atHome(user = "alice") {
  const standIn = createStandIn({ seed: true, trusted: ["cloud.test"] })
  const { nextcloud, requests, forget } = connect(standIn.fetch, { user })
  const call = (name: string, input: object = {}) => callTool<Output>(toolOf(tools, name), input, nextcloud)
  const sent = () => requests.map(({ method, path, body }) => `${method} ${path}${body === "" ? "" : ` ${body}`}`)
  return { standIn, nextcloud, forget, call, sent }
}

// Concurrent, because a failing search provider is retried after a real pause.
describe.concurrent("unified search", () => {
  it("lists the search providers", async () => {
    const { output, sent } = await callRecorded(
      "nc_search_list_providers",
      {},
      recorded("ocs", ["unified search providers"]),
    )
    expect(sent).toEqual([`GET ${ocs}/search/providers?format=json`])
    expect(output.total).toBe(15)
    expect(output.providers).toContainEqual({ id: "cookbook", app: "cookbook", name: "Recipes", external: false })
  })

  it("searches one provider in one request, with paths and deep links", async () => {
    const input = { query: "a", providers: ["files"] }
    const { output, sent } = await callRecorded(
      "nc_search_search_everything",
      input,
      recorded("ocs", ["unified search files"]),
    )
    expect(sent).toEqual([`GET ${ocs}/search/providers/files/search?term=a&limit=5&format=json`])
    const name = "Nextcloud sample image - add your image here!.jpg"
    const hit = { provider: "files", title: name, details: "in Deck", path: `/Deck/${name}` }
    expect(output).toMatchObject({ results: [{ ...hit, url: "http://nextcloud.test/f/107" }], failed: [] })
    expect(output, "a page that is not full is the last").toMatchObject({ more_in: [] })
    expect(output).not.toHaveProperty("next_cursor")
  })

  it("searches all providers except settings and external ones, with one request more than providers", async () => {
    const { call, sent } = atHome()
    const output = await call("nc_search_search_everything", { query: "meeting" })
    expect(sent()).toHaveLength(1 + 13)
    expect(sent().join()).not.toMatch(/providers\/settings/)
    expect(output.results).not.toEqual([])
  })

  it("sends nothing to external providers unless they are named", async () => {
    const providers = [
      { id: "files", appId: "files", name: "Files", isExternalProvider: false },
      { id: "web", appId: "integration", name: "Web", isExternalProvider: true },
    ]
    const answers: readonly UnrecordedAnswer[] = [
      { path: `${ocs}/search/providers`, body: enveloped(providers) },
      {
        path: `${ocs}/search/providers/files/search`,
        body: enveloped({ entries: [], isPaginated: false, cursor: null }),
      },
    ]
    const { sent } = await callRecorded("nc_search_search_everything", { query: "x" }, recorded("ocs", [], answers))
    expect(sent).toHaveLength(2)
    const search = { path: `${ocs}/search/providers/web/search`, body: enveloped({ entries: [], isPaginated: false }) }
    const named = { query: "x", providers: ["web"] }
    const asked = await callRecorded("nc_search_search_everything", named, recorded("ocs", [], [search]))
    expect(asked.output).toMatchObject({ results: [], failed: [] })
    expect(asked.sent).toEqual([`GET ${search.path}?term=x&limit=5&format=json`])
  })

  it("continues with a cursor, in one provider only", async () => {
    const { call, sent } = atHome()
    const first = await call("nc_search_search_everything", { query: "e", providers: ["files"], limit: 1 })
    expect(first).toMatchObject({ more_in: ["files"], next_cursor: "1" })
    const next = { query: "e", providers: ["files"], limit: 1, cursor: first.next_cursor }
    const second = await call("nc_search_search_everything", next)
    expect(sent().at(-1)).toContain("cursor=1")
    expect(second.results).not.toEqual(first.results)
    const wrong = call("nc_search_search_everything", { query: "e", cursor: "1" })
    expect((await failing(wrong)).kind).toBe("invalid")
  })

  it("asks at most four providers at a time, and retries those that fail", async () => {
    const ids = Array.from({ length: 22 }, (_, index) => `place${index}`)
    let [running, most] = [0, 0]
    const broken = new Set(ids)
    const answering = async ({ url }: Request) => {
      const id = /providers\/([^/]+)\/search/.exec(url)?.[1] ?? ""
      most = Math.max(most, ++running)
      await new Promise((resolve) => setImmediate(resolve))
      running--
      if (broken.delete(id)) return new Response("{}", { status: 500 })
      const entries = [{ title: id, resourceUrl: `/${id}` }]
      return Response.json(enveloped({ entries, isPaginated: false, cursor: null }))
    }
    const { output } = await callRecorded("nc_search_search_everything", { query: "a", providers: ids }, answering)
    expect(most).toBeLessThanOrEqual(4)
    expect(output).toMatchObject({ failed: [], results: ids.map((provider) => ({ provider })) })
  })

  it("says that the result is incomplete when a provider fails", async () => {
    const broken: UnrecordedAnswer = { path: `${ocs}/search/providers/deck/search`, status: 500, body: {} }
    const answering = recorded("ocs", ["unified search files"], [broken])
    const { output } = await callRecorded(
      "nc_search_search_everything",
      { query: "a", providers: ["files", "deck"] },
      answering,
    )
    expect(output.incomplete).toMatch(/^1 place of 2 could not be searched/)
  })

  it("returns the other results when one provider fails, and fails when all do", async () => {
    const broken: UnrecordedAnswer = { path: `${ocs}/search/providers/deck/search`, status: 500, body: {} }
    const answering = recorded("ocs", ["unified search files"], [broken])
    const input = { query: "a", providers: ["files", "deck"] }
    const { output } = await callRecorded("nc_search_search_everything", input, answering)
    expect(output).toMatchObject({ results: [{ provider: "files" }], failed: ["deck"] })
    const none = callRecorded("nc_search_search_everything", { query: "a", providers: ["deck"] }, answering)
    expect((await failing(none)).kind).toBe("failed")
  })

  it("refuses an unknown provider, and names the tool that lists the known ones", async () => {
    const error = await failing(atHome().call("nc_search_search_everything", { query: "a", providers: ["note"] }))
    expect(error).toMatchObject({ kind: "not_found", message: expect.stringContaining("nc_search_list_providers") })
  })

  it("fails when a provider refuses the credentials", async () => {
    const dead: UnrecordedAnswer = { path: `${ocs}/search/providers/deck/search`, status: 401, body: {} }
    const answering = recorded("ocs", ["unified search files"], [dead])
    const played = callRecorded("nc_search_search_everything", { query: "a", providers: ["files", "deck"] }, answering)
    expect((await failing(played)).kind).toBe("unauthorized")
  })
})

describe("notifications", () => {
  it("lists none for the recorded response", async () => {
    const { output, sent } = await callRecorded(
      "nc_notifications_list_notifications",
      {},
      recorded("ocs", ["notifications list"]),
    )
    expect(sent).toEqual([`GET ${ocs}/apps/notifications/api/v2/notifications?format=json`])
    expect(output).toEqual({ notifications: [], total: 0 })
  })

  it("lists none when no app can notify", async () => {
    const answering = async () => new Response(null, { status: 204 })
    const { output } = await callRecorded("nc_notifications_list_notifications", {}, answering)
    expect(output.total).toBe(0)
  })

  it("lists all, or those of one app", async () => {
    const { call } = atHome()
    const all = await call("nc_notifications_list_notifications")
    expect(all).toMatchObject({ total: 1, notifications: [{ app: "notes", subject: expect.stringContaining("Bob") }] })
    expect(await call("nc_notifications_list_notifications", { app: "deck" })).toMatchObject({ total: 0 })
  })

  it("have an absolute link even when the app sends only a path, and none when it sends none", async () => {
    const one = { notification_id: 1, app: "a", subject: "s", datetime: "2026-11-15T07:00:00+00:00", actions: [] }
    const links = ["https://cloud.test/f/5", "/sub/settings/user/ai", ""]
    const body = enveloped(links.map((link) => ({ ...one, link })))
    const answers: readonly UnrecordedAnswer[] = [{ path: `${ocs}/apps/notifications/api/v2/notifications`, body }]
    const { output } = await callRecorded("nc_notifications_list_notifications", {}, recorded("ocs", [], answers))
    const { notifications } = output as { readonly notifications: readonly { readonly url?: string }[] }
    expect(notifications.map(({ url }) => url)).toEqual([
      "https://cloud.test/f/5",
      "http://cloud.test/sub/settings/user/ai",
      undefined,
    ])
  })

  it("dismisses one, and shows its subject first", async () => {
    const { call, nextcloud, forget, sent } = atHome()
    const { notifications } = (await call("nc_notifications_list_notifications")) as { notifications: { id: number }[] }
    const input = { notification_id: notifications[0]?.id ?? 0 }
    forget()
    const tool = toolOf(tools, "nc_notifications_dismiss_notification")
    const { loss } = await confirmAndCall(tool, input, nextcloud)
    expect(loss.what).toMatch(/release checklist/)
    expect(sent().map((one) => one.split(" ")[0])).toEqual(["GET", "GET", "DELETE"])
    expect((await failing(call("nc_notifications_dismiss_notification", input))).kind).toBe("not_found")
  })

  it("dismisses all that were shown, and none if another arrived since", async () => {
    const { standIn, call, nextcloud } = atHome()
    const tool = toolOf(tools, "nc_notifications_dismiss_all")
    const loss = await aboutOf(tool, {}, nextcloud)
    expect(loss.what).toBe("all 1 notifications")
    notify(standIn.world, "alice", { app: "deck", subject: "Card is due" })
    const error = await failing(callTool(tool, {}, nextcloud, { loss }))
    expect(error).toMatchObject({ kind: "conflict", current: { notifications: [{ subject: "Card is due" }, {}] } })
    expect((await confirmAndCall<Output>(tool, {}, nextcloud)).output).toEqual({ dismissed: 2 })
    expect(await call("nc_notifications_list_notifications")).toMatchObject({ total: 0 })
  })

  it("says “or more” when the server does not return all", async () => {
    const { standIn, call, nextcloud } = atHome()
    for (let count = 0; count < 30; count++) notify(standIn.world, "alice", { app: "deck", subject: `Card ${count}` })
    expect(await call("nc_notifications_list_notifications")).toMatchObject({ total: 25 })
    const tool = toolOf(tools, "nc_notifications_dismiss_all")
    const { loss } = await confirmAndCall<Output>(tool, {}, nextcloud)
    expect([loss.what, loss.details?.at(-1)]).toEqual(["all 25 or more notifications", "and 20 or more"])
    expect(await call("nc_notifications_list_notifications")).toMatchObject({ total: 0 })
  })
})

describe("user status", () => {
  const api = `${ocs}/apps/user_status/api/v1`

  it("reports people who never set one as offline", async () => {
    const { call, sent } = atHome()
    expect(await call("nc_status_get_status")).toEqual({ user_id: "alice", status: "offline" })
    expect(await call("nc_status_get_status", { user_id: "bob" })).toMatchObject({ user_id: "bob", status: "offline" })
    expect(sent()).toEqual([`GET ${api}/user_status?format=json`, `GET ${api}/statuses/bob?format=json`])
  })

  it("sets a status, a message with an emoji, both, or a predefined one", async () => {
    const { call, sent } = atHome()
    expect(await call("nc_status_set_status", { status: "away" })).toMatchObject({ user_id: "alice", status: "away" })
    const input = { status: "dnd", message: "Größe ✓", icon: "🎉", clear_at: "2026-12-01T18:00:00Z" }
    expect(await call("nc_status_set_status", input)).toMatchObject(input)
    expect(await call("nc_status_set_status", { predefined: "meeting" })).toMatchObject({ message: "In a meeting" })
    expect(sent()).toEqual([
      `PUT ${api}/user_status/status?format=json {"statusType":"away"}`,
      `PUT ${api}/user_status/status?format=json {"statusType":"dnd"}`,
      `PUT ${api}/user_status/message/custom?format=json {"statusIcon":"🎉","message":"Größe ✓","clearAt":1796148000}`,
      `PUT ${api}/user_status/message/predefined?format=json {"messageId":"meeting","clearAt":null}`,
      `GET ${api}/user_status?format=json`,
    ])
    expect(await call("nc_status_list_statuses")).toMatchObject({ statuses: [{ user_id: "alice" }] })
    expect(await call("nc_status_get_status")).toMatchObject({ message: "In a meeting", icon: "📅" })
    expect(await call("nc_status_get_status", { user_id: "alice" })).toMatchObject({ message: "In a meeting" })
  })

  it("continues the list of statuses with a cursor", async () => {
    const { standIn, call } = atHome()
    await call("nc_status_set_status", { status: "away" })
    const bob = connect(standIn.fetch, { user: "bob" }).nextcloud
    await callTool(toolOf(tools, "nc_status_set_status"), { status: "invisible" }, bob)
    const first = await call("nc_status_list_statuses", { limit: 1 })
    expect(first).toEqual({ statuses: [{ user_id: "alice", status: "away" }], next_cursor: "at-1" })
    const second = await call("nc_status_list_statuses", { limit: 1, cursor: "at-1" })
    expect(second).toMatchObject({ statuses: [{ user_id: "bob", status: "offline" }] })
  })

  it("removes a message and returns the remaining status", async () => {
    const { call } = atHome()
    await call("nc_status_set_status", { status: "away", message: "Lunch" })
    expect(await call("nc_status_set_status", { message: "" })).toEqual({ user_id: "alice", status: "away" })
  })

  it.each([
    [{}, "nothing to set"],
    [{ message: "x", clear_at: "tomorrow" }, "clear_at"],
    [{ message: "x", clear_at: "2020-01-01T00:00:00Z" }, "in the past"],
    [{ predefined: "lunch" }, "is not supported"],
    [{ icon: "🎉" }, "needs a message"],
    [{ icon: "🎉", message: "" }, "needs a message"],
  ])("refuses %j", async (input, message) => {
    const error = await failing(atHome().call("nc_status_set_status", input))
    expect(error.message).toContain(message)
  })

  it("says that the server does not support a status", async () => {
    const error = await failing(
      callRecorded("nc_status_set_status", { status: "away" }, recorded("ocs", ["user status set bad"])),
    )
    expect(error.message).toContain("is not supported")
  })
})

describe("users and groups", () => {
  it("describes the user, without empty fields", async () => {
    const { output, sent } = await callRecorded("nc_users_get_me", {}, recorded("ocs", ["current user"]))
    expect(sent).toEqual([`GET ${ocs}/cloud/user?format=json`])
    expect(output).toEqual({
      id: "alice",
      name: "Alice Example",
      email: "alice@example.org",
      groups: [],
      language: "en",
      used_bytes: 192699,
      profile: {},
      url: "http://cloud.test/index.php/u/alice",
    })
  })

  it("returns the free space of an account with a quota", async () => {
    const { call } = atHome("carol")
    expect(await call("nc_users_get_me")).toMatchObject({ id: "carol", free_bytes: expect.any(Number) })
  })

  it("searches people to share with", async () => {
    const { output, sent } = await callRecorded("nc_users_search_users", { query: "bob" }, recorded("ocs", ["sharees"]))
    const query = "search=bob&itemType=file&page=1&perPage=50&shareType[]=0&format=json"
    expect(sent.map(decodeURIComponent)).toEqual([`GET ${ocs}/apps/files_sharing/api/v1/sharees?${query}`])
    expect(output).toEqual({
      users: [{ id: "bob", name: "Bob Example", email: "bob@example.org", url: "http://cloud.test/index.php/u/bob" }],
    })
  })

  it("lists groups page by page, and repeats no exact match", async () => {
    const sharee = (id: string) => ({ label: id, value: { shareType: 1, shareWith: id } })
    const body = enveloped({
      exact: { users: [], groups: [sharee("x")] },
      users: [],
      groups: [sharee("a"), sharee("b")],
    })
    const answering = recorded("ocs", [], [{ path: `${ocs}/apps/files_sharing/api/v1/sharees`, body }])
    const first = await callRecorded("nc_users_list_groups", { limit: 2 }, answering)
    expect(first.output).toEqual({
      groups: [
        { id: "x", name: "x" },
        { id: "a", name: "a" },
        { id: "b", name: "b" },
      ],
      next_cursor: "at-1",
    })
    const second = await callRecorded("nc_users_list_groups", { limit: 2, cursor: "at-1" }, answering)
    expect(second.sent[0]).toMatch(/page=2&perPage=2/)
    expect(second.output.groups, "without a query, no exact match is left out").toHaveLength(3)
    const again = await callRecorded("nc_users_list_groups", { query: "X", limit: 2, cursor: "at-1" }, answering)
    expect(again.output.groups, "an exact match was on the first page").toHaveLength(2)
  })

  it.each([undefined, 10])("finds all of many people in pages, with limit %s", async (limit) => {
    const many = Array.from({ length: 60 }, (_, index) => person(`user${String(index).padStart(2, "0")}`))
    const standIn = createStandIn({ users: [person("alice"), ...many], trusted: ["cloud.test"] })
    standIn.world.switches.disabled.add("user30")
    const { nextcloud, requests } = connect(standIn.fetch)
    const tool = toolOf(userTools, "nc_users_search_users")
    const ids = new Set<string>()
    for (let cursor: string | undefined = ""; cursor !== undefined; ) {
      const input = {
        query: "example",
        ...(cursor === "" ? {} : { cursor }),
        ...(limit === undefined ? {} : { limit }),
      }
      const page: UserPage = await callTool<UserPage>(tool, input, nextcloud)
      for (const { id } of page.users) ids.add(id)
      cursor = page.next_cursor
    }
    expect(ids.size).toBe(59)
    expect(requests).toHaveLength(limit === undefined ? 3 : 7)
  })

  it("returns the server's version and an app's capabilities without a request", async () => {
    const { call, sent } = atHome()
    expect(await call("nc_users_get_capabilities")).toMatchObject({
      version: "32.0.1",
      apps: expect.arrayContaining(["notes"]),
    })
    expect(await call("nc_users_get_capabilities", { app: "deck" })).toMatchObject({ details: { version: "1.16.7" } })
    expect(sent()).toEqual([])
    expect((await failing(call("nc_users_get_capabilities", { app: "constructor" }))).kind).toBe("not_found")
  })

  it("reports a malformed response", async () => {
    const broken: UnrecordedAnswer = { path: `${ocs}/cloud/user`, body: enveloped({ id: null }) }
    expect((await failing(callRecorded("nc_users_get_me", {}, recorded("ocs", [], [broken])))).kind).toBe("malformed")
  })
})
