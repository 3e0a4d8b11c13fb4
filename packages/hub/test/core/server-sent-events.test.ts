// How an event of a stream is written: what is between the fields, and that no field can begin another one.

import { describe, expect, it } from "vitest"
import { toEventComment, toEventLine, toServerSentEvent } from "../../src/core/server-sent-events.ts"

describe("a server-sent event", () => {
  it("has a line for each field, and ends with an empty line", () => {
    expect(toServerSentEvent({ id: 7, event: "reply", retry: 2000, data: "{}" })).toBe(
      "id: 7\nevent: reply\nretry: 2000\ndata: {}\n\n",
    )
    expect(toServerSentEvent({ data: "" })).toBe("data: \n\n")
  })

  it("has a line of data for each line of its text", () => {
    expect(toServerSentEvent({ data: "one\ntwo\r\nthree\rfour" })).toBe(
      "data: one\ndata: two\ndata: three\ndata: four\n\n",
    )
  })

  it("cannot be ended, or given another field, by its id, its type or a comment", () => {
    const hostile = "a\ndata: forged\r\n\r\nid: b\0"
    expect(toEventLine("id", hostile)).toBe("id: adata: forgedid: b\n")
    expect(toServerSentEvent({ event: hostile, data: "{}" })).toBe("event: adata: forgedid: b\ndata: {}\n\n")
    expect(toEventComment(hostile)).toBe(": adata: forgedid: b\n\n")
  })
})
