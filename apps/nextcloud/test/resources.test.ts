// Resources: listed, read as text or bytes with the consent of their tools, and watched on persistent connections.

import { filesOf, notesOf } from "@holdpoint/nextcloud-stand-in"
import type { Client, ReadResourceResult } from "@modelcontextprotocol/client"
import { afterEach, describe, expect, it } from "vitest"
import { resources } from "../src/resources/table.ts"
import type { Toolset } from "../src/tool.ts"
import type { ClientKind, House, HouseOptions } from "./house.ts"
import { openHouse } from "./house.ts"

let house: House | undefined
afterEach(async () => {
  await house?.close()
  house = undefined
})

const enter = async (options: HouseOptions = {}): Promise<House> => (house = await openHouse(options))

async function read(client: Client, uri: string): Promise<ReadResourceResult["contents"][number]> {
  const [first] = (await client.readResource({ uri })).contents
  if (first === undefined) throw new Error("Nothing was read.")
  return first
}

const textOf = async (client: Client, uri: string): Promise<string> => {
  const content = await read(client, uri)
  return "text" in content ? content.text : ""
}

const write = (here: House, path: string, content: string | Uint8Array) =>
  filesOf(here.standIn.world).put("alice", path, content)

describe("the list of resources", () => {
  it("has the resources with a fixed address, and templates for the rest", async () => {
    const { client } = await enter()
    const listed = (await client.listResources()).resources.map(({ uri }) => uri)
    const templates = (await client.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate)
    expect([...listed, ...templates].sort()).toEqual(resources.map(({ uri }) => uri).sort())
    expect(templates).toContain("nc://files/{+path}")
    expect(listed.every((uri) => !uri.includes("{"))).toBe(true)
  })

  it("has none from toolsets that are not chosen, and reading those is refused", async () => {
    const toolsets = new Set<Toolset>(["notes"])
    const { client, prompts } = await enter({ choice: { toolsets, readOnly: false } })
    expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual([
      "nc://notes",
      "nc://notes/settings",
    ])
    const templates = (await client.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate)
    expect(templates).toEqual(["nc://notes/{id}", "nc://notes/{id}/attachments/{filename}"])
    await expect(client.readResource({ uri: "nc://calendars" })).rejects.toThrow(/not found/i)
    expect(prompts).toEqual([])
  })

  it("has none from apps that the server lacks", async () => {
    const { client, standIn, call } = await enter()
    standIn.switches.without.add("deck")
    await call("nc_notes_list_notes")
    const listed = (await client.listResources()).resources.map(({ uri }) => uri)
    expect(listed).toContain("nc://notes")
    expect(listed).not.toContain("nc://deck/boards")
  })
})

describe("reading a resource", () => {
  it.each<ClientKind>(["2026", "2025"])("asks a client of kind %s once for the access of its tool", async (kind) => {
    const { client, prompts, call } = await enter({ client: kind })
    expect(JSON.parse(await textOf(client, "nc://notes"))).toMatchObject({ total: expect.any(Number) })
    expect(prompts).toHaveLength(1)
    expect(prompts[0]?.message).toContain("read your notes")
    await call("nc_notes_list_notes")
    expect(prompts).toHaveLength(1)
    await read(client, "nc://addressbooks")
    expect(prompts).toHaveLength(2)
    expect(prompts[1]?.message).toContain("more access")
  })

  it("returns nothing without consent", async () => {
    const { client } = await enter({ answer: async () => ({ action: "decline" }) })
    await expect(client.readResource({ uri: "nc://notes" })).rejects.toThrow(/said no/)
  })

  it("returns a note as Markdown", async () => {
    const here = await enter()
    const note = notesOf(here.standIn.world).create("alice", { title: "Plan", content: "# Plan ✓\n" })
    expect(await read(here.client, `nc://notes/${note.id}`)).toMatchObject({
      mimeType: "text/markdown",
      text: "# Plan ✓\n",
    })
  })

  it.each([
    ["/Größe 100% #1?.txt", "nc://files/Gr%C3%B6%C3%9Fe%20100%25%20%231%3F.txt"],
    ["/Ordner/日本語.txt", "nc://files/Ordner/%E6%97%A5%E6%9C%AC%E8%AA%9E.txt"],
    ["/a+b & c.txt", "nc://files/a%2Bb%20%26%20c.txt"],
  ])("finds the file %s by its encoded address", async (path, uri) => {
    const here = await enter()
    write(here, path, "inside")
    expect(await read(here.client, uri)).toMatchObject({ uri, mimeType: "text/plain", text: "inside" })
  })

  it("returns bytes for content that is not text", async () => {
    const here = await enter()
    const bytes = Uint8Array.from([0x50, 0x4b, 3, 4, 0, 255, 254, 0])
    write(here, "/a.zip", bytes)
    const content = await read(here.client, "nc://files/a.zip")
    expect("blob" in content ? content.blob : undefined).toBe(Buffer.from(bytes).toString("base64"))
  })

  it.each(["nc://nothing", "nc://notes/5/other", "nc://files/%E0%A4%A", "https://example.org/"])(
    "refuses %s, which is not a resource",
    async (uri) => {
      const { client, prompts } = await enter()
      await expect(client.readResource({ uri })).rejects.toThrow(/not found/i)
      expect(prompts).toEqual([])
    },
  )

  it("explains what is wrong with the address of a missing resource", async () => {
    const { client } = await enter()
    await expect(client.readResource({ uri: "nc://notes/999999" })).rejects.toThrow(
      /note 999999 failed: it was not found/,
    )
    await expect(client.readResource({ uri: "nc://notes/999999" })).rejects.toMatchObject({
      code: -32_602,
      data: { uri: "nc://notes/999999" },
    })
    await expect(client.readResource({ uri: "nc://notes/five" })).rejects.toThrow(/note_id/)
  })
})

describe("watching a resource", () => {
  const everyMs = 5

  async function withNote(kind: ClientKind) {
    const here = await enter({ watchEveryMs: everyMs })
    const notes = notesOf(here.standIn.world)
    const note = notes.create("alice", { title: "Plan", content: "one" })
    const client = await here.stay(kind)
    const updated: string[] = []
    client.setNotificationHandler("notifications/resources/updated", ({ params }) => void updated.push(params.uri))
    const uri = `nc://notes/${note.id}`
    const change = (content: string) => notes.update("alice", note.id, { content })
    return { here, client, updated, uri, change }
  }

  /** Waits until this many more polling rounds have begun. */
  async function lookedAt({ standIn }: House, times: number): Promise<void> {
    const looks = () => standIn.requests.filter((request) => /GET .*\/notes\/\d+$/.test(request)).length
    const before = looks()
    await expect.poll(looks, { interval: 2, timeout: 15_000 }).toBeGreaterThanOrEqual(before + times)
  }

  it("notifies a persistent client of 2025 until it unsubscribes", async () => {
    const { here, client, updated, uri, change } = await withNote("2025")
    await read(client, uri)
    await client.subscribeResource({ uri })
    await lookedAt(here, 2)
    expect(updated).toEqual([])
    change("two")
    await expect.poll(() => updated, { interval: 2, timeout: 15_000 }).toEqual([uri])
    // Each round polls this other resource later, so its notification comes later.
    const other = notesOf(here.standIn.world).create("alice", { title: "Other", content: "one" })
    await client.subscribeResource({ uri: `nc://notes/${other.id}` })
    await lookedAt(here, 4)
    await client.unsubscribeResource({ uri })
    change("three")
    notesOf(here.standIn.world).update("alice", other.id, { content: "two" })
    await expect.poll(() => updated, { interval: 2, timeout: 15_000 }).toEqual([uri, `nc://notes/${other.id}`])
  })

  it("notifies a listening client of 2026-07-28 about what it has read", async () => {
    const { here, client, updated, uri, change } = await withNote("2026")
    const subscription = await client.listen({ resourceSubscriptions: [uri] })
    expect(subscription.honoredFilter.resourceSubscriptions).toEqual([uri])
    await read(client, uri)
    await lookedAt(here, 2)
    change("two")
    await expect.poll(() => updated, { interval: 2, timeout: 15_000 }).toEqual([uri])
    await subscription.close()
  })

  it("does not ask for access, and begins to notify once there is access", async () => {
    const { here, client, updated, uri, change } = await withNote("2025")
    await client.subscribeResource({ uri })
    expect(here.prompts).toEqual([])
    await here.call("nc_notes_list_notes")
    await lookedAt(here, 2)
    change("two")
    await expect.poll(() => updated, { interval: 2, timeout: 15_000 }).toEqual([uri])
    expect(here.prompts, "for the tool alone").toHaveLength(1)
  })

  it("notifies once about a change right after the subscription, and once about the removal", async () => {
    const { here, client, updated, uri, change } = await withNote("2025")
    await here.call("nc_notes_list_notes")
    await client.subscribeResource({ uri })
    change("two")
    await expect.poll(() => updated, { interval: 2, timeout: 15_000 }).toEqual([uri])
    notesOf(here.standIn.world).remove("alice", Number(uri.split("/").at(-1)))
    await expect.poll(() => updated, { interval: 2, timeout: 15_000 }).toEqual([uri, uri])
    await lookedAt(here, 3)
    expect(updated).toHaveLength(2)
    expect(here.reports).toEqual([])
  })

  it("is refused with advice over HTTP, where no client could be notified", async () => {
    const here = await enter({ client: "2025" })
    await expect(here.client.subscribeResource({ uri: "nc://notes/5" })).rejects.toThrow(/read it again/)
  })

  it("is refused for resources without a version, and for unknown ones", async () => {
    const { client } = await withNote("2025")
    await expect(client.subscribeResource({ uri: "nc://notes" })).rejects.toThrow(/cannot be watched/)
    await expect(client.subscribeResource({ uri: "nc://nothing" })).rejects.toThrow(/not found/i)
  })
})
