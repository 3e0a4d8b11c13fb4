// The agents of the widget's stories. Each thing that a person can write leads to another kind of question.

import type { AgentsConfig } from "../../../src/agents/definition.ts"
import { scriptedModel } from "../../../src/agents/scripted-model.ts"

const nothing = { type: "object", properties: {} } as const

/** `deeds` are told what the tools did. */
export function storyAgents(deeds: string[]): AgentsConfig["agents"] {
  const model = scriptedModel(({ message, step, results }) => {
    if (step > 0) return { text: `I heard: ${results.map(({ output }) => String(output)).join(", ")}.` }
    if (message.includes("trip")) return { text: "One moment.", calls: [{ tool: "plan_trip", input: {} }] }
    if (message.includes("delete")) return { text: "Let me see.", calls: [{ tool: "delete_note", input: { id: 7 } }] }
    return { text: `You said: ${message}` }
  })
  return {
    helper: {
      model,
      policies: { delete_note: "ask" },
      tools: {
        plan_trip: {
          ...{ description: "Plans a trip", inputSchema: nothing },
          handle: async (_: unknown, ask) => {
            const properties = { where: { type: "string" } } as const
            const { where } = await ask.form("where", "Where to?", { type: "object", properties, required: ["where"] })
            return `to ${where}`
          },
        },
        delete_note: {
          description: "Deletes a note",
          inputSchema: { type: "object", properties: { id: { type: "number" } } },
          execute: ({ id }: { id: number }) => {
            deeds.push(`deleted ${id}`)
            return `note ${id} is gone`
          },
        },
      },
    },
  }
}
