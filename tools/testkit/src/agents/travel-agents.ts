// An agent that asks for a destination and needs approval for deletions, and a fetch function for clients in this
// process.

import type { AgentsConfig } from "@holdpoint/agents"
import { scriptedModel } from "@holdpoint/agents"
import type { AgentsServer } from "./agents-server.ts"

const where = { type: "object", properties: { where: { type: "string" } }, required: ["where"] } as const

export const travelAgents: AgentsConfig = {
  agents: {
    helper: {
      model: scriptedModel(({ message, results, step }) => {
        if (step > 0) return { text: `I heard: ${JSON.stringify(results.map(({ output }) => output))}.` }
        if (message.includes("trip"))
          return { text: "One moment. ", calls: [{ tool: "plan_trip", input: { days: 3 } }] }
        if (message.includes("delete")) return { calls: [{ tool: "delete_note", input: { id: 7 } }] }
        return { text: `You said: ${message}` }
      }),
      tools: {
        plan_trip: {
          title: "Plan a trip",
          description: "Plans a trip",
          inputSchema: { type: "object", properties: { days: { type: "number" } } },
          handle: async ({ days }: { days: number }, ask) =>
            `${days} days in ${(await ask.form("where", "Where to?", where)).where}`,
        },
        delete_note: {
          description: "Deletes a note",
          inputSchema: { type: "object", properties: {} },
          execute: () => "gone",
        },
      },
      policies: { delete_note: "ask" },
    },
  },
}

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** A fetch function that calls this server directly. */
export const reach =
  (server: AgentsServer): Fetch =>
  (url, init) =>
    server.fetch(new Request(url, init))
