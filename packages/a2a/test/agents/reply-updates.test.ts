// The text of a reply as updates of an artifact: a client that puts them together has the text of the log.

import type { TaskArtifactUpdateEvent } from "@a2a-js/sdk"
import { words } from "@holdpoint/testkit/a2a/agents/a2a-client"
import { describe, expect, it } from "vitest"
import type { Chunk } from "../../../agents/src/run-log.ts"
import { createReplyUpdates } from "../../src/agents/reply-updates.ts"

const textDelta = (delta: string): Chunk => ({ type: "text-delta", id: "t", delta })
const begin: readonly Chunk[] = [{ type: "start-step" }, { type: "text-start", id: "t" }]
const call: Chunk = { type: "tool-input-start", toolCallId: "c", toolName: "t" }
const end: Chunk = { type: "finish", finishReason: "stop" }

/** The text that a client shows after these chunks, and the updates. */
function updatesOf(chunks: readonly Chunk[]) {
  const reply = createReplyUpdates({ id: "t1", context: "c1" })
  const updates: TaskArtifactUpdateEvent[] = chunks.flatMap((chunk, at) => reply.add({ number: at + 1, chunk }))
  const text = updates.reduce((text, { append, artifact }) => (append ? text : "") + words(artifact?.parts), "")
  return { text, updates, all: reply.take() }
}

describe("the updates of a reply", () => {
  it("append to the first one, and the last one is marked as last", () => {
    const { text, updates } = updatesOf([
      ...begin,
      textDelta("One "),
      textDelta("moment."),
      call,
      ...begin,
      textDelta("Done."),
      end,
    ])
    expect(text).toBe("One moment.\n\nDone.")
    expect(updates.map(({ append, lastChunk }) => [append, lastChunk])).toEqual([
      [false, false],
      [true, false],
      [true, true],
    ])
  })

  it("mark the end, even when all text was sent before", () => {
    const { text, updates } = updatesOf([...begin, textDelta("Done."), call, end])
    expect(text).toBe("Done.")
    expect(updates.at(-1)).toMatchObject({ append: false, lastChunk: true })
    expect(updatesOf([{ type: "start-step" }, end]).updates).toEqual([])
  })

  it("replace the text of an interrupted step", () => {
    const first = [...begin, textDelta("Kept."), call]
    const again = updatesOf([
      ...first,
      ...begin,
      textDelta("Half a "),
      textDelta("sen"),
      { type: "reset-step" },
      ...begin,
      textDelta("Whole."),
      end,
    ])
    expect(again.text).toBe("Kept.\n\nWhole.")
    expect(again.all).toBe(again.text)
    expect(
      updatesOf([...first, ...begin, { type: "reset-step" }, ...begin, textDelta("Whole."), end]).updates,
    ).not.toContainEqual(expect.objectContaining({ append: false, lastChunk: true }))
  })
})
