// The switches of the stand-in, authentication, and answers from recordings.

import { describe, expect, it } from "vitest"
import { createStandIn, type StandIn, type StandInOptions } from "../src/index.ts"

const basic = (name: string, secret = `${name}-Pass-2026`): string =>
  `Basic ${Buffer.from(`${name}:${secret}`).toString("base64")}`

interface AskOptions {
  readonly method?: string
  readonly authorization?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

function visit(options: StandInOptions = {}) {
  const cloud = createStandIn(options)
  const ask = (path: string, { method = "GET", headers, body, ...rest }: AskOptions = {}): Promise<Response> => {
    const authorization = "authorization" in rest ? rest.authorization : basic("alice")
    const all = new Headers(headers)
    if (authorization !== undefined) all.set("authorization", authorization)
    return cloud.fetch(
      new Request(`http://localhost${path}`, { method, headers: all, ...(body === undefined ? {} : { body }) }),
    )
  }
  return { cloud, ask }
}

const viaOcs = { headers: { "ocs-apirequest": "true", accept: "application/json" } }
const dataOf = async (response: Promise<Response>): Promise<unknown> =>
  ((await (await response).json()) as { ocs: { data: unknown } }).ocs.data

const user = "/ocs/v2.php/cloud/user"
const notes = "/index.php/apps/notes/api/v1/notes"
const home = "/remote.php/dav/files/alice/"
const boards = "/index.php/apps/deck/api/v1.0/boards"

describe("authentication", () => {
  it("accepts a name in any case, the e-mail address, or an app password as Basic and Bearer", async () => {
    const { cloud, ask } = visit()
    const secret = cloud.world.issue("alice", "test").secret
    const ways = [basic("ALICE", "alice-Pass-2026"), basic("alice@example.org", "alice-Pass-2026")]
    for (const authorization of [...ways, basic("alice", secret), `Bearer ${secret}`])
      expect(await dataOf(ask(user, { ...viaOcs, authorization }))).toMatchObject({ id: "alice" })
    expect((await ask(user, { ...viaOcs, authorization: basic("bob", secret) })).status).toBe(401)
  })

  it("requires the header OCS-APIRequest: app APIs with Bearer, OCS with Basic", async () => {
    const { cloud, ask } = visit()
    const authorization = `Bearer ${cloud.world.issue("alice", "test").secret}`
    const headers = { "ocs-apirequest": "true" }
    for (const path of [notes, boards]) {
      expect((await ask(path, { authorization })).status).toBe(401)
      expect((await ask(path, { authorization, headers })).status).toBe(200)
    }
    expect((await ask(user, { authorization })).status).toBe(200)
    expect((await ask(user)).status).toBe(412)
  })

  it("answers a disabled account with 401, but 503 for WebDAV", async () => {
    const { cloud, ask } = visit()
    cloud.switches.disabled.add("alice")
    expect((await ask(user, viaOcs)).status).toBe(401)
    expect((await ask(notes)).status).toBe(401)
    expect((await ask(home, { method: "PROPFIND" })).status).toBe(503)
  })

  it("answers 429 to every Basic login after eleven failures, without Retry-After", async () => {
    let now = 0
    const { cloud, ask } = visit({ now: () => now })
    const wrong = { ...viaOcs, authorization: basic("alice", "wrong") }
    for (let time = 0; time < 11; time++) expect((await ask(user, wrong)).status).toBe(401)
    const right = await ask(user, viaOcs)
    expect([right.status, right.headers.get("retry-after")]).toEqual([429, null])
    expect((await ask(home, { method: "PROPFIND" })).status).toBe(429)
    const authorization = `Bearer ${cloud.world.issue("alice", "test").secret}`
    expect((await ask(user, { authorization })).status).toBe(200)
    now += 1_800_001
    expect((await ask(user, viaOcs)).status).toBe(200)
  })
})

describe("switches", () => {
  it("remove an app from the capabilities and make it answer 404, until it is installed", async () => {
    const { cloud, ask } = visit()
    cloud.switches.without.add("notes").add("spreed")
    const capabilities = async (): Promise<string[]> => {
      const data = await dataOf(ask("/ocs/v2.php/cloud/capabilities", viaOcs))
      return Object.keys((data as { capabilities: object }).capabilities)
    }
    expect(await capabilities()).not.toContain("notes")
    expect(await capabilities()).toContain("deck")
    expect((await ask(notes)).status).toBe(404)
    expect((await ask("/ocs/v2.php/apps/spreed/api/v4/room", viaOcs)).status).toBe(404)
    cloud.switches.without.clear()
    expect(await capabilities()).toContain("notes")
    expect((await ask(notes)).status).toBe(200)
  })

  it("intercept requests, reset the connection, and count all requests", async () => {
    const { cloud, ask } = visit()
    cloud.switches.intercept = (method, path) => {
      if (path === notes) return method === "GET" ? { status: 502, body: "no" } : "reset"
      return undefined
    }
    expect((await ask(`${notes}?x=1`)).status).toBe(502)
    await expect(ask(notes, { method: "POST", body: "{}" })).rejects.toThrow("fetch failed")
    expect(cloud.requests).toEqual([`GET ${notes}`, `POST ${notes}`])
    cloud.forget()
    expect(cloud.requests).toEqual([])
  })

  it("accept only requests to the server's own host", async () => {
    const cloud: StandIn = createStandIn({ trusted: ["cloud.example"] })
    const statusAt = async (host: string) => (await cloud.fetch(new Request(`http://${host}/status.php`))).status
    expect(await statusAt("cloud.example")).toBe(200)
    expect(await statusAt("[::1]:80")).toBe(200)
    expect(await statusAt("rebound.example")).toBe(400)
  })
})

describe("an app that answers from recordings", () => {
  it("returns the same list whatever was written before, with the stand-in's address", async () => {
    const { ask } = visit()
    const titles = async () => ((await (await ask(boards)).json()) as { title: string }[]).map(({ title }) => title)
    const before = await titles()
    expect(before.length).toBeGreaterThan(1)
    const body = JSON.stringify({ title: "Mine", color: "ff0000" })
    const response = await ask(boards, { method: "POST", headers: { "content-type": "application/json" }, body })
    expect(await response.json()).toMatchObject({
      id: expect.any(Number) as number,
      title: expect.any(String) as string,
    })
    expect(await titles()).toEqual(before)
    const rooms = await (await ask("/ocs/v2.php/apps/spreed/api/v4/room", viaOcs)).text()
    expect(rooms).not.toContain("nextcloud.test")
  })

  it("lists accounts for administrators, and refuses others", async () => {
    const { ask } = visit()
    const accounts = async (user: string) => {
      const { status, headers } = await ask("/ocs/v2.php/cloud/users", { ...viaOcs, authorization: basic(user) })
      return [status, headers.get("x-user-id")]
    }
    expect([await accounts("admin"), await accounts("carol")]).toEqual([
      [200, "admin"],
      [403, "carol"],
    ])
  })

  it("answers missing items with each app's own error", async () => {
    const { ask } = visit()
    expect((await ask(`${boards}/999999`)).status).toBe(403)
    expect((await ask("/index.php/apps/tables/api/1/tables/999999")).status).toBe(404)
    expect((await ask("/index.php/apps/unheard-of/api")).status).toBe(404)
  })
})

describe("apps from documentation only", () => {
  it("list notifications, until they are dismissed", async () => {
    const { ask } = visit({ seed: true })
    const path = "/ocs/v2.php/apps/notifications/api/v2/notifications"
    const [first] = (await dataOf(ask(path, viaOcs))) as { notification_id: number }[]
    expect((await ask(`${path}/${first?.notification_id}`, { ...viaOcs, method: "DELETE" })).status).toBe(200)
    expect(await dataOf(ask(path, viaOcs))).toEqual([])
  })

  it("find notes and files by unified search, page by page", async () => {
    const { ask } = visit({ seed: true })
    const search = async (provider: string, query: string) =>
      (await dataOf(ask(`/ocs/v2.php/search/providers/${provider}/search?${query}`, viaOcs))) as {
        entries: { title: string; resourceUrl: string }[]
        cursor: number
      }
    const results = await search("notes", "term=release")
    expect(results.entries.map(({ title }) => title)).toContain("Release checklist")
    const first = await search("files", "term=e&limit=1")
    const second = await search("files", `term=e&limit=1&cursor=${first.cursor}`)
    expect(second.entries[0]?.title).not.toBe(first.entries[0]?.title)
  })

  it("list, create and trash the pages of a collective, whose texts are files", async () => {
    const { ask } = visit({ seed: true })
    const base = "/ocs/v2.php/apps/collectives/api/v1.0/collectives"
    const { collectives } = (await dataOf(ask(base, viaOcs))) as { collectives: { id: number; name: string }[] }
    const [handbook] = collectives
    interface Pages {
      readonly pages: { id: number; title: string; fileName: string; collectivePath: string }[]
    }
    const list = async () => ((await dataOf(ask(`${base}/${handbook?.id}/pages`, viaOcs))) as Pages).pages
    const [landing, onboarding] = await list()
    const text = await ask(`${home}${onboarding?.collectivePath}/${onboarding?.fileName}`)
    expect(await text.text()).toContain("# Onboarding")
    const body = JSON.stringify({ title: "Holidays" })
    const headers = { ...viaOcs.headers, "content-type": "application/json" }
    const created = (await dataOf(
      ask(`${base}/${handbook?.id}/pages/${landing?.id}`, { method: "POST", headers, body }),
    )) as { page: { id: number } }
    expect((await list()).map(({ title }) => title)).toEqual(["Landing page", "Onboarding", "Holidays"])
    await ask(`${base}/${handbook?.id}/pages/${created.page.id}`, { ...viaOcs, method: "DELETE" })
    expect(await list()).toHaveLength(2)
    expect(await dataOf(ask(base, { ...viaOcs, authorization: basic("carol") }))).toEqual({ collectives: [] })
  })

  it("set, show and clear a status with a message", async () => {
    const { ask } = visit()
    const base = "/ocs/v2.php/apps/user_status/api/v1"
    const sendJson = (path: string, value: unknown) => {
      const headers = { ...viaOcs.headers, "content-type": "application/json" }
      return ask(`${base}/${path}`, { method: "PUT", headers, body: JSON.stringify(value) })
    }
    expect((await ask(`${base}/user_status`, viaOcs)).status).toBe(404)
    await sendJson("user_status/status", { statusType: "dnd" })
    await sendJson("user_status/message/custom", { statusIcon: "🎉", message: "Party" })
    const status = dataOf(ask(`${base}/statuses/alice`, { ...viaOcs, authorization: basic("bob") }))
    expect(await status).toMatchObject({ status: "dnd", message: "Party", icon: "🎉" })
    await ask(`${base}/user_status/message`, { ...viaOcs, method: "DELETE" })
    expect(await dataOf(ask(`${base}/user_status`, viaOcs))).toMatchObject({ status: "dnd", message: null })
  })
})
