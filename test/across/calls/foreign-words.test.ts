// The texts of questions that other programs ask.

import { describe, expect, it } from "vitest"
import { authorizeWords } from "../../../packages/a2a/src/client/words.ts"
import { linkWords } from "../../../packages/calls/src/foreign-words.ts"

const program = { name: "notes", host: "notes.example" } as never

describe("the text of a question of another program", () => {
  it.each([
    [[], ""],
    [["ip-address"], "\nCareful: this host is a number and not a name. Check that you know it."],
    [["punycode"], "\nCareful: this host is written with letters that can look like others. Check that you know it."],
  ] as const)("names the host of a link, and warns of the flags %j", (flags, warning) => {
    const text = linkWords(program, { host: "pay.example", flags, message: "Pay here." })
    expect(text.slice(text.indexOf("asks you"))).toBe(
      `asks you to open a page at pay.example.${warning}\nIt says: Pay here.`,
    )
  })

  it("says that an A2A agent wants something done and sent no link", () => {
    expect(authorizeWords(program, "Sign in.")).toMatch(
      /Sign in\.\n\nThe agent waits until that is done, and sent no link for it\.$/,
    )
  })
})
