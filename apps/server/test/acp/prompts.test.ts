// Sessions and prompts of an editor: what is streamed, how a reply ends, and what is told again.

import { describe, expect, it } from "vitest"
import { travelAgents } from "../agents/travel-agents.ts"
import { startAcp } from "./editor.ts"

describe("an agent in an editor", () => {
  it("says what it can do, and answers a prompt", async () => {
    const server = await startAcp(travelAgents)
    const editor = await server.editor()
    const session = await editor.open()
    expect(await editor.prompt(session, "hello")).toEqual({ stopReason: "end_turn" })
    expect(editor.said(session)).toBe("You said: hello")
  })

  it("asks a form in the editor and goes on with its answer", async () => {
    const server = await startAcp(travelAgents)
    const editor = await server.editor()
    const session = await editor.open()
    const replied = editor.prompt(session, "plan a trip")
    const asked = await editor.nextElicitation()
    expect(asked.params).toMatchObject({
      ...{ mode: "form", sessionId: session, toolCallId: expect.any(String), message: "Where to?" },
      requestedSchema: { properties: { where: { type: "string" } }, required: ["where"] },
    })
    asked.reply({ action: "accept", content: { where: "Oslo" } })
    expect(await replied).toEqual({ stopReason: "end_turn" })
    expect(editor.said(session)).toContain("3 days in Oslo")
    expect(server.problems).toEqual([])
  })
})
