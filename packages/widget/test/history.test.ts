// Stored messages are converted into the events that would have shown them.

import { describe, expect, it } from "vitest"
import { textOfMessage, toEvents } from "../src/history.ts"

const message = (...parts: readonly { readonly type: string; readonly [member: string]: unknown }[]) => ({
  ...{ id: "m", role: "assistant" as const },
  parts,
})

describe("a stored message", () => {
  it("of a person is converted into its text", () => {
    expect(
      textOfMessage(message({ type: "text", text: "a" }, { type: "file", url: "data:" }, { type: "text", text: "b" })),
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

  it("with a waiting call has only the call, with the tool's name from its type", () => {
    const part = { type: "tool-delete_note", toolCallId: "c", state: "approval-requested", input: {} }
    expect(toEvents(message(part))).toEqual([
      { type: "tool-call", toolCallId: "c", toolName: "delete_note", input: {} },
    ])
  })

  it("leaves out parts of unknown types", () => {
    expect(toEvents(message({ type: "reasoning", text: "hm" }, { type: "hologram" }))).toEqual([])
  })
})
