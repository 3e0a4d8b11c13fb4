// Answers to the questions of a conversation: repeated, early, late and invalid ones, and the heartbeat in between.

import { createEventStreams } from "@holdpoint/server/http"
import type { AgentsServer } from "@holdpoint/testkit/agents/agents-server"
import { answer, question, readStream, startAgents, textOf } from "@holdpoint/testkit/agents/agents-server"
import { goodKey, startGuardedServer } from "@holdpoint/testkit/agents/guarded-server"
import { describe, expect, it } from "vitest"
import type { AgentsConfig } from "../src/definition.ts"
import { scriptedModel } from "../src/scripted-model.ts"

const model = scriptedModel(({ step, tools, results }) =>
  step === 0 ? { calls: [{ tool: tools[0] ?? "", input: {} }] } : { text: `It said: ${String(results[0]?.output)}` },
)

const asking: AgentsConfig = {
  agents: {
    helper: {
      model,
      tools: {
        ask_where: {
          ...{ description: "Asks", inputSchema: { type: "object", properties: {} } },
          handle: async (_input: unknown, ask) => {
            const fields = { where: { type: "string", minLength: 3 } }
            const { where } = await ask.form("where", "Where to?", {
              ...{ type: "object", properties: fields, required: ["where"] },
            })
            return String(where)
          },
        },
      },
    },
  },
}

const statusOf = async (server: AgentsServer, id: string) => (await server.hub.get(id))?.status

describe("an answer to a link", () => {
  it("that accepts before or after the visit succeeds, and only the page completes the question", async () => {
    const notes = await startGuardedServer()
    const tools = [{ name: "list_notes", inputSchema: { type: "object" } }]
    const server = await startAgents(
      {
        agents: { helper: { model, mcpServers: ["notes"], policies: { "*": "always" } } },
        mcpServers: { notes: { url: notes.url, credentialScope: "user", provider: "notes", tools } },
      },
      { providers: [notes.provider], network: { allowLoopback: true } },
    )
    const stream = await server.say("c1", "list my notes")
    const { elicitationId } = await question(stream)
    const accept = async () => {
      const response = await answer(server, "c1", { elicitationId, action: "accept" })
      return [response.status, await response.json()]
    }
    expect(await accept()).toEqual([200, { elicitationId, status: "accepted", changed: true }])
    expect(await accept()).toEqual([200, { elicitationId, status: "accepted", changed: false }])
    expect([await statusOf(server, elicitationId), notes.calls]).toEqual(["accepted", []])
    const elicitation = await server.hub.get(elicitationId)
    if (elicitation === undefined || !("principal" in server.identity)) throw new Error("no question")
    const visitor = { principal: server.identity.principal, session: "session" }
    await server.vault.consent.enter(elicitation, visitor, { key: goodKey })
    expect(textOf(await stream.rest())).toBe("It said: Milk, Bread")
    expect(await accept()).toEqual([200, { elicitationId, status: "completed", changed: false }])
  })
})

describe("an answer to a form", () => {
  it("that does not fit is refused with what is wrong, and the question stays open", async () => {
    const server = await startAgents(asking)
    const stream = await server.say("c1", "go")
    const { elicitationId } = await question(stream)
    const refused = await answer(server, "c1", { elicitationId, action: "accept", content: { where: "X" } })
    expect(refused.status).toBe(422)
    expect(await refused.json()).toMatchObject({ code: "invalid_answer", problems: [{ path: "where" }] })
    expect(await statusOf(server, elicitationId)).toBe("pending")
    await answer(server, "c1", { elicitationId, action: "accept", content: { where: "Rome" } })
    expect(textOf(await stream.rest())).toBe("It said: Rome")
  })

  it("is taken as a part of a message, whose response is the rest of the reply", async () => {
    const server = await startAgents(asking)
    const stream = await server.say("c1", "go")
    const { elicitationId, event } = await question(stream)
    await stream.leave()
    const data = { elicitationId, action: "accept", content: { where: "Oslo" } }
    const messages = [{ id: "m2", role: "user", parts: [{ type: "data-elicitation-response", data }] }]
    const rest = await readStream(await server.post("/run/api/chat", { id: "c1", messages })).rest()
    expect(rest.map((chunk) => chunk.event).filter((number) => number !== undefined)[0]).toBe(event + 1)
    expect(textOf(rest)).toBe("It said: Oslo")
    const again = await answer(server, "c1", data)
    expect(await again.json()).toEqual({ elicitationId, status: "completed", changed: false })
  })

  it("that differs from the first is a conflict, which says how the question ended", async () => {
    const server = await startAgents(asking)
    const stream = await server.say("c1", "go")
    const { elicitationId } = await question(stream)
    await answer(server, "c1", { elicitationId, action: "accept", content: { where: "Rome" } })
    await stream.rest()
    const late = await answer(server, "c1", { elicitationId, action: "accept", content: { where: "Oslo" } })
    const detail = "The question was already answered."
    expect([late.status, await late.json()]).toMatchObject([409, { code: "already_settled", detail }])
  })
})

const freePlace = { release: () => {} }

describe("a stream that waits for a person", () => {
  it("sends a comment every fifteen seconds, from one timer for all streams, and none when it has ended", async () => {
    const timers: { readonly ms: number; readonly call: () => void }[] = []
    const after = (ms: number, call: () => void) => {
      timers.push({ ms, call })
      return () => {}
    }
    const streams = createEventStreams({ after })
    const { promise: gone, resolve: leave } = Promise.withResolvers<void>()
    async function* silent(): AsyncGenerator<string> {
      yield "data: {}\n\n"
      await gone
    }
    const readers = [1, 2].map(() => {
      const response = streams.respond(silent(), { leave: new AbortController(), place: freePlace })
      return (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader()
    })
    for (const reader of readers) expect((await reader.read()).value).toContain("data: {}")
    expect(timers.map(({ ms }) => ms)).toEqual([15_000])
    timers[0]?.call()
    for (const reader of readers) expect((await reader.read()).value).toBe(": keepalive\n\n")
    leave()
    for (const reader of readers) expect((await reader.read()).done).toBe(true)
    timers.at(-1)?.call()
    expect(timers).toHaveLength(2)
    streams.close()
  })

  it("stops reading its source when the client leaves between two events", async () => {
    const streams = createEventStreams({ after: () => () => {} })
    const { promise: ended, resolve } = Promise.withResolvers<string>()
    async function* events(): AsyncGenerator<string> {
      try {
        for (;;) yield "data: {}\n\n"
      } finally {
        resolve("ended")
      }
    }
    const reader = streams.respond(events(), { leave: new AbortController(), place: freePlace }).body?.getReader()
    await reader?.read()
    await reader?.cancel()
    expect(await Promise.race([ended, new Promise((later) => setImmediate(later, "still open"))])).toBe("ended")
  })
})
