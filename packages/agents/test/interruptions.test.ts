// The words about a step that ended its process twice.

import { describe, expect, it } from "vitest"
import { givenUpWords } from "../src/interruptions.ts"

const model = { kind: "done", value: { calls: [{ tool: "read" }, { tool: "charge" }] } }

describe("the words about a step that was given up", () => {
  it("name each tool that has or may have done something, so that its effect is not repeated unchecked", () => {
    const entries = new Map<string, object>([
      ["once model 0", model],
      ["step 0 call 0 › once run", { kind: "done", value: "text" }],
      ["step 0 call 1 › once run", { kind: "started" }],
      ["step 0 call 1 › once other", { kind: "started" }],
    ])
    expect(givenUpWords({ entries })).toBe(
      "The server stopped 2 times while it worked on this step, so the step was given up. It is unknown whether “charge” was carried out: check that first. “read” was called before: check what it has done before it is called again. Send another message to continue.",
    )
  })

  it("name no tool when the model was at work", () => {
    expect(givenUpWords({ entries: new Map([["once model 1", { kind: "started" }]]) })).toBe(
      "The server stopped 2 times while it worked on this step, so the step was given up. Send another message to continue.",
    )
  })
})
