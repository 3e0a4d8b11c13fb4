// Questions at the edge of what may be asked: each is shown in Slack within Slack's limits, whole or with a link to its
// page, and none of its text is obeyed.

import type { Elicitation, Form } from "@holdpoint/hub"
import { choice, choices, createAddresses, dateTime, form, integer, number, text, yesNo } from "@holdpoint/hub"
import type { Field } from "@holdpoint/hub/forms"
import { confirmForm } from "@holdpoint/hub/forms"
import { checkMessage } from "@holdpoint/slack-stand-in/limits/messages"
import { checkView } from "@holdpoint/slack-stand-in/limits/views"
import { linkedAnyway } from "@holdpoint/testkit/across/surfaces/linked-anyway"
import { verifies } from "@holdpoint/testkit/verifies"
import { describe, expect, it } from "vitest"
import { toEnded, toShown } from "../src/map.ts"
import { declineModal, modalOf } from "../src/modal.ts"

const addresses = createAddresses("https://hub.example")

function question(more: { readonly message?: string; readonly form?: Form; readonly name?: string } = {}): Elicitation {
  const alice = { tenant: "acme", issuer: "https://people.example", subject: "alice" }
  return {
    ...{ id: "9b2f6f0e-0000-4000-8000-000000000000", tenant: "acme", mode: "form" },
    ...{ message: more.message ?? "Go on?", requestedSchema: more.form ?? confirmForm() },
    ...{ audience: { kind: "one", principal: alice }, requester: { id: "program", name: more.name ?? "Program" } },
    ...{ context: { trigger: "approval" }, createdAt: 0, status: "pending", revision: 1, holders: 1 },
    expiresAt: Date.UTC(2026, 0, 1),
  }
}

const many = (count: number, make: (index: number) => string): readonly string[] =>
  Array.from({ length: count }, (_none, index) => make(index))
const fields = (count: number, make: (index: number) => Field): Form => ({
  type: "object",
  properties: Object.fromEntries(many(count, (index) => `field ${index}`).map((name, index) => [name, make(index)])),
})
const long = (length: number, piece: string): string => piece.repeat(Math.ceil(length / piece.length)).slice(0, length)

/** By what is extreme about it, and whether Slack can show its form. */
const extremes: Readonly<Record<string, readonly [Elicitation, "modal" | "page" | "buttons"]>> = {
  "a message of 4,000 characters": [question({ message: long(4_000, "Read this. ") }), "buttons"],
  "a message of 3,000 characters without a space": [question({ message: long(3_000, "x") }), "buttons"],
  "a message of 2,000 emoji": [question({ message: "👩‍💻".repeat(800) }), "buttons"],
  "a message of 20,000 characters": [question({ message: long(20_000, "line\n"), form: form({ a: text() }) }), "page"],
  "a message from right to left": [question({ message: "هل تريد حذف الملاحظة؟ ".repeat(50) }), "buttons"],
  "a long name of the program": [question({ name: long(1_000, "Program ") }), "buttons"],
  "acts of 200 characters": [
    question({ form: confirmForm({ yes: long(200, "Do it "), no: long(200, "Not ") }) }),
    "buttons",
  ],
  "100 options": [question({ form: form({ a: choice(many(100, (index) => `Option ${index}`)) }) }), "modal"],
  "500 options": [question({ form: form({ a: choice(many(500, (index) => `Option ${index}`)) }) }), "modal"],
  "500 options of which several": [
    question({
      form: form({
        a: choices(
          many(500, (index) => `O ${index}`),
          { maxItems: 500, default: ["O 499"] },
        ),
      }),
    }),
    "modal",
  ],
  "options of 200 characters": [
    question({ form: form({ a: choice(many(3, (index) => long(199, "y") + index)) }) }),
    "page",
  ],
  "options of 75 emoji": [question({ form: form({ a: choice(["😀".repeat(75)]) }) }), "page"],
  "an option that is empty": [question({ form: form({ a: choice(["", "b"]) }) }), "modal"],
  "40 fields": [question({ form: fields(40, (index) => text({ title: `Field ${index}` })) }), "modal"],
  "50 fields of every kind": [
    question({
      form: fields(50, (index) => [text(), integer(), yesNo(), dateTime(), choices(["a"])][index % 5] as Field),
    }),
    "modal",
  ],
  "50 fields with long descriptions": [
    question({ form: fields(50, () => text({ title: long(200, "T"), description: long(1_000, "Read. ") })) }),
    "modal",
  ],
  "descriptions of 2,000 emoji": [question({ form: form({ a: text({ description: "😀".repeat(2_000) }) }) }), "modal"],
  "more options than fit into a view": [
    question({ form: fields(30, () => choice(many(100, (index) => `${index}${long(20, "z")}`))) }),
    "page",
  ],
  "very large numbers": [
    question({ form: form({ a: number({ minimum: -1e300, maximum: 1e300, default: 0.000_001 }) }) }),
    "modal",
  ],
  "a tiny default": [question({ form: form({ a: number({ default: 1e-9 }) }) }), "page"],
  "names that are not letters": [question({ form: fields(3, () => text()) }), "modal"],
}

describe("an extreme question in Slack", () => {
  verifies.each("slack.within-limits")(Object.entries(extremes))(
    "is within Slack's limits: %s",
    (_name, [asked, expected]) => {
      const content = toShown(asked, addresses)
      expect(checkMessage({ ...content }, "post")).toBeUndefined()
      expect(checkMessage({ ...content }, "edit")).toBeUndefined()
      for (const status of ["completed", "declined", "cancelled", "expired", "failed"] as const) {
        const reason = { code: "x", message: long(2_000, "<because> ") }
        expect(
          checkMessage({ ...toEnded({ ...asked, status, reason }, addresses, "<@U0ALICE>") }, "edit"),
        ).toBeUndefined()
      }
      const modal = modalOf(asked)
      expect(checkView(declineModal(asked))).toEqual([])
      if (expected === "page") expect(JSON.stringify(content.blocks)).toContain("Answer on the page")
      expect(modal === undefined ? "page" : expected).toBe(expected)
      if (modal !== undefined) expect(checkView(modal)).toEqual([])
    },
  )

  it("that is longer than a message says so, with a link to all of it", () => {
    const [asked] = extremes["a message of 20,000 characters"]!
    expect(JSON.stringify(toShown(asked, addresses).blocks)).toContain(
      `<https://hub.example/inbox/${asked.id}|Read all of it>`,
    )
  })
})

describe("text of an asker in Slack", () => {
  verifies("slack.text-is-text", "has no address that Slack could make a link of, whatever its dot", () => {
    for (const written of linkedAnyway) {
      const asked = question({ message: `Sign in at ${written} now`, name: written })
      const reason = { code: "x", message: `${written} said no` }
      const messages = [toShown(asked, addresses), toEnded({ ...asked, status: "declined", reason }, addresses)]
      const text = JSON.stringify(messages)
      expect(text.replaceAll("\u2060", "")).toContain(written)
      expect(text, written).not.toContain(written)
    }
  })

  it("is shown to its end, although invisible characters make it longer", () => {
    const asked = question({ message: `${"a.b ".repeat(1_100)}the end` })
    const parts = JSON.stringify(toShown(asked, addresses).blocks).replaceAll("\u2060", "")
    expect(parts.match(/a\.b/g)).toHaveLength(1_100)
    expect(parts).toContain("the end")
  })

  const hostile =
    "<!channel> <!here> <@U0BOB> <https://evil.example|https://bank.example> *bold* :warning: &lt;!channel&gt;"

  verifies("slack.text-is-text", "mentions no person, links nowhere and formats nothing", () => {
    const asked = question({
      ...{ message: hostile, name: hostile },
      form: fields(1, () => choice({ a: hostile.slice(0, 75), b: "B" }, { title: hostile, description: hostile })),
    })
    const reason = { code: "x", message: hostile }
    const everything = [
      toShown(asked, addresses),
      toEnded({ ...asked, status: "declined", reason }, addresses),
      modalOf(asked),
      declineModal(asked),
      toShown({ ...asked, mode: "url", url: "https://evil.example/<!channel>" } as unknown as Elicitation, addresses),
    ]
    const marked: string[] = []
    const look = (value: unknown): void => {
      if (typeof value !== "object" || value === null) return
      const { type, text: words, emoji } = value as { type?: unknown; text?: unknown; emoji?: unknown }
      if (type === "mrkdwn" || (type === undefined && typeof words === "string")) marked.push(String(words))
      if (type === "plain_text") expect(emoji).toBe(false)
      for (const one of Object.values(value)) look(one)
    }
    look(everything)
    expect(marked.length).toBeGreaterThan(4)
    for (const words of marked) expect(words).not.toMatch(/<(?!!date\^\d+\^)(?!https:\/\/hub\.example\/)/)
    expect(marked.join()).toContain("&lt;!channel&gt;")
  })
})
