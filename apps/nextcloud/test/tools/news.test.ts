// News, with recorded responses of a real server, or documented ones where none was recorded.

import { describe, expect, it } from "vitest"
import { htmlToText } from "../../src/html.ts"
import { newsTools } from "../../src/tools/news/news.ts"
import { aboutOf, callTool, toolOf } from "../fits.ts"
import { connect } from "../nextcloud.ts"
import { newsPeer } from "../peer/news.ts"
import { recorded, type UnrecordedAnswer } from "../recorded.ts"
import { newsSamples } from "../samples/news.ts"
import { checkEvery } from "./every.ts"

const api = "/index.php/apps/news/api/v1-3"

interface Listed {
  readonly items: readonly { readonly id: number; readonly excerpt: string }[]
  readonly next_cursor?: string
}

function setUp(labels: readonly string[], answers: readonly UnrecordedAnswer[] = []) {
  const connected = connect(recorded("news", labels, answers))
  const call = <O = Record<string, never>>(name: string, input: object) =>
    callTool<O>(toolOf(newsTools, `nc_news_${name}`), input, connected.nextcloud)
  return { ...connected, call }
}

const folders: UnrecordedAnswer = {
  path: `${api}/folders`,
  body: {
    folders: [
      { id: 1, name: "Technik" },
      { id: 2, name: "Leer" },
    ],
  },
}
const feeds: UnrecordedAnswer = {
  path: `${api}/feeds`,
  body: {
    starredCount: 2,
    newestItemId: 12,
    feeds: [
      {
        id: 1,
        url: "https://a.example/rss",
        title: "A",
        folderId: 1,
        unreadCount: 3,
        updateErrorCount: 5,
        lastUpdateError: "timed out",
      },
      { id: 2, url: "https://b.example/rss", title: "B", folderId: null, unreadCount: 0 },
    ],
  },
}
const done = (path: string, method = "POST"): UnrecordedAnswer => ({ method, path: `${api}${path}`, body: "[]" })

describe("articles", () => {
  it("are listed as plain text, and the next page starts after the last one seen", async () => {
    const { call, requests } = setUp(["items page 1"])
    const page = await call<Listed>("list_items", { limit: 4 })
    expect(page.items.map(({ id }) => id)).toEqual([12, 11, 10, 9])
    expect(page.items[0]).toMatchObject({ title: "Artikel 1 ✓ 测试", excerpt: "Bödy 1 fett", unread: true, feed_id: 1 })
    expect(page.next_cursor).toBe("at-9")
    await call("list_items", { limit: 5, cursor: page.next_cursor })
    expect(requests.map(({ path }) => path)).toEqual([
      `${api}/items?type=3&id=0&batchSize=5&offset=0&getRead=true`,
      `${api}/items?type=3&id=0&batchSize=6&offset=9&getRead=true`,
    ])
  })

  it("are listed by feed, by folder, unread or starred", async () => {
    const { call, requests } = setUp(["items of feed"])
    await call("list_items", { feed_id: 1, unread_only: true })
    await call("list_items", { folder_id: 1 })
    await call("list_items", { starred_only: true })
    expect(requests.map(({ path }) => path.replace(/.*\?|&batch.*(?=&getRead)/g, ""))).toEqual([
      "type=0&id=1&getRead=false",
      "type=1&id=1&getRead=true",
      "type=2&id=0&getRead=true",
    ])
    await expect(call("list_items", { feed_id: 1, starred_only: true })).rejects.toMatchObject({ kind: "invalid" })
  })

  it("are read one by one, without downloading the others", async () => {
    const { call, requests } = setUp(["items page 2"])
    expect(await call("get_item", { item_id: 7 })).toMatchObject({
      id: 7,
      content: "Bödy 6 fett",
      total_characters: 11,
    })
    expect(requests.map(({ path }) => path)).toEqual([`${api}/items?type=3&id=0&getRead=true&batchSize=1&offset=8`])
    await expect(call("get_item", { item_id: 700 })).rejects.toMatchObject({ kind: "not_found" })
  })

  it("are marked one by one, or several in one request", async () => {
    const { call, requests } = setUp(["read", "star", "read multiple"], [done("/items/unstar/multiple")])
    await call("mark_items", { item_ids: [12], read: true, starred: true })
    await call("mark_items", { item_ids: [12, 11], read: true, starred: false })
    expect(requests.map(({ method, path, body }) => `${method} ${path.slice(api.length)} ${body}`)).toEqual([
      "POST /items/12/read ",
      "POST /items/12/star ",
      'POST /items/read/multiple {"itemIds":[12,11]}',
      'POST /items/unstar/multiple {"itemIds":[12,11]}',
    ])
    await expect(call("mark_items", { item_ids: [12] })).rejects.toMatchObject({ kind: "invalid" })
  })

  it("are marked as read up to the newest one seen, in a feed, in a folder or in all", async () => {
    const { call, requests } = setUp(["mark feed read"], [done("/folders/1/read"), done("/items/read")])
    await call("mark_all_read", { newest_item_id: 12, feed_id: 1 })
    await call("mark_all_read", { newest_item_id: 12, folder_id: 1 })
    await call("mark_all_read", { newest_item_id: 12 })
    expect(requests.map(({ path, body }) => path.slice(api.length) + body)).toEqual([
      '/feeds/1/read{"newestItemId":12}',
      '/folders/1/read{"newestItemId":12}',
      '/items/read{"newestItemId":12}',
    ])
    await expect(call("mark_all_read", { newest_item_id: 1, feed_id: 1, folder_id: 1 })).rejects.toMatchObject({
      kind: "invalid",
    })
  })

  it("are turned into plain text", () => {
    expect(
      htmlToText(
        '<style>p{}</style><p>Größe &amp; &#x41;&#66;&nbsp;&hellip;<br/>x</p><ul><li>a<li>b</ul><a class="l" href="https://e.example/">hier</a><script>alert(1)</script>',
      ),
    ).toBe("Größe & AB &hellip;\nx\n\n- a\n- b\nhier (https://e.example/)")
  })
})

describe("feeds", () => {
  it("are listed with their folders and errors", async () => {
    const { call } = setUp([], [folders, feeds])
    expect(await call("list_feeds", {})).toMatchObject({
      total: 2,
      starred: 2,
      newest_item_id: 12,
      folders: [{ id: 1, name: "Technik" }, { id: 2 }],
      feeds: [
        { id: 1, folder_id: 1, unread: 3, errors: 5, last_error: "timed out" },
        { id: 2, errors: 0 },
      ],
    })
    expect(await call("list_feeds", { folder_id: 1 })).toMatchObject({ total: 1, feeds: [{ id: 1 }] })
  })

  it("are read from the recorded response", async () => {
    const { call } = setUp(["feeds", "folders"])
    expect(await call("list_feeds", {})).toMatchObject({
      total: 1,
      feeds: [{ id: 1, title: "Rec Fëed 🦊", unread: 12, site_url: "http://127.0.0.1:8082/" }],
    })
  })

  it("are added, and a duplicate or an address without a feed is refused with the reason", async () => {
    const answer = { feeds: [{ id: 7, url: "https://c.example/rss", title: "C", folderId: 1, unreadCount: 2 }] }
    const added = setUp([], [{ method: "POST", path: `${api}/feeds`, body: answer }])
    expect(await added.call("add_feed", { url: "https://c.example/rss", folder_id: 1 })).toMatchObject({
      id: 7,
      title: "C",
    })
    expect(added.requests).toMatchObject([{ body: '{"url":"https://c.example/rss","folderId":1}' }])
    const url = "http://127.0.0.1:8082/x"
    await expect(setUp(["create feed duplicate (409)"]).call("add_feed", { url })).rejects.toThrow("already subscribed")
    await expect(setUp(["create feed not a feed"]).call("add_feed", { url })).rejects.toMatchObject({
      kind: "invalid",
      message: expect.stringContaining("not a XML stream"),
    })
  })

  it("are renamed, and moved out of all folders", async () => {
    const { call, requests } = setUp(["rename feed", "move feed to folder"])
    await call("update_feed", { feed_id: 1, title: "Ü", folder_id: null })
    expect(requests.map(({ path, body }) => path.slice(api.length) + body)).toEqual([
      '/feeds/1/rename{"feedTitle":"Ü"}',
      '/feeds/1/move{"folderId":null}',
    ])
    await expect(call("update_feed", { feed_id: 1 })).rejects.toThrow("there is nothing to change")
  })

  it("are shown before they are removed, and not removed when another feed has the id", async () => {
    const tool = toolOf(newsTools, "nc_news_remove_feed")
    const { nextcloud, requests } = setUp([], [feeds, done("/feeds/1", "DELETE")])
    const loss = await aboutOf(tool, { feed_id: 1 }, nextcloud)
    expect(loss).toMatchObject({
      what: "the feed “A”",
      details: ["https://a.example/rss", expect.stringContaining("3 of them unread")],
    })
    await expect(callTool(tool, { feed_id: 1 }, nextcloud, { loss: { ...loss, guard: "x" } })).rejects.toMatchObject({
      kind: "conflict",
    })
    expect(requests.every(({ method }) => method === "GET")).toBe(true)
    expect(await callTool(tool, { feed_id: 1 }, nextcloud, { loss })).toEqual({ removed: "A" })
  })
})

describe("a missing object", () => {
  it("is reported without the server's database query", async () => {
    const error = await setUp(["read missing"])
      .call("mark_items", { item_ids: [99_999], read: true })
      .catch((one: Error) => one)
    expect(error).toMatchObject({ kind: "not_found", message: expect.not.stringContaining("SELECT") })
  })

  it("is reported as such when it is the app itself", async () => {
    const page: UnrecordedAnswer = {
      path: `${api}/status`,
      status: 404,
      type: "text/html; charset=UTF-8",
      body: "<p>Page not found",
    }
    await expect(setUp([], [page]).call("get_status", {})).rejects.toMatchObject({
      kind: "unsupported",
      message: expect.stringContaining("News app is not installed"),
    })
  })
})

describe("folders", () => {
  it("are not created twice, although the server would allow it", async () => {
    const { call, requests } = setUp(["create folder"], [folders])
    await expect(call("create_folder", { name: "Technik" })).rejects.toMatchObject({
      kind: "conflict",
      current: { id: 1 },
    })
    expect(requests.every(({ method }) => method === "GET")).toBe(true)
    expect(await call("create_folder", { name: "Ördner 🦊" })).toEqual({ id: 1, name: "Ördner 🦊" })
    expect(requests.at(-1)).toMatchObject({ method: "POST", body: '{"name":"Ördner 🦊"}' })
  })

  it("are renamed unless another folder has the name", async () => {
    const { call, requests } = setUp(["rename folder"], [folders])
    await expect(call("rename_folder", { folder_id: 1, name: "Leer" })).rejects.toMatchObject({ kind: "conflict" })
    expect(await call("rename_folder", { folder_id: 1, name: "Neu ✓" })).toEqual({ id: 1, name: "Neu ✓" })
    expect(requests.at(-1)).toMatchObject({ method: "PUT", path: `${api}/folders/1`, body: '{"name":"Neu ✓"}' })
  })

  it("are deleted after their feeds were shown, with the stated number of requests", async () => {
    const tool = toolOf(newsTools, "nc_news_delete_folder")
    const { nextcloud, requests, forget } = setUp(["delete folder"], [folders, feeds])
    const loss = await aboutOf(tool, { folder_id: 1 }, nextcloud)
    expect(loss).toMatchObject({ what: "the folder “Technik”", details: ["1 feed in it: A."] })
    expect(requests).toHaveLength(tool.confirm?.requests ?? 0)
    await expect(
      callTool(tool, { folder_id: 1 }, nextcloud, { loss: { ...loss, guard: "1,2" } }),
    ).rejects.toMatchObject({ kind: "conflict" })
    forget()
    expect(await callTool(tool, { folder_id: 1 }, nextcloud, { loss })).toEqual({ deleted: "Technik" })
    expect(requests).toHaveLength(tool.requests)
  })
})

checkEvery(newsTools, newsSamples, newsPeer)
