// Servers in a subfolder or without short addresses, and people whose user id differs from their login name.

import { startStandIn } from "@holdpoint/nextcloud-stand-in"
import { noteCanary } from "@holdpoint/testkit/canaries/note"
import { afterEach, describe, expect, it } from "vitest"
import { agree, type House, openHouse, textIn } from "./house.ts"

let opened: { readonly house: House; close(): Promise<void> } | undefined
afterEach(async () => {
  await opened?.close()
  opened = undefined
})

interface Installation {
  readonly path?: string
  readonly pretty?: boolean
  readonly user?: string
}

async function enter({ user = "alice", ...place }: Installation): Promise<House> {
  const standIn = await startStandIn({ seed: true, ...place, onSecret: ({ kind, value }) => noteCanary(kind, value) })
  const house = await openHouse({
    standIn,
    answer: async (prompt, here) => {
      if (prompt.url === undefined) return agree(prompt, here)
      void here.allow(prompt.url, user)
      return { action: "accept" }
    },
  })
  opened = {
    house,
    async close() {
      await house.close()
      await standIn.close()
    },
  }
  return house
}

async function done<T>(house: House, name: string, input: object = {}): Promise<T> {
  const result = await house.call(name, input)
  expect(result.isError, textIn(result)).toBeFalsy()
  return result.structuredContent as T
}

describe.each<[string, Installation]>([
  ["in a subfolder", { path: "/cloud" }],
  ["in a folder of a folder", { path: "/a/b-c" }],
  ["without pretty URLs", { pretty: false }],
  ["in a subfolder without pretty URLs", { path: "/cloud", pretty: false }],
  ["of a person whose id is not their name", { user: "ldap-7f3a" }],
  ["of a person whose id is not their name, in a subfolder", { user: "ldap-7f3a", path: "/cloud" }],
])("a server %s", (_, installation) => {
  it("is read and written through every kind of API, and links point to it", async () => {
    const house = await enter(installation)
    const { id, url } = await done<{ id: number; url: string }>(house, "nc_notes_create_note", {
      title: "100% ✓ #1?",
      content: "x",
    })
    expect(url).toBe(`${house.standIn.url}${installation.pretty === false ? "/index.php" : ""}/apps/notes/note/${id}`)
    const name = "/Größe 100% & #1? 日本.txt"
    await done(house, "nc_files_write_file", { path: name, content: "inside" })
    expect(await done(house, "nc_files_read_file", { path: name })).toMatchObject({ content: "inside" })
    const listed = await done<{ items: readonly { path: string }[] }>(house, "nc_files_list_directory")
    expect(listed.items.map(({ path }) => path)).toContain(name)
    await done(house, "nc_files_move_resource", { source_path: name, destination_path: "/50%25 off.txt" })
    expect(await done(house, "nc_files_get_info", { path: "/50%25 off.txt" })).toMatchObject({ path: "/50%25 off.txt" })
    const event = { title: "Plan", start: "2026-11-20T10:00", timezone: "Europe/Berlin" }
    const created = await done<{ id: string }>(house, "nc_calendar_create_event", event)
    expect(await done(house, "nc_calendar_get_event", { event_id: created.id })).toMatchObject({ title: "Plan" })
    const { uid } = await done<{ uid: string }>(house, "nc_contacts_create_contact", { name: "Zoë Müller" })
    expect(await done(house, "nc_contacts_get_contact", { uid })).toMatchObject({ name: "Zoë Müller" })
    await done(house, "nc_sharing_create_share", { path: "/50%25 off.txt", with: "bob" })
    await done(house, "nc_files_delete_resource", { path: "/50%25 off.txt" })
    expect(await done(house, "nc_users_get_me")).toMatchObject({ id: installation.user ?? "alice" })
  })
})
