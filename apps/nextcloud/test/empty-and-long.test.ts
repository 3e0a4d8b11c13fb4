// Empty fields from clients, and content longer than one part: prompts and resources lose nothing.

import { filesOf, notesOf } from "@holdpoint/nextcloud-stand-in"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { findResource } from "../src/resources/address.ts"
import type { House } from "./house.ts"
import { openHouse } from "./house.ts"

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house.close())

describe("a resource", () => {
  it("is returned whole, however many parts its tool needs", async () => {
    const content = `${"Zeile mit Größe und 🦊.\n".repeat(8_000)}Ende`
    const note = notesOf(house.standIn.world).create("alice", { title: "Long", content })
    filesOf(house.standIn.world).put("alice", "/long.txt", content)
    for (const uri of [`nc://notes/${note.id}`, "nc://files/long.txt"]) {
      const [first] = (await house.client.readResource({ uri })).contents
      expect(first !== undefined && "text" in first && first.text === content).toBe(true)
    }
  })

  it("never mixes an old version with a new one", async () => {
    const files = filesOf(house.standIn.world)
    files.put("alice", "/log.txt", "old\n".repeat(20_000))
    house.standIn.switches.intercept = () => {
      delete house.standIn.switches.intercept
      files.put("alice", "/log.txt", "old\n".repeat(20_000))
      house.standIn.switches.intercept = () => {
        delete house.standIn.switches.intercept
        files.put("alice", "/log.txt", "new\n".repeat(20_000))
        return undefined
      }
      return undefined
    }
    await expect(house.client.readResource({ uri: "nc://files/log.txt" })).rejects.toThrow(
      /changed while it was being read/,
    )
  })

  it("is refused with advice when it is too long to return whole", async () => {
    filesOf(house.standIn.world).put("alice", "/huge.txt", "x".repeat(2_100_000))
    const reading = house.client.readResource({ uri: "nc://files/huge.txt" })
    await expect(reading).rejects.toThrow(/nc_files_read_file/)
  })
})

describe("resources of one app", () => {
  it("are distinguished: settings are not a note or a recipe, and cards belong to their board", () => {
    const toolOf = (uri: string) => findResource(uri)?.row.tool
    expect(toolOf("nc://notes/settings")).toBe("nc_notes_get_settings")
    expect(toolOf("nc://notes/5")).toBe("nc_notes_get_note")
    expect(toolOf("nc://cookbook/config")).toBe("nc_cookbook_get_config")
    expect(toolOf("nc://deck/boards/2/cards")).toBe("nc_deck_list_cards")
    const card = findResource("nc://deck/boards/2/stacks/9/cards/11")
    expect(card?.row.input(card.variables)).toEqual({ board_id: 2, stack_id: 9, card_id: 11 })
  })
})

describe("a prompt", () => {
  it("treats an argument that a form left empty as omitted", async () => {
    const { messages } = await house.client.getPrompt({ name: "todays_agenda", arguments: { date: "" } })
    const texts = messages.map(({ content }) => (content.type === "text" ? content.text : ""))
    expect(texts[0]).toMatch(/\(events\):\n\{"events"/)
    expect(texts.at(-1)).toMatch(/agenda for \d{4}-\d\d-\d\d:/)
  })
})
