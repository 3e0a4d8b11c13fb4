// A person who approves in the chat and then declines in the inbox: the No stops calls that have not begun, and nothing
// else in the reply.

import { setImmediate } from "node:timers/promises"
import { answer, question, startAgents, textOf } from "@holdpoint/testkit/agents/agents-server"
import { usually } from "@holdpoint/testkit/long"
import { expect, it } from "vitest"
import type { AgentsConfig } from "../src/definition.ts"
import { scriptedModel } from "../src/scripted-model.ts"

const config = (done: string[]): AgentsConfig => ({
  agents: {
    helper: {
      model: scriptedModel(({ step, results }) => {
        if (step === 0) return { calls: [{ tool: "transfer", input: {} }] }
        if (step === 1) return { calls: [{ tool: "note", input: {} }] }
        return { text: results.map(({ output }) => String(output)).join(" | ") }
      }),
      tools: {
        transfer: {
          ...{ description: "Transfers money", inputSchema: { type: "object", properties: {} } },
          handle: async (_input: unknown, ask) => {
            if (!(await ask.confirm("sure", "Transfer 100?"))) return "not sure"
            await ask.form("purpose", "What for?", { type: "object", properties: { purpose: { type: "string" } } })
            await ask.once("transferred", () => void done.push("transferred"))
            return "transferred"
          },
        },
        note: {
          ...{ description: "Notes it", inputSchema: { type: "object", properties: {} } },
          execute: () => {
            done.push("noted")
            return "noted"
          },
        },
      },
    },
  },
})

it("a No after the Yes stops the call, and the reply continues", async () => {
  const done: string[] = []
  const server = await startAgents(config(done))
  if (!("principal" in server.identity)) throw new Error("not local")
  const { principal } = server.identity
  const stream = await server.say("c1", "transfer")
  const sure = await question(stream)
  await answer(server, "c1", { elicitationId: sure.elicitationId, action: "accept", content: { confirmed: "yes" } })
  await question(stream)
  const purpose = await question(stream)
  expect(purpose.message).toBe("What for?")
  await server.hub.answer(sure.elicitationId, { by: principal, action: "decline", via: "inbox" })
  await answer(server, "c1", { elicitationId: purpose.elicitationId, action: "accept", content: { purpose: "rent" } })
  const replyText = textOf(await stream.rest())
  expect(replyText).toContain("took it back")
  expect(done).toEqual(["noted"])
})

/** A tool that runs for a moment, and the agent's words about what it returned. */
const paying = (done: Set<string>): AgentsConfig => ({
  agents: {
    helper: {
      model: scriptedModel(({ step, message, results }) =>
        step === 0
          ? { calls: [{ tool: "pay", input: { to: message } }] }
          : { text: `The tool says: ${String(results[0]?.output)}` },
      ),
      tools: {
        pay: {
          ...{ description: "Pays", inputSchema: { type: "object", properties: { to: { type: "string" } } } },
          execute: async ({ to }: { to: string }) => {
            done.add(to)
            for (let number = 0; number < 6; number++) await setImmediate()
            return `paid ${to}`
          },
        },
      },
      policies: { pay: "ask" },
    },
  },
})

/** How many turns of the event loop the No comes after the Yes, at most: a reply has ended by then. */
const mostTurns = 20

it("a No at any moment after the Yes never hides what was done", async () => {
  const done = new Set<string>()
  const server = await startAgents(paying(done))
  const replyTo = async (name: string, turns: number): Promise<string> => {
    const stream = await server.say(name, name)
    const { elicitationId } = await question(stream)
    const says = (action: string) => ({ elicitationId, conversationId: name, action, content: { confirmed: "yes" } })
    const yes = server.post("/run/api/elicitation-responses", says("accept"))
    for (let number = 0; number < turns; number++) await setImmediate()
    const no = server.post("/run/api/elicitation-responses", { ...says("decline"), content: undefined })
    await Promise.all([yes, no])
    return textOf(await stream.rest())
  }
  const tries = Array.from({ length: usually(40, { long: 600 }) }, (_, number) => `c${number}`)
  const untrue: string[] = []
  for (const [number, name] of tries.entries()) {
    const reply = await replyTo(name, number % mostTurns)
    const isTrue = done.has(name) ? reply.includes(`paid ${name}`) : /took it back|did not allow/.test(reply)
    if (!isTrue) untrue.push(`${name}, ${done.has(name) ? "done" : "not done"}: ${reply}`)
  }
  expect(untrue).toEqual([])
  expect(done.size).toBeGreaterThan(0)
})
