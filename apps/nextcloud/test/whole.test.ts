// What clients hand over as empty, and what is longer than one part: prompts and resources are as whole as tools.

import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { filesOf, notesOf } from "../src/stand-in/index.ts"
import type { House } from "./house.ts"
import { openHouse } from "./house.ts"

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house.close())

describe("a resource", () => {
  it("is given as a whole, however many parts its tool needs", async () => {
    const content = `${"Zeile mit Größe und 🦊.\n".repeat(8_000)}Ende`
    const note = notesOf(house.standIn.world).create("alice", { title: "Long", content })
    filesOf(house.standIn.world).put("alice", "/long.txt", content)
    for (const uri of [`nc://notes/${note.id}`, "nc://files/long.txt"]) {
      const [first] = (await house.client.readResource({ uri })).contents
      expect(first !== undefined && "text" in first && first.text === content).toBe(true)
    }
  })

  it("is refused when it is too long to be given as a whole, with what to do", async () => {
    filesOf(house.standIn.world).put("alice", "/huge.txt", "x".repeat(2_100_000))
    const made = house.client.readResource({ uri: "nc://files/huge.txt" })
    await expect(made).rejects.toThrow(/nc_files_read_file/)
  })
})

describe("a prompt", () => {
  it("takes an argument that a form left empty for none", async () => {
    const { messages } = await house.client.getPrompt({ name: "todays_agenda", arguments: { date: "" } })
    const texts = messages.map(({ content }) => (content.type === "text" ? content.text : ""))
    expect(texts[0]).toMatch(/\(events\):\n\{"events"/)
    expect(texts.at(-1)).toMatch(/agenda for \d{4}-\d\d-\d\d:/)
  })
})
