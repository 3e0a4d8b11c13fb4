// Recipients see shared files and folders, and no others.

import { describe, expect, it } from "vitest"
import { createStandIn, filesOf, person, type StandIn } from "../src/index.ts"

interface Answer {
  readonly status: number
  readonly text: string
  /** The OCS data. */
  readonly data: ReadonlyMap<string, unknown>
  readonly list: readonly ReadonlyMap<string, unknown>[]
}

type Ask = (user: string, method: string, path: string, more?: Readonly<Record<string, string>>) => Promise<Answer>

const api = "/ocs/v2.php/apps/files_sharing/api/v1/shares"

interface Opened {
  readonly standIn: StandIn
  readonly ask: Ask
  readonly share: (fields: Readonly<Record<string, string>>) => Promise<Answer>
  readonly at: (user: string, path: string) => string
  /** Advances the clock by days. */
  readonly pass: (days: number) => void
}

function open(): Opened {
  let now = Date.UTC(2027, 0, 1, 12)
  const team = { groups: ["team"] }
  const users = [person("alice", team), person("bob", team), person("carol", team), person("dave")]
  const standIn = createStandIn({ users, now: () => now })
  const files = filesOf(standIn.world)
  files.put("alice", "/Docs/plan.txt", "the plan")
  files.put("alice", "/Docs/deep/er.txt", "deeper")
  const ask: Ask = async (user, method, path, { body, ...headers } = {}) => {
    const authorization = `Basic ${Buffer.from(`${user}:${user}-Pass-2026`).toString("base64")}`
    const all = { authorization, "ocs-apirequest": "true", accept: "application/json", ...headers }
    const response = await standIn.fetch(
      new Request(`http://localhost${path}`, { method, headers: all, ...(body === undefined ? {} : { body }) }),
    )
    const text = await response.text()
    const data = text.startsWith("{") ? JSON.parse(text).ocs.data : {}
    const list = Array.isArray(data) ? data.map((one) => new Map(Object.entries(one))) : []
    return { status: response.status, text, data: new Map(Object.entries(data)), list }
  }
  return {
    standIn,
    ask,
    share: (fields) => ask("alice", "POST", api, { body: String(new URLSearchParams(fields)), "content-type": form }),
    at: (user, path) => `/remote.php/dav/files/${user}${path}`,
    pass(days) {
      now += days * 86_400_000
    },
  }
}

const form = "application/x-www-form-urlencoded"

describe("a share", () => {
  it("is read-only until it is made writable, and gone when it is deleted", async () => {
    const { ask, share, at } = open()
    const created = await share({ path: "/Docs", shareType: "0", shareWith: "bob", permissions: "1" })
    const one = `${api}/${created.data.get("id")}`
    expect((await ask("bob", "GET", at("bob", "/Docs/deep/er.txt"))).text).toBe("deeper")
    expect((await ask("bob", "PUT", at("bob", "/Docs/new.txt"), { body: "x" })).status).toBe(403)
    expect((await ask("bob", "PUT", at("bob", "/Docs/plan.txt"), { body: "x" })).status).toBe(403)
    expect((await ask("bob", "DELETE", at("bob", "/Docs/plan.txt"))).status).toBe(403)
    await ask("alice", "PUT", one, { body: "permissions=15", "content-type": form })
    expect((await ask("bob", "PUT", at("bob", "/Docs/plan.txt"), { body: "better" })).status).toBe(204)
    expect((await ask("alice", "GET", at("alice", "/Docs/plan.txt"))).text).toBe("better")
    expect((await ask("alice", "DELETE", one)).status).toBe(200)
    expect((await ask("bob", "GET", at("bob", "/Docs/plan.txt"))).status).toBe(404)
    expect((await ask("alice", "GET", one)).status).toBe(404)
  })

  it("is listed only for its owner and its recipient, each with their own path", async () => {
    const { ask, share, standIn } = open()
    filesOf(standIn.world).put("bob", "/plan.txt", "bob's own")
    const created = await share({ path: "/Docs/plan.txt", shareType: "0", shareWith: "bob", permissions: "19" })
    const id = created.data.get("id")
    const mine = await ask("alice", "GET", `${api}?path=/Docs/plan.txt`)
    const theirs = await ask("bob", "GET", `${api}?shared_with_me=true`)
    expect(mine.list.map((one) => [one.get("id"), one.get("path")])).toEqual([[id, "/Docs/plan.txt"]])
    expect(theirs.list.map((one) => [one.get("id"), one.get("path")])).toEqual([[id, "/plan (2).txt"]])
    expect((await ask("carol", "GET", `${api}?shared_with_me=true`)).list).toEqual([])
    expect((await ask("carol", "GET", `${api}/${id}`)).status).toBe(404)
    expect((await ask("alice", "GET", `${api}?path=/Docs&subfiles=true`)).list).toHaveLength(1)
  })

  it("with one person ends when they remove it", async () => {
    const { ask, share, at } = open()
    await share({ path: "/Docs", shareType: "0", shareWith: "bob" })
    expect((await ask("bob", "DELETE", at("bob", "/Docs"))).status).toBe(204)
    expect((await ask("alice", "GET", api)).list).toEqual([])
    const again = await share({ path: "/Docs", shareType: "0", shareWith: "bob" })
    expect((await ask("bob", "DELETE", `${api}/${again.data.get("id")}`)).status).toBe(200)
    expect((await ask("alice", "GET", api)).list).toEqual([])
  })

  it("by link can hide its download only after creation, and other shares cannot", async () => {
    const { ask, share } = open()
    const change = async (id: unknown) =>
      (await ask("alice", "PUT", `${api}/${id}`, { body: "hideDownload=true&label=x", "content-type": form })).data
    const link = await share({ path: "/Docs", shareType: "3", hideDownload: "true" })
    expect(link.data.get("hide_download")).toBe(0)
    expect((await change(link.data.get("id"))).get("hide_download")).toBe(1)
    const person = await change((await share({ path: "/Docs", shareType: "0", shareWith: "bob" })).data.get("id"))
    expect([person.get("hide_download"), person.get("label")]).toEqual([0, ""])
  })

  it("is not created with an invalid date or address", async () => {
    const { share } = open()
    expect((await share({ path: "/Docs", shareType: "3", expireDate: "2027-13-40" })).status).toBe(404)
    expect((await share({ path: "/Docs", shareType: "4", shareWith: "no-address" })).status).toBe(404)
  })

  it("with a group is visible to its members, until one removes it", async () => {
    const { ask, share, at } = open()
    await share({ path: "/Docs", shareType: "1", shareWith: "team" })
    const statuses = async () =>
      Promise.all(["bob", "carol", "dave"].map(async (id) => (await ask(id, "GET", at(id, "/Docs/plan.txt"))).status))
    expect(await statuses()).toEqual([200, 200, 404])
    expect((await ask("bob", "DELETE", at("bob", "/Docs"))).status).toBe(204)
    expect(await statuses()).toEqual([404, 200, 404])
    expect((await ask("alice", "GET", at("alice", "/Docs/plan.txt"))).text).toBe("the plan")
  })

  it("can be moved by its recipient without moving the original", async () => {
    const { ask, share, at } = open()
    await share({ path: "/Docs", shareType: "0", shareWith: "bob", permissions: "1" })
    await ask("bob", "MKCOL", at("bob", "/from alice".replace(" ", "%20")))
    const destination = `http://localhost${at("bob", "/from%20alice/Papers")}`
    expect((await ask("bob", "MOVE", at("bob", "/Docs"), { destination })).status).toBe(201)
    expect((await ask("bob", "GET", at("bob", "/from%20alice/Papers/plan.txt"))).text).toBe("the plan")
    expect((await ask("alice", "GET", at("alice", "/Docs/plan.txt"))).text).toBe("the plan")
  })

  it("by link ends on its expiry date", async () => {
    const { ask, share, pass } = open()
    await share({ path: "/Docs", shareType: "3", expireDate: "2027-01-03" })
    expect((await ask("alice", "GET", api)).list).toHaveLength(1)
    pass(3)
    expect((await ask("alice", "GET", api)).list).toEqual([])
  })

  it("changes the etag of the recipient's home when its content changes", async () => {
    const { ask, share, at } = open()
    await share({ path: "/Docs", shareType: "0", shareWith: "bob" })
    const etag = async () =>
      /getetag>(.*)<\/d:getetag/.exec((await ask("bob", "PROPFIND", at("bob", "/"), { depth: "0" })).text)?.[1]
    const before = await etag()
    await ask("alice", "PUT", at("alice", "/Docs/deep/er.txt"), { body: "x" })
    expect(await etag()).not.toBe(before)
  })

  it("ends when the shared folder is deleted", async () => {
    const { ask, share, at } = open()
    await share({ path: "/Docs", shareType: "0", shareWith: "bob" })
    await ask("alice", "DELETE", at("alice", "/Docs"))
    expect((await ask("bob", "GET", at("bob", "/Docs/plan.txt"))).status).toBe(404)
    expect((await ask("alice", "GET", api)).list).toEqual([])
  })
})
