// Prompts of an editor: the updates of a reply, one prompt at a time, and the ends of a reply.

import { PROTOCOL_VERSION } from "@agentclientprotocol/sdk"
import { type Editor, startAcp } from "@holdpoint/testkit/holdpoint/acp/editor"
import { describe, expect, it } from "vitest"
import { deskAgents, secretOfTheModel } from "./desk-agents.ts"

const kinds = ({ updates }: Editor): readonly string[] => updates.map(({ update }) => update.sessionUpdate)

describe("an agent in an editor", () => {
  it("says who it is and what it can do", async () => {
    const server = await startAcp(deskAgents())
    const { agent } = await server.editor({}, "cleaner")
    const clientCapabilities = {}
    expect(await agent.request("initialize", { protocolVersion: PROTOCOL_VERSION, clientCapabilities })).toMatchObject({
      ...{ protocolVersion: 1, agentInfo: { name: "holdpoint-cleaner", title: "Cleaner" }, authMethods: [] },
      agentCapabilities: {
        loadSession: true,
        sessionCapabilities: { list: {}, resume: {} },
        promptCapabilities: { image: true, audio: false, embeddedContext: true },
        mcpCapabilities: { http: false, sse: false },
      },
    })
  })

  it("streams thoughts and text, and ends its turn", async () => {
    const server = await startAcp(deskAgents())
    const editor = await server.editor()
    const session = await editor.open()
    expect(await editor.prompt(session, "hello")).toEqual({ stopReason: "end_turn" })
    expect(editor.said(session)).toBe("You said: hello")
    expect(kinds(editor)).toContain("agent_thought_chunk")
  })

  it("shows a tool call from its arguments to its result, under an id that no other reply uses", async () => {
    const server = await startAcp(deskAgents())
    const editor = await server.editor()
    const session = await editor.open()
    await editor.prompt(session, "crash")
    await editor.prompt(session, "crash")
    const calls = editor.updates.map(({ update }) => update).filter((update) => "toolCallId" in update)
    expect(calls.map(({ sessionUpdate, toolCallId, status }) => [sessionUpdate, toolCallId, status])).toEqual(
      ["1.call-0-0", "2.call-0-0"].flatMap((id) => [
        ["tool_call", id, "pending"],
        ["tool_call_update", id, "in_progress"],
        ["tool_call_update", id, "failed"],
      ]),
    )
    expect(calls[1]).toMatchObject({ title: "crash", rawInput: {} })
    expect(calls[2]).toMatchObject({ content: [{ content: { text: "```text\nit broke\n```" } }] })
  })

  it("reads the files in a message, and the addresses of linked files", async () => {
    const server = await startAcp(deskAgents())
    const editor = await server.editor()
    const sessionId = await editor.open()
    const prompt = [
      { type: "text" as const, text: "Look at " },
      { type: "resource_link" as const, name: "a.ts", uri: "file:///a.ts" },
      { type: "resource" as const, resource: { uri: "file:///b.ts", text: "const b = 1" } },
    ]
    await editor.agent.request("session/prompt", { sessionId, prompt })
    for (const part of ["Look at ", "[a.ts](file:///a.ts)", '<file uri="file:///b.ts">\nconst b = 1\n</file>'])
      expect(editor.said()).toContain(part)
  })

  it("refuses a message without anything to read", async () => {
    const server = await startAcp(deskAgents())
    const editor = await server.editor()
    await expect(editor.prompt(await editor.open(), "")).rejects.toMatchObject({
      ...{ code: -32_602, message: expect.stringContaining("no text and no image") },
    })
  })

  it("reports that the model failed, without the message of its provider", async () => {
    const server = await startAcp(deskAgents())
    const editor = await server.editor()
    const session = await editor.open()
    const error = await editor.prompt(session, "fail").catch((one: unknown) => one)
    expect(error).toMatchObject({ code: -32_603, message: expect.stringMatching(/model/i) })
    expect(JSON.stringify([error, (error as Error).message, editor.updates])).not.toContain(secretOfTheModel)
    expect(await editor.prompt(session, "hello")).toEqual({ stopReason: "end_turn" })
  })

  it("ignores the MCP servers that the editor passes, and logs that they are not used", async () => {
    const server = await startAcp(deskAgents())
    const editor = await server.editor()
    const mcpServers = [{ name: "files", command: "files", args: [], env: [{ name: "TOKEN", value: "t" }] }]
    await editor.agent.request("session/new", { cwd: "/tmp", mcpServers })
    expect(server.notes).toEqual([expect.stringMatching(/^The editor passed 1 MCP server\. They are not used/)])
  })
})

describe("prompts", () => {
  it("are answered one at a time within a session, and concurrently across sessions", async () => {
    const server = await startAcp(deskAgents())
    const editor = await server.editor()
    const [first, second] = [await editor.open(), await editor.open()]
    const waiting = editor.prompt(first, "trip")
    const asked = await editor.nextElicitation()
    await expect(editor.prompt(first, "hello")).rejects.toMatchObject({
      message: expect.stringContaining("still in progress"),
    })
    expect(await editor.prompt(second, "hello")).toEqual({ stopReason: "end_turn" })
    asked.reply({ action: "accept", content: { where: "Oslo" } })
    expect(await waiting).toEqual({ stopReason: "end_turn" })
    expect(editor.said(first)).toContain("Oslo")
    expect(editor.said(second)).toBe("You said: hello")
  })

  it("are stopped while a tool works", async () => {
    const server = await startAcp(deskAgents())
    const editor = await server.editor()
    const sessionId = await editor.open()
    const replied = editor.prompt(sessionId, "wait")
    await editor.until((update) => update.sessionUpdate === "tool_call_update")
    await editor.agent.notify("session/cancel", { sessionId })
    expect(await replied).toEqual({ stopReason: "cancelled" })
    expect(editor.updates.at(-1)?.update).toMatchObject({ sessionUpdate: "tool_call_update", status: "failed" })
    expect(await editor.prompt(sessionId, "hello")).toEqual({ stopReason: "end_turn" })
  })

  it("are stopped while the person is asked: the question is withdrawn and ends", async () => {
    const server = await startAcp(deskAgents())
    const editor = await server.editor()
    const sessionId = await editor.open()
    const replied = editor.prompt(sessionId, "delete")
    const asked = await editor.nextPermission()
    const [question] = await server.openQuestions()
    await editor.agent.notify("session/cancel", { sessionId })
    expect(await replied).toEqual({ stopReason: "cancelled" })
    expect(asked.withdrawn.aborted).toBe(true)
    expect(await server.untilEnded(question)).toBe("cancelled")
  })

  it("are stopped when the editor cancels the request itself", async () => {
    const server = await startAcp(deskAgents())
    const editor = await server.editor()
    const sessionId = await editor.open()
    const cancelled = new AbortController()
    const prompt = [{ type: "text" as const, text: "wait" }]
    const replied = editor.agent.request(
      "session/prompt",
      { sessionId, prompt },
      { cancellationSignal: cancelled.signal },
    )
    await editor.until((update) => update.sessionUpdate === "tool_call_update")
    cancelled.abort()
    expect(await replied).toEqual({ stopReason: "cancelled" })
  })
})
