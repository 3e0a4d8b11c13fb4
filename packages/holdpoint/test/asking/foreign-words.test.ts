// The texts of questions that other programs ask. A call compares them when it continues after an upgrade.

import { describe, expect, it } from "vitest"
import { linkWords } from "../../src/asking/foreign-words.ts"
import { authorizeWords } from "../../src/surfaces/a2a/client/words.ts"

const program = { name: "notes", host: "notes.example" } as never

describe("a question that is open during an upgrade", () => {
  it.each([
    [[], ""],
    [["ip-address"], "\nCareful: this host is a number and not a name. Check that you know it."],
    [["punycode"], "\nCareful: this host is written with letters that can look like others. Check that you know it."],
  ] as const)("still has the same text when it is about a link with the flags %j", (flags, warning) => {
    const text = linkWords(program, { host: "pay.example", flags, message: "Pay here." })
    expect(text.slice(text.indexOf("asks you"))).toBe(
      `asks you to open a page at pay.example.${warning}\nIt says: Pay here.`,
    )
  })

  it("still has the same text when an A2A agent wants something done and sends no link", () => {
    expect(authorizeWords(program, "Sign in.")).toMatch(
      /Sign in\.\n\nThe agent waits until that is done, and sent no link for it\.$/,
    )
  })
})
