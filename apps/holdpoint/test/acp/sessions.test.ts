// Sessions of editors: they are stored, and replayed when they are loaded. They survive the end of the editor and of
// the process.

import { createMemoryStorage, systemRuntime } from "@holdpoint/hub"
import { newKeys } from "@holdpoint/testkit/agents/agents-server"
import { type AcpServer, alice, choose, type Editor, startAcp } from "@holdpoint/testkit/holdpoint/acp/editor"
import { describe, expect, it } from "vitest"
import { deskAgents } from "./desk-agents.ts"

const load = ({ agent }: Editor, sessionId: string) =>
  agent.request("session/load", { sessionId, cwd: "/tmp", mcpServers: [] })

/** The updates of the sessions, one short line each. */
const summaryOf = ({ updates }: Editor): readonly string[] =>
  updates.map(({ update }) => {
    if ("content" in update && update.content !== null && !Array.isArray(update.content))
      return `${update.sessionUpdate}: ${update.content?.type === "text" ? update.content.text : update.content?.type}`
    return "toolCallId" in update
      ? `${update.sessionUpdate}: ${update.toolCallId} ${update.status}`
      : update.sessionUpdate
  })

async function untilReply(server: AcpServer, session: string, status: string): Promise<void> {
  const { conversations, asking } = server.runs
  const id = conversations.idOf(alice, session)
  await new Promise<void>((resolve) => {
    const check = async (): Promise<void> => {
      if ((await conversations.last({ id, tenant: "local" }))?.status === status) resolve()
    }
    asking.followers.followAll(() => void check())
    void check()
  })
}

describe("a session of an editor", () => {
  it("is replayed when it is loaded: messages, calls and text in their final state", async () => {
    const server = await startAcp(deskAgents())
    const editor = await server.editor()
    const session = await editor.open()
    await editor.prompt(session, "hello")
    const replied = editor.prompt(session, "delete")
    ;(await editor.nextPermission()).reply(choose("reject"))
    await replied
    const later = await server.editor()
    await load(later, session)
    expect(summaryOf(later)).toEqual([
      ...["user_message_chunk: hello", "agent_thought_chunk: Say it again.", "agent_message_chunk: You said: hello"],
      ...["user_message_chunk: delete", "agent_message_chunk: One moment. "],
      ...[
        "tool_call: 2.call-0-0 pending",
        "tool_call_update: 2.call-0-0 in_progress",
        "tool_call_update: 2.call-0-0 failed",
      ],
      expect.stringMatching(/^agent_message_chunk: Results: /),
    ])
    expect(later.asked).toEqual([])
    expect(await later.prompt(session, "hello")).toEqual({ stopReason: "end_turn" })
  })

  it("whose editor is closed keeps its question, and the reply continues with an answer from the inbox", async () => {
    const server = await startAcp(deskAgents())
    const editor = await server.editor()
    const session = await editor.open()
    editor.prompt(session, "trip").catch(() => {})
    await editor.nextElicitation()
    editor.leave()
    const [question] = await server.openQuestions()
    expect(question?.status).toBe("pending")
    await server.hub.answer(question?.id ?? "", { by: alice, action: "accept", content: { where: "Oslo" } })
    await untilReply(server, session, "done")
    const later = await server.editor()
    await load(later, session)
    expect(later.said()).toContain("3 days in Oslo")
    expect(server.problems).toEqual([])
  })

  it("asks again in the editor that loads it, even after a restart, and the reply continues there", async () => {
    const [storage, keys] = [createMemoryStorage(), newKeys()]
    const first = await startAcp(deskAgents(), { storage, keys })
    const editor = await first.editor()
    const session = await editor.open()
    editor.prompt(session, "page and trip").catch(() => {})
    await editor.nextElicitation()
    await editor.nextElicitation()
    await untilReply(first, session, "waiting")
    editor.leave()
    await first.close()

    const second = await startAcp(deskAgents(), { storage, keys, publicUrl: "http://127.0.0.1:4651" })
    const later = await second.editor()
    await load(later, session)
    const asked = [await later.nextElicitation(), await later.nextElicitation()]
    const form = asked.find(({ params }) => params.mode === "form")
    const link = asked.find(({ params }) => params.mode === "url")
    expect(link?.params).toMatchObject({ url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:4651\/visit\//) })
    form?.reply({ action: "accept", content: { where: "Oslo" } })
    link?.reply({ action: "decline" })
    await later.until(() => later.said().includes("3 days in Oslo"))
    await untilReply(second, session, "done")
    expect(await later.prompt(session, "hello")).toEqual({ stopReason: "end_turn" })
  })

  it("that two processes have open asks in both, and the first answer continues it in both", async () => {
    const [storage, keys] = [createMemoryStorage(), newKeys()]
    const [first, second] = [
      await startAcp(deskAgents(), { storage, keys }),
      await startAcp(deskAgents(), { storage, keys }),
    ]
    const [one, other] = [await first.editor(), await second.editor()]
    const session = await one.open()
    const replied = one.prompt(session, "trip")
    const asked = await one.nextElicitation()
    await load(other, session)
    ;(await other.nextElicitation()).reply({ action: "accept", content: { where: "Oslo" } })
    expect(await replied).toEqual({ stopReason: "end_turn" })
    expect(asked.withdrawn.aborted).toBe(true)
    await other.until(() => other.said().includes("3 days in Oslo"))
    expect(one.said()).toContain("3 days in Oslo")
    expect([...first.problems, ...second.problems]).toEqual([])
  })

  it("with an open question accepts the person's next message, and the question is cancelled", async () => {
    const done: string[] = []
    const server = await startAcp(deskAgents(done))
    const editor = await server.editor()
    const session = await editor.open()
    editor.prompt(session, "delete").catch(() => {})
    await editor.nextPermission()
    editor.leave()
    const later = await server.editor()
    await load(later, session)
    const again = await later.nextPermission()
    const [question] = await server.openQuestions()
    await expect(later.prompt(session, "")).rejects.toMatchObject({ message: expect.stringContaining("no text") })
    expect(again.withdrawn.aborted).toBe(false)
    expect(await later.prompt(session, "hello")).toEqual({ stopReason: "end_turn" })
    expect(again.withdrawn.aborted).toBe(true)
    expect(later.said()).toContain("You said: hello")
    expect(await server.untilEnded(question)).toBe("cancelled")
    expect(done).toEqual([])
  })

  it("is replayed and asks again when the same editor loads it again, but not while a prompt is under way", async () => {
    const server = await startAcp(deskAgents())
    const editor = await server.editor()
    const session = await editor.open()
    editor.prompt(session, "trip").catch(() => {})
    await editor.nextElicitation()
    await expect(load(editor, session)).rejects.toMatchObject({ message: expect.stringContaining("still in progress") })
    editor.leave()
    const later = await server.editor()
    await load(later, session)
    const first = await later.nextElicitation()
    await load(later, session)
    const second = await later.nextElicitation()
    expect([first.withdrawn.aborted, second.withdrawn.aborted]).toEqual([true, false])
    second.reply({ action: "accept", content: { where: "Oslo" } })
    await untilReply(server, session, "done")
    await later.until(() => later.said().includes("3 days in Oslo"))
    expect(later.said().split("3 days in Oslo")).toHaveLength(2)
  })

  it("that was loaded can be stopped", async () => {
    const server = await startAcp(deskAgents())
    const editor = await server.editor()
    const session = await editor.open()
    editor.prompt(session, "trip").catch(() => {})
    await editor.nextElicitation()
    editor.leave()
    const later = await server.editor()
    await load(later, session)
    await later.agent.notify("session/cancel", { sessionId: session })
    await untilReply(server, session, "stopped")
  })

  it("that an editor resumes sends only new updates", async () => {
    const server = await startAcp(deskAgents())
    const editor = await server.editor()
    const session = await editor.open()
    await editor.prompt(session, "hello")
    editor.prompt(session, "trip").catch(() => {})
    await editor.nextElicitation()
    editor.leave()
    const later = await server.editor()
    await later.agent.request("session/resume", { sessionId: session, cwd: "/tmp" })
    const { reply } = await later.nextElicitation()
    expect(later.updates).toEqual([])
    reply({ action: "accept", content: { where: "Oslo" } })
    await later.until(() => later.said().includes("3 days in Oslo"))
    expect(summaryOf(later)).toEqual([
      "tool_call_update: 2.call-0-0 completed",
      expect.stringMatching(/^agent_message_chunk: Results: /),
    ])
  })

  it("is listed only for its person and agent, latest first, titled with its first words", async () => {
    const clock = { aheadMs: 0 }
    const runtime = { ...systemRuntime, now: () => systemRuntime.now() + clock.aheadMs }
    const server = await startAcp(deskAgents(), { runtime })
    const editor = await server.editor()
    const [first, second] = [await editor.open(), await editor.open()]
    await editor.prompt(first, `first ${"x".repeat(100)}\nand more`)
    clock.aheadMs = 60_000
    await editor.prompt(second, "second")
    const { sessions, nextCursor } = await editor.agent.request("session/list", { cwd: "/project" })
    expect(nextCursor).toBeUndefined()
    expect(sessions).toMatchObject([
      { sessionId: second, cwd: "/project", title: "second" },
      { sessionId: first, cwd: "/project", title: `first ${"x".repeat(74)}…` },
    ])
    const [newer = 0, older = 0] = sessions.map(({ updatedAt }) => Date.parse(String(updatedAt)))
    expect(newer - older).toBeGreaterThanOrEqual(60_000)
    const others = [await server.editor({}, "cleaner"), await server.editor({}, "helper", { ...alice, subject: "bob" })]
    for (const { agent } of others) expect(await agent.request("session/list", {})).toEqual({ sessions: [] })
  })

  it("says when a reply was interrupted before it began, and accepts the next message", async () => {
    const server = await startAcp(deskAgents())
    const editor = await server.editor()
    const session = await editor.open()
    const message = { id: "", role: "user" as const, parts: [{ type: "text" as const, text: "lost" }] }
    // The state after a process died at this point: the reply is recorded, but no call carries it out.
    await server.runs.conversations.begin({ person: alice, name: session, agent: "helper", message, prompt: [] })
    const later = await server.editor()
    await load(later, session)
    expect(summaryOf(later)).toEqual([
      "user_message_chunk: lost",
      "agent_message_chunk: \n\nThe reply was cut off before its end. Check what was done before you send the message again.",
    ])
    expect(await later.prompt(session, "hello")).toEqual({ stopReason: "end_turn" })
  })

  it("is listed in pages of fifty", async () => {
    const server = await startAcp(deskAgents())
    const editor = await server.editor()
    for (let count = 0; count < 51; count++) await editor.prompt(await editor.open(), "hello")
    const { sessions, nextCursor } = await editor.agent.request("session/list", {})
    expect(sessions).toHaveLength(50)
    const rest = await editor.agent.request("session/list", { cursor: nextCursor ?? null })
    expect(rest.sessions).toHaveLength(1)
    expect(rest.nextCursor).toBeUndefined()
    expect(new Set([...sessions, ...rest.sessions].map(({ sessionId }) => sessionId)).size).toBe(51)
  })

  it("says when a reply failed or was stopped", async () => {
    const server = await startAcp(deskAgents())
    const editor = await server.editor()
    const session = await editor.open()
    await editor.prompt(session, "fail").catch(() => {})
    const replied = editor.prompt(session, "trip")
    await editor.nextElicitation()
    await editor.agent.notify("session/cancel", { sessionId: session })
    await replied
    const later = await server.editor()
    await load(later, session)
    expect(later.said()).toMatch(/model/i)
    expect(later.said().endsWith("*Stopped.*")).toBe(true)
  })
})
