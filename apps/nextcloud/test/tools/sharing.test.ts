// Sharing: permissions in words, generated passwords that are shown only once, and a question before a share ends.

import { filesOf, type StandIn } from "@holdpoint/nextcloud-stand-in"
import { describe, expect, it } from "vitest"
import type { Tool } from "../../src/tool.ts"
import { sharingTools } from "../../src/tools/sharing/sharing.ts"
import { aboutOf, callTool, confirmAndCall, reachOf, toolOf } from "../fits.ts"
import type { Connected } from "../nextcloud.ts"
import { connect } from "../nextcloud.ts"
import { recorded } from "../recorded.ts"
import { openStage, type Stage } from "./stage.ts"

interface Share {
  readonly id: number
  readonly path: string
  readonly kind: string
  readonly can: readonly string[]
  readonly public_url?: string
  readonly expires?: string
}

const tool = (name: string): Tool => toolOf(sharingTools, name)

const call = <O = Share>({ nextcloud }: Connected, name: string, input: object = {}): Promise<O> =>
  callTool<O>(tool(name), input, nextcloud)

function withFile(path: string): Stage {
  const stage = openStage()
  filesOf(stage.standIn.world).put("alice", path, "x")
  return stage
}

/** Reads a share as the server returns it. */
async function rawShare({ nextcloud }: Connected, id: number): Promise<unknown> {
  const path = `/ocs/v2.php/apps/files_sharing/api/v1/shares/${id}?format=json`
  const { ocs } = (await nextcloud.send({ path, activity: "looking" })).json() as { ocs: { data: unknown[] } }
  return ocs.data[0]
}

interface Sharing {
  readonly public: Record<string, unknown>
}

function withCapabilities(standIn: StandIn, change: (sharing: Sharing) => void): Connected {
  const answer = async (request: Request): Promise<Response> => {
    const plain = await standIn.fetch(request)
    if (!request.url.includes("/cloud/capabilities")) return plain
    const body = JSON.parse(await plain.text())
    change(body.ocs.data.capabilities.files_sharing)
    return Response.json(body)
  }
  return connect(answer, { url: "http://localhost" })
}

const sent = ({ requests }: Connected): unknown => JSON.parse(requests.at(-1)?.body ?? "")

describe("nc_sharing_create_share", () => {
  it("grants the named permissions, and always reading", async () => {
    const { alice, bob } = withFile("/Größe 🦊/a.txt")
    const input = { path: "/Größe 🦊/", with: "bob", can: ["edit", "create"], note: "für dich", expires: "2099-01-31" }
    const created = await call(alice, "nc_sharing_create_share", input)
    expect(created).toMatchObject({ can: ["read", "edit", "create"], expires: "2099-01-31" })
    expect(sent(alice)).toEqual({
      path: "/Größe 🦊",
      shareType: 0,
      shareWith: "bob",
      permissions: 7,
      note: "für dich",
      expireDate: "2099-01-31",
    })
    const { shares } = await call<{ shares: Share[] }>(bob, "nc_sharing_list_shares", { shared_with_me: true })
    expect(shares).toMatchObject([{ id: created.id, kind: "user", owner: "Alice Example", note: "für dich" }])
  })

  it("grants only reading by default, and leaves an existing share unchanged", async () => {
    const { alice } = withFile("/a.txt")
    const first = await call(alice, "nc_sharing_create_share", { path: "/a.txt", with: "bob" })
    const second = await call(alice, "nc_sharing_create_share", { path: "/a.txt", with: "bob", can: ["edit"] })
    expect([first.can, second.can, second.id]).toEqual([["read"], ["read"], first.id])
  })

  it("names the recipient and the permissions before it shares", async () => {
    const { alice } = withFile("/a.txt")
    const input = { path: "a.txt", with: "team", kind: "group", can: ["edit"] }
    expect(await aboutOf(tool("nc_sharing_create_share"), input, alice.nextcloud)).toEqual({
      what: "“/a.txt” with the group “team”",
      details: ["They may read, edit."],
    })
  })

  it("shows the note before it shares, and how long it is", async () => {
    const { alice } = withFile("/a.txt")
    const about = async (note: string) =>
      (await aboutOf(tool("nc_sharing_create_share"), { path: "a.txt", with: "bob", note }, alice.nextcloud)).details
    expect(await about("Look\nhere")).toEqual(["They may read.", "With a note of 9 characters: “Look here”"])
    expect((await about("x".repeat(2_000)))?.[1]).toMatch(/^With a note of 2000 characters: “x{100,}…”$/)
  })

  it("passes on why the server refuses", async () => {
    const { alice } = withFile("/a.txt")
    const attempt = call(alice, "nc_sharing_create_share", { path: "/a.txt", with: "nobody" })
    await expect(attempt).rejects.toThrow("Please specify a valid account to share with")
  })
})

describe("nc_sharing_create_public_link", () => {
  it("creates a link that expires", async () => {
    const { alice } = withFile("/a.txt")
    const created = await call(alice, "nc_sharing_create_public_link", { path: "/a.txt", expires: "2099-01-31" })
    expect(created).toMatchObject({ expires: "2099-01-31" })
    expect(created.can).toContain("read")
    expect(created.public_url).toMatch(/^http:\/\/localhost\/(index\.php\/)?s\/\w+$/)
    expect(sent(alice)).toEqual({ path: "/a.txt", shareType: 3, permissions: 1, expireDate: "2099-01-31" })
  })

  it("hides the download right after creating the link, and removes the link if that fails", async () => {
    const { alice, standIn } = withFile("/a.txt")
    const { id } = await call(alice, "nc_sharing_create_public_link", { path: "/a.txt", hide_download: true })
    expect(alice.requests.map(({ method }) => method)).toEqual(["POST", "PUT"])
    expect(await rawShare(alice, id)).toMatchObject({ hide_download: 1 })
    const failing = connect(
      async (request) => (request.method === "PUT" ? new Response("", { status: 403 }) : standIn.fetch(request)),
      { url: "http://localhost" },
    )
    const attempt = call(failing, "nc_sharing_create_public_link", { path: "/a.txt", hide_download: true })
    await expect(attempt).rejects.toMatchObject({ kind: "forbidden" })
    expect(await call(alice, "nc_sharing_list_shares")).toMatchObject({ total: 1 })
  })

  it("says before creation when the link expires, including by the server's own limit", async () => {
    const { standIn, alice } = withFile("/a.txt")
    const about = (who: Connected) => aboutOf(tool("nc_sharing_create_public_link"), { path: "/a.txt" }, who.nextcloud)
    expect((await about(alice)).details).toContain("The link does not expire.")
    const limited = withCapabilities(standIn, ({ public: links }) => {
      links.expire_date = { enabled: true, days: 7 }
    })
    expect((await about(limited)).details).toContain("The link expires after 7 days.")
  })

  it("generates a password if one is requested or enforced, and returns it only once", async () => {
    type Link = { readonly id: number; readonly password?: string; readonly has_password?: boolean }
    const stage = withFile("/Docs/a.txt")
    const make = (who: Connected, more: object = {}) =>
      call<Link>(who, "nc_sharing_create_public_link", { path: "/Docs/a.txt", ...more })
    expect(await make(stage.alice)).not.toHaveProperty("password")
    const first = await make(stage.alice, { password: true })
    const enforced = withCapabilities(stage.standIn, ({ public: links }) => {
      links.password = { enforced: true }
    })
    const second = await make(enforced)
    expect([first.password, second.password]).toEqual([expect.stringMatching(strong), expect.stringMatching(strong)])
    expect(first.password).not.toBe(second.password)
    const read = await call<Link>(stage.alice, "nc_sharing_get_share", { share_id: first.id })
    expect(read).toMatchObject({ has_password: true })
    expect(JSON.stringify(read)).not.toContain(first.password)
  })

  it("creates links whose password is changed or removed only after a confirmation", async () => {
    type Link = { readonly id: number; readonly password?: string }
    const { alice } = withFile("/a.txt")
    const { id } = await call<Link>(alice, "nc_sharing_create_public_link", { path: "/a.txt" })
    const change = (password: string) => call<Link>(alice, "nc_sharing_update_share", { share_id: id, password })
    const input = { share_id: id, password: "none" }
    expect(await reachOf(tool("nc_sharing_update_share"), input, alice.nextcloud)).toEqual(["weakened"])
    const { details } = await aboutOf(tool("nc_sharing_update_share"), input, alice.nextcloud)
    expect(details).toContain("Its password is removed.")
    expect((await change("new")).password).toMatch(strong)
    expect(await change("none")).not.toHaveProperty("password")
    expect(await call(alice, "nc_sharing_get_share", { share_id: id })).not.toMatchObject({ has_password: true })
  })
})

const strong = /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)\w{5}-\w{5}-\w{5}-\w{5}$/

describe("a returned share", () => {
  it("has words for the numbers of a real server, and no part of the password", async () => {
    const { nextcloud } = connect(recorded("shares", ["list my shares"]))
    const output = await callTool<{ shares: Share[] }>(tool("nc_sharing_list_shares"), {}, nextcloud)
    expect(output.shares).toMatchObject([
      { id: 2, path: "/Docs/hello.txt", kind: "user", with: "bob", with_name: "Bob Example", can: ["read"] },
      { id: 3, kind: "user", can: ["read", "edit", "create", "delete"], note: "für dich" },
      { id: 4, kind: "link", can: ["read", "share"], expires: "2027-01-31", label: "lïnk", has_password: true },
      { id: 1, kind: "deck", with_name: "3. Apply rich formatting and link content" },
    ])
    expect(output.shares[2]?.public_url).toBe("http://nextcloud.test/s/FXgmTpgQbag47So")
    expect(JSON.stringify(output)).not.toContain("argon2")
  })

  it("is a single share, although the server sends a list", async () => {
    const { nextcloud } = connect(recorded("shares", ["get share"]))
    expect(await callTool(tool("nc_sharing_get_share"), { share_id: 2 }, nextcloud)).toMatchObject({ id: 2 })
  })

  it("is listed only for its own path", async () => {
    const { alice } = withFile("/Docs/a.txt")
    await call(alice, "nc_sharing_create_share", { path: "/Docs/a.txt", with: "bob" })
    const list = (input: object) => call<{ total: number }>(alice, "nc_sharing_list_shares", input)
    expect(await list({ path: "/Docs" })).toMatchObject({ total: 0 })
    expect(await list({ path: "/Docs/a.txt" })).toMatchObject({ total: 1 })
    const { path } = alice.requests.at(-1) ?? {}
    expect(path).toContain("path=%2FDocs%2Fa.txt&reshares=true&subfiles=false&format=json")
  })
})

describe("nc_sharing_update_share", () => {
  it("changes the given fields and leaves the rest", async () => {
    const { alice } = withFile("/Docs/a.txt")
    const input = { path: "/Docs", with: "bob", note: "old", expires: "2099-01-31" }
    const { id } = await call(alice, "nc_sharing_create_share", input)
    await call(alice, "nc_sharing_update_share", { share_id: id, can: ["edit", "delete"] })
    expect(sent(alice)).toEqual({ permissions: 11 })
    expect(await call(alice, "nc_sharing_get_share", { share_id: id })).toMatchObject({
      can: ["read", "edit", "delete"],
      note: "old",
      expires: "2099-01-31",
    })
    await call(alice, "nc_sharing_update_share", { share_id: id, expires: "" })
    expect((await call(alice, "nc_sharing_get_share", { share_id: id })).expires).toBeUndefined()
  })

  it("refuses a label where the server would drop it", async () => {
    const { alice } = withFile("/a.txt")
    const person = await call(alice, "nc_sharing_create_share", { path: "/a.txt", with: "bob" })
    const attempt = call(alice, "nc_sharing_update_share", { share_id: person.id, label: "x" })
    await expect(attempt).rejects.toThrow("only links have a label")
    const link = await call(alice, "nc_sharing_create_public_link", { path: "/a.txt" })
    await call(alice, "nc_sharing_update_share", { share_id: link.id, label: "x", hide_download: true })
    expect(await rawShare(alice, link.id)).toMatchObject({ label: "x", hide_download: 1 })
  })

  it("asks before it allows a download that was hidden, and not before it hides one", async () => {
    const { alice } = withFile("/a.txt")
    const { id } = await call(alice, "nc_sharing_create_public_link", { path: "/a.txt", hide_download: true })
    const update = tool("nc_sharing_update_share")
    const input = { share_id: id, hide_download: false }
    expect(await reachOf(update, input, alice.nextcloud)).toEqual(["weakened"])
    expect(await reachOf(update, { ...input, hide_download: true }, alice.nextcloud)).toEqual([])
    const { loss } = await confirmAndCall(update, input, alice.nextcloud)
    expect(loss.details).toEqual(["Its download is no longer hidden."])
    expect(await rawShare(alice, id)).toMatchObject({ hide_download: 0 })
  })

  it("refuses a call without any change, and another person's share", async () => {
    const { alice, bob } = withFile("/a.txt")
    const { id } = await call(alice, "nc_sharing_create_share", { path: "/a.txt", with: "bob" })
    const nothing = call(alice, "nc_sharing_update_share", { share_id: id })
    await expect(nothing).rejects.toThrow("there is nothing to change")
    const foreign = call(bob, "nc_sharing_update_share", { share_id: id, can: ["edit"] })
    await expect(foreign).rejects.toMatchObject({ kind: "forbidden" })
  })
})

describe("nc_sharing_delete_share", () => {
  it("shows which share ends and for whom", async () => {
    const { alice } = withFile("/a.txt")
    const { id } = await call(alice, "nc_sharing_create_share", { path: "/a.txt", with: "bob" })
    const remove = tool("nc_sharing_delete_share")
    const { loss, output } = await confirmAndCall(remove, { share_id: id }, alice.nextcloud)
    expect(loss.what).toBe("the share of “/a.txt” with Bob Example")
    expect(loss.details).toContain("They lose access immediately.")
    expect(output).toEqual({ deleted: "/a.txt with Bob Example" })
    expect(await call(alice, "nc_sharing_list_shares")).toMatchObject({ total: 0 })
  })

  it("tells the recipient of a share that they lose access", async () => {
    const { alice, bob } = withFile("/a.txt")
    const { id } = await call(alice, "nc_sharing_create_share", { path: "/a.txt", with: "bob" })
    const { loss } = await confirmAndCall(tool("nc_sharing_delete_share"), { share_id: id }, bob.nextcloud)
    expect(loss.details).toContain("You lose access immediately.")
  })

  it("says that a link stops working for everyone", async () => {
    const { alice } = withFile("/a.txt")
    const { id } = await call(alice, "nc_sharing_create_public_link", { path: "/a.txt" })
    const loss = await aboutOf(tool("nc_sharing_delete_share"), { share_id: id }, alice.nextcloud)
    expect(loss.what).toBe("the share of “/a.txt” by a public link")
    expect(loss.details).toContain("The link stops working for everyone.")
  })
})

describe("nc_sharing_search_sharees", () => {
  it("finds people in a real server's response, with the id that sharing needs", async () => {
    const { nextcloud } = connect(recorded("ocs", ["sharees"]))
    expect(await callTool(tool("nc_sharing_search_sharees"), { query: "bob" }, nextcloud)).toEqual({
      sharees: [{ id: "bob", name: "Bob Example", kind: "user", detail: "bob@example.org" }],
      total: 1,
    })
  })

  it("says when there are more than the server returns", async () => {
    const users = Array.from({ length: 3 }, (_, index) => ({
      label: `Bob ${index}`,
      value: { shareType: 0, shareWith: `bob${index}` },
    }))
    const answer = (most: number) => async () => {
      const link = `<http://localhost/ocs/v2.php/sharees?search=bob&perPage=${most}&page=2>; rel="next"`
      const body = { ocs: { meta: { statuscode: 200 }, data: { exact: { users: [] }, users, groups: [] } } }
      return Response.json(body, { headers: { link } })
    }
    const search = async (most: number) =>
      call<object>(connect(answer(most)), "nc_sharing_search_sharees", { query: "bob" })
    expect(await search(3)).toMatchObject({ total: 3, more: true })
    expect(await search(25)).not.toHaveProperty("more")
  })
})
