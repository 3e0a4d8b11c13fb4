// Agents that call agents: the questions of a sub-agent reach the person with its name, and the answers reach the
// sub-agent.

import { answer, question, startAgents, textOf } from "@holdpoint/testkit/agents/agents-server"
import { describe, expect, it } from "vitest"
import type { AgentConfig, AgentsConfig } from "../src/definition.ts"
import { scriptedModel } from "../src/scripted-model.ts"

/** An agent that passes each part of its task on to the agent below. */
const passOn = (below: string): AgentConfig => ({
  agents: [below],
  model: scriptedModel(({ message, step, results }) => {
    if (step > 0) return { text: results.map(({ output }) => String(output)).join(" | ") }
    return { calls: message.split(" and ").map((task) => ({ tool: below, input: { task } })) }
  }),
})

function threeDeep(done: string[]): AgentsConfig["agents"] {
  return {
    chief: passOn("manager"),
    manager: passOn("worker"),
    worker: {
      model: scriptedModel(({ message, step, results }) =>
        step > 0 ? { text: String(results[0]?.output) } : { calls: [{ tool: "paint", input: { what: message } }] },
      ),
      tools: {
        paint: {
          description: "Paints",
          inputSchema: { type: "object", properties: { what: { type: "string" } } },
          handle: async ({ what }: { what: string }, ask) => {
            const properties = { colour: { type: "string" } } as const
            const schema = { type: "object", properties, required: ["colour"] } as const
            const { colour } = await ask.form("colour", `Which colour for ${what}?`, schema)
            await ask.once("painted", () => void done.push(`${what} ${colour}`))
            return `${what} is ${colour}`
          },
        },
      },
    },
  }
}

describe("an agent three levels down", () => {
  it("asks in the conversation's stream, says who it is, and gets the answer", async () => {
    const done: string[] = []
    const server = await startAgents({ agents: threeDeep(done), default: "chief" })
    const stream = await server.say("c1", "the door")
    const { elicitationId, message, context } = await question(stream)
    expect(message).toBe("Which colour for the door?")
    expect(context).toMatchObject({ agent: "manager › worker", toolName: "paint" })
    await answer(server, "c1", { elicitationId, action: "accept", content: { colour: "red" } })
    expect(textOf(await stream.rest())).toBe("the door is red")
    expect(done).toEqual(["the door red"])
  })

  it("and another one ask at the same time, and each gets its own answer", async () => {
    const done: string[] = []
    const server = await startAgents({ agents: threeDeep(done), default: "chief" })
    const stream = await server.say("c1", "the door and the wall")
    const asked = [await question(stream), await question(stream)]
    const idOf = (what: string): string => asked.find(({ message }) => message.includes(what))?.elicitationId ?? ""
    await answer(server, "c1", { elicitationId: idOf("wall"), action: "accept", content: { colour: "white" } })
    await expect.poll(() => done).toEqual(["the wall white"])
    await answer(server, "c1", { elicitationId: idOf("door"), action: "accept", content: { colour: "red" } })
    expect(textOf(await stream.rest())).toBe("the door is red | the wall is white")
    expect(done).toEqual(["the wall white", "the door red"])
  })

  it("does not ask again in the same reply for a refused call, even when another agent calls it again", async () => {
    const retry = (tool: string, input: object) =>
      scriptedModel(({ step }) => (step < 2 ? { calls: [{ tool, input }] } : { text: "I give up." }))
    const erase = {
      ...{ description: "Erases", inputSchema: { type: "object", properties: {} } },
      execute: () => "erased",
    }
    const server = await startAgents({
      default: "chief",
      agents: {
        chief: { model: retry("worker", { task: "erase" }), agents: ["worker"] },
        worker: { model: retry("erase", {}), tools: { erase }, policies: { erase: "ask" } },
      },
    })
    const stream = await server.say("c1", "erase")
    const { elicitationId, context, message } = await question(stream)
    expect(context).toMatchObject({ agent: "worker", trigger: "approval" })
    expect(message).toContain("worker wants to run “erase”")
    await answer(server, "c1", { elicitationId, action: "decline" })
    await stream.rest()
    expect(await server.hub.list({ tenant: "local", state: "all", limit: 10 })).toHaveLength(1)
  })
})
