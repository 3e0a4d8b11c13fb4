// A person who approves in the chat and then declines in the inbox: the No stops calls that have not begun, and nothing
// else in the reply.

import { expect, it } from "vitest"
import type { AgentsConfig } from "../../src/agents/definition.ts"
import { scriptedModel } from "../../src/agents/scripted-model.ts"
import { answer, question, startAgents, textOf } from "./agents-server.ts"

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
