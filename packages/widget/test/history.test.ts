// Messages as the server keeps them become the events that would have shown them.

import { describe, expect, it } from "vitest"
import { textOf, toEvents } from "../src/history.ts"

const message = (...parts: readonly { readonly type: string; readonly [member: string]: unknown }[]) => ({
  ...{ id: "m", role: "assistant" as const },
  parts,
})

describe("a kept message", () => {
  it("is its text, for a person's", () => {
    expect(
      textOf(message({ type: "text", text: "a" }, { type: "file", url: "data:" }, { type: "text", text: "b" })),
    ).toBe("a\nb")
  })

  it.each([
    ["output-available", "tool-result"],
    ["output-error", "tool-error"],
    ["output-denied", "tool-error"],
  ])("with a tool call in the state %s has its %s", (state, type) => {
    const part = { type: "dynamic-tool", toolName: "a", title: "Act", toolCallId: "c", state, input: {} }
    expect(toEvents(message(part))).toMatchObject([{ type: "tool-call", toolName: "a", title: "Act" }, { type }])
  })

  it("with a call that waits has the call alone, by the name in its type", () => {
    const part = { type: "tool-delete_note", toolCallId: "c", state: "approval-requested", input: {} }
    expect(toEvents(message(part))).toEqual([
      { type: "tool-call", toolCallId: "c", toolName: "delete_note", input: {} },
    ])
  })

  it("leaves out parts that it does not know", () => {
    expect(toEvents(message({ type: "reasoning", text: "hm" }, { type: "hologram" }))).toEqual([])
  })
})
