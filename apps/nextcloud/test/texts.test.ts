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

/** The verb of each confirmation that was ever released, with its tools. Verbs are never changed, only added. */
const verbs: readonly (readonly [verb: string, tools: string])[] = [
  ["Change", "sharing_update_share"],
  ["Change, delete or move", "calendar_bulk_operations"],
  [
    "Delete",
    "calendar_delete_calendar calendar_delete_event collectives_delete_collective collectives_delete_page contacts_delete_addressbook contacts_delete_contact cookbook_delete_recipe deck_delete_board deck_delete_card deck_delete_comment deck_delete_label deck_delete_stack files_delete_comment files_delete_resource news_delete_folder notes_delete_note tables_delete_row tasks_delete_task",
  ],
  ["Delete for good", "files_delete_from_trash files_empty_trash"],
  ["Dismiss", "notifications_dismiss_all notifications_dismiss_notification"],
  ["End", "sharing_delete_share"],
  ["Go back to an earlier version of", "files_restore_version"],
  ["Remove", "news_remove_feed"],
  ["Replace", "files_copy_resource files_move_resource"],
  ["Send", "mail_send_message"],
  ["Share", "deck_attach_file sharing_create_public_link sharing_create_share"],
  ["Stop sharing", "deck_unshare_board"],
  ["Take off", "deck_remove_attachment"],
]

describe("a question that is open during an upgrade", () => {
  it.each(verbs)(
    "still begins with “%s”, because the call that asked compares the text when it continues",
    (verb, tools) => {
      const withVerb = table.filter(({ name }) => tools.split(" ").includes(name.replace("nc_", "")))
      expect(withVerb.map(({ confirm }) => confirm?.verb)).toEqual(tools.split(" ").map(() => verb))
    },
  )

  it("still has the same text when it is about disconnecting", () => {
    expect(texts.disconnect(["alice", "bob"])).toBe(
      "Disconnect Nextcloud (alice, bob)?\nThe access is revoked, also at Nextcloud. Your data there stays.",
    )
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
