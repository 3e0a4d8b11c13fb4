// Server-sent events, however the network cuts them into pieces.

import { describe, expect, it } from "vitest"
import { readChunk, toChatEvent } from "../src/chat-event.ts"
import { readSentEvents, type SentEvent } from "../src/sent-events.ts"

const lines = [
  ...[": waiting", "", "id: 1", 'data: {"type":"text-delta","delta":"grüß dich"}', ""],
  ...["data: two", "data: lines", "", "event: other", "retry: 5", "", "id: 2", "data:no space", "", ""],
  ...["retry: 5", "id: 3", "", "id: 4", "event: reply", "data: {}", "", ""],
]
const events = [
  { id: "1", event: undefined, data: '{"type":"text-delta","delta":"grüß dich"}' },
  { id: undefined, event: undefined, data: "two\nlines" },
  { id: "2", event: undefined, data: "no space" },
  { id: "3", event: undefined, data: "" },
  { id: "4", event: "reply", data: "{}" },
]

async function read(text: string, size: number) {
  const bytes = new TextEncoder().encode(text)
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.slice(at * size, (at + 1) * size),
  )
  let heard = 0
  const all: SentEvent[] = []
  const hear = (): void => {
    heard += 1
  }
  for await (const event of readSentEvents(ReadableStream.from(pieces), hear)) all.push(event)
  return { all, isHeard: heard === pieces.length }
}

describe("server-sent events", () => {
  it.each([["\n"], ["\r\n"]])("with the line end %j are read in pieces of any size", async (end) => {
    for (let size = 1; size < 40; size++)
      expect(await read(lines.join(end), size), `${size}`).toEqual({ all: events, isHeard: true })
  })

  it("that are incomplete are not returned", async () => {
    expect((await read('id: 1\ndata: {"type":"te', 5)).all).toEqual([])
  })
})

describe("a chunk", () => {
  it.each([
    [
      { type: "text-delta", id: "1", delta: "a" },
      { type: "text", text: "a" },
    ],
    [
      { type: "reasoning-delta", id: "1", delta: "a" },
      { type: "reasoning", text: "a" },
    ],
    [
      { type: "tool-output-denied", toolCallId: "c" },
      { type: "tool-error", toolCallId: "c", isDenied: true, message: "" },
    ],
    [
      { type: "finish", finishReason: "error" },
      { type: "end", status: "failed" },
    ],
    [
      { type: "abort", reason: "stopped" },
      { type: "end", status: "stopped" },
    ],
    [{ type: "reset-step" }, { type: "step-reset" }],
    [{ type: "text-start", id: "1" }, undefined],
  ])("%j is an event", (chunk, event) => {
    expect(toChatEvent(chunk)).toEqual(event)
  })

  it.each([
    { type: "data-elicitation", id: "q", data: { type: "elicitation-moved" } },
    { type: "data-elicitation", id: "q" },
    { type: "text-delta", delta: 7 },
    { type: "hologram", depth: 3 },
    { type: "constructor" },
  ])("%j is returned as unknown", (chunk) => {
    expect(toChatEvent(chunk)).toEqual({ type: "unknown", chunk })
  })

  it.each(["[DONE]", "7", "null", "{}", '{"type":7}'])("is not read from %s", (data) => {
    expect(readChunk(data)).toBeUndefined()
  })
})
