// Which tools a client is offered: those of the chosen toolsets whose apps the server has. The client is notified when
// the list changes.

import { afterEach, describe, expect, it } from "vitest"
import { type Toolset, toolsets } from "../src/tool.ts"
import { choicesAbout, offeredBy } from "../src/tool-selection.ts"
import { table } from "../src/tools/table.ts"
import type { House, HouseOptions } from "./house.ts"
import { openHouse, textIn } from "./house.ts"
import { connect } from "./nextcloud.ts"

let house: House | undefined
afterEach(async () => {
  await house?.close()
  house = undefined
})

const enter = async (options: HouseOptions = {}): Promise<House> => (house = await openHouse(options))

const all = new Set(toolsets)
const access = "revoke_nextcloud_access"

/** Which tools go with which app of Nextcloud. */
const toolsetOf: Readonly<Record<string, readonly Toolset[]>> = {
  notes: ["notes"],
  deck: ["deck"],
  tables: ["tables"],
  cookbook: ["cookbook"],
  news: ["news"],
  spreed: ["talk"],
  mail: ["mail"],
  collectives: ["collectives"],
  notifications: ["notifications"],
  user_status: ["status"],
}

async function appsListed({ client }: Pick<House, "client">): Promise<Set<Toolset>> {
  const names = new Set((await client.listTools()).tools.map(({ name }) => name))
  return new Set(table.filter(({ name }) => names.has(name)).map(({ app }) => app))
}

describe("the apps of the server", () => {
  it("are unknown before an account is connected, so everything is listed", async () => {
    const here = await enter()
    here.standIn.switches.without.add("deck")
    expect(await appsListed(here)).toEqual(all)
    expect(here.prompts).toEqual([])
  })

  it("that are missing have no tools in the list, and all others do", async () => {
    let now = 1_800_000_000_000
    const here = await enter({ clock: { now: () => now } })
    await here.call("nc_files_list_directory")
    const hiddenToolsets: Record<string, readonly Toolset[]> = {}
    for (const app of Object.keys(toolsetOf)) {
      here.standIn.switches.without.clear()
      here.standIn.switches.without.add(app)
      now += 61_000
      const listed = await appsListed(here)
      hiddenToolsets[app] = toolsets.filter((toolset) => !listed.has(toolset))
    }
    expect(hiddenToolsets).toEqual(toolsetOf)
  })

  it("are looked up again after a minute, so a newly installed app appears", async () => {
    let now = 1_800_000_000_000
    const here = await enter({ clock: { now: () => now } })
    const { without } = here.standIn.switches
    without.add("notes").add("news")
    await here.call("nc_files_list_directory")
    expect((await appsListed(here)).has("notes")).toBe(false)
    without.clear()
    now += 59_000
    expect((await appsListed(here)).has("notes")).toBe(false)
    now += 2_000
    expect(await appsListed(here)).toEqual(all)
  })

  it("cause a notification when an account connects and when an app is installed", async () => {
    let now = 1_800_000_000_000
    const here = await enter({ clock: { now: () => now } })
    here.standIn.switches.without.add("deck")
    const client = await here.stay("2025")
    let changes = 0
    client.setNotificationHandler("notifications/tools/list_changed", () => void changes++)
    expect(await appsListed({ client })).toEqual(all)
    await client.callTool({ name: "nc_notes_list_notes", arguments: {} })
    await expect.poll(() => changes, { interval: 2, timeout: 15_000 }).toBe(1)
    expect((await appsListed({ client })).has("deck")).toBe(false)
    await client.callTool({ name: "nc_notes_list_notes", arguments: {} })
    here.standIn.switches.without.clear()
    now += 61_000
    await client.callTool({ name: "nc_notes_list_notes", arguments: {} })
    await expect.poll(() => changes, { interval: 2, timeout: 15_000 }).toBe(2)
    expect(await appsListed({ client })).toEqual(all)
  })

  it("are all assumed present while the server does not say, and the failure is reported", async () => {
    const here = await enter()
    await here.call("nc_notes_list_notes")
    here.standIn.switches.intercept = (_method, path) =>
      /\/navigation\/apps|\/capabilities/.test(path) ? { status: 404, body: "" } : undefined
    expect(await appsListed(here)).toEqual(all)
    expect(here.reports.join()).toContain("reading which apps the server has")
  })

  it("are all assumed present when the server is slow, so a client does not wait for its list", async () => {
    const here = await enter({ listWithinMs: 1 })
    await here.call("nc_files_list_directory")
    here.standIn.switches.without.add("deck")
    here.standIn.switches.intercept = (_method, path) => (/\/navigation\/apps/.test(path) ? "hang" : undefined)
    expect(await appsListed(here)).toEqual(all)
    delete here.standIn.switches.intercept
  })

  it("do not appear to change while the server is briefly unavailable", async () => {
    let now = 1_800_000_000_000
    const here = await enter({ clock: { now: () => now } })
    here.standIn.switches.without.add("deck")
    await here.call("nc_notes_list_notes")
    const client = await here.stay("2025")
    let changes = 0
    client.setNotificationHandler("notifications/tools/list_changed", () => void changes++)
    expect((await appsListed({ client })).has("deck")).toBe(false)
    now += 61_000
    here.standIn.switches.intercept = (_method, path) =>
      /\/navigation\/apps|\/capabilities/.test(path) ? { status: 404, body: "" } : undefined
    await client.callTool({ name: "nc_notes_list_notes", arguments: {} })
    await expect.poll(() => here.reports.join(), { interval: 2, timeout: 15_000 }).toContain("reading which apps")
    // A notification that was sent earlier would arrive before this response.
    await client.ping()
    expect(changes).toBe(0)
  })
})

describe("toolsets", () => {
  it("that are chosen are listed and no others, with the tools of the table in its order", async () => {
    const choice = { toolsets: new Set<Toolset>(["notes", "calendar"]), readOnly: false }
    const { client } = await enter({ choice })
    const names = (await client.listTools()).tools.map(({ name }) => name)
    const expected = table.filter(({ app }) => app === "notes" || app === "calendar").map(({ name }) => name)
    expect(names).toEqual([access, ...expected])
  })

  it("that are not chosen say how to switch them on, and do not ask", async () => {
    const choice = { toolsets: new Set<Toolset>(["notes"]), readOnly: false }
    const { call, prompts } = await enter({ choice })
    const refused = await call("nc_deck_list_boards")
    expect(refused.isError).toBe(true)
    expect(textIn(refused)).toMatch(/toolset “deck”.*--tools deck/)
    expect(prompts).toEqual([])
  })

  it("offer only tools that read under --read-only, and name that option for the rest", async () => {
    const { client, call, prompts } = await enter({ choice: { toolsets: all, readOnly: true } })
    const listed = (await client.listTools()).tools.filter(({ name }) => name !== access)
    expect(listed.map(({ annotations }) => annotations?.readOnlyHint)).not.toContain(false)
    expect(listed).toHaveLength(table.filter(({ effect }) => effect === "read").length)
    const refused = await call("nc_notes_delete_note", { note_id: 1 })
    expect(textIn(refused)).toMatch(/--read-only/)
    expect(prompts).toEqual([])
  })
})

describe("the overview before a client is connected", () => {
  it("lists the tools of each app and the missing apps", async () => {
    const here = await enter()
    here.standIn.switches.without.add("deck")
    const choice = { toolsets: new Set<Toolset>(["notes", "deck"]), readOnly: true }
    const { nextcloud } = connect(here.standIn.fetch, { url: here.standIn.url })
    const [notes, deck] = await offeredBy(choice, nextcloud)
    expect(notes?.offered).toContain("nc_notes_list_notes")
    expect(notes?.offered).not.toContain("nc_notes_delete_note")
    expect(deck).toEqual({ app: "deck", offered: [], missing: "not installed on this server" })
    expect((await choicesAbout(choice, {})).items, "nothing can be lost").toHaveLength(1)
  })
})
