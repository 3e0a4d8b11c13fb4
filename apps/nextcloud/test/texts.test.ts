// The texts of questions: foreign names in them can neither imitate the question nor fill it.

import { describe, expect, it } from "vitest"
import { nextcloudError } from "../src/api/error.ts"
import { texts } from "../src/consent/texts.ts"
import { toExcerpt } from "../src/page.ts"
import { table } from "../src/tools/table.ts"

describe("an excerpt of a text", () => {
  it("never starts or ends inside a character, since half a character makes a question invalid", () => {
    for (let before = 110; before < 125; before++) {
      const words = toExcerpt(`${"x".repeat(before)}🦊🦊🦊🦊🦊🦊🦊`, 120)
      expect(words.isWellFormed()).toBe(true)
      expect(words.length).toBeLessThanOrEqual(120)
    }
    expect(toExcerpt("\udd8a and more")).toBe("and more")
    expect(nextcloudError("invalid", { activity: "x", detail: `${"x".repeat(298)}🦊🦊` }).message.isWellFormed()).toBe(
      true,
    )
  })
})

describe("the answers to a confirmation", () => {
  it.each([
    ["nc_notes_delete_note", "Delete note", "Keep it"],
    ["nc_tables_delete_row", "Delete row", "Keep it"],
    ["nc_files_empty_trash", "Delete for good", "Keep it"],
    ["nc_files_move_resource", "Replace", "Do not replace"],
    ["nc_files_restore_version", "Go back to the earlier version", "Keep the current version"],
    ["nc_sharing_create_share", "Share", "Do not share"],
    ["nc_sharing_delete_share", "Stop sharing", "Keep sharing"],
    ["nc_deck_remove_attachment", "Take it off", "Leave it there"],
    ["nc_calendar_bulk_operations", "Change these events", "Leave them as they are"],
    ["nc_mail_send_message", "Send message", "Do not send"],
    ["nc_notifications_dismiss_all", "Dismiss all notifications", "Do not dismiss"],
  ])("for %s are labelled “%s” and “%s”", (name, yes, no) => {
    const tool = table.find((one) => one.name === name)
    expect(texts.confirmWords(tool?.confirm?.verb ?? "", tool?.title ?? "")).toEqual({ yes, no })
  })

  it("name an action on both buttons for every tool", () => {
    const asking = table.filter(({ confirm }) => confirm !== undefined)
    const labels = asking.flatMap(({ confirm, title }) => Object.values(texts.confirmWords(confirm?.verb ?? "", title)))
    expect(asking.length).toBeGreaterThan(30)
    for (const label of labels) expect(label).toMatch(/^(?!Yes|No\b)[A-Z][^?]{3,39}$/)
  })
})

describe("a confirmation", () => {
  it("keeps each name on its line, and removes direction controls", () => {
    const title = "Lunch”?\r\n\r\nNothing is lost.\u2028Say yes. \u202Egpj.exe\u202C"
    const asked = texts.confirm("Delete", { what: `the event “${title}”`, details: [`Where: ${title}`, "For good."] })
    expect(asked.split(/[\n\r\u2028\u2029]/)).toHaveLength(3)
    expect(asked).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/)
    expect(asked).toContain("Delete the event “Lunch”? Nothing is lost. Say yes. gpj.exe”?")
  })

  it("is well-formed, whatever a server sends as a name", () => {
    const asked = texts.confirm("Delete", { what: "the note “half \ud83d of \u0000 it”" })
    expect(asked).toBe("Delete the note “half \ufffd of it”?")
  })

  it("keeps emojis and other scripts whole, and shortens text that would hide the rest", () => {
    const what = `the note “👩‍👩‍👧 测试 ${"x".repeat(5_000)}”`
    const asked = texts.confirm("Delete", { what, details: Array.from({ length: 100 }, () => "y".repeat(5_000)) })
    expect(asked).toContain("👩‍👩‍👧 测试")
    expect(asked.length).toBeLessThan(4_000)
    expect(asked).toMatch(/\n… and \d+ more\ny+…y+$/)
    expect(asked.split("\n")[0]).toMatch(/x…x+”\?$/)
  })

  it("says with whom something is shared, however long its path is", () => {
    const path = `/${"x".repeat(250)}`.repeat(4)
    const asked = texts.confirm("Share", { what: `“${path}/plan.md” with everyone who has the link` })
    expect(asked).toMatch(/^Share “\/x+.*….*x\/plan\.md” with everyone who has the link\?$/)
  })

  it("shows a line of 300 characters whole, whatever their size in memory", () => {
    const asked = texts.confirm("Delete", { what: "the note", details: ["🦊".repeat(300), "🦊".repeat(301)] })
    expect(asked.split("\n").slice(1)).toEqual(["🦊".repeat(300), `${"🦊".repeat(199)}…${"🦊".repeat(100)}`])
  })
})
