// The configuration of docs/a2a.md: an agent that asks one question and has one call approved.

// #region config
import type { AgentsConfig } from "@holdpoint/agents"
import { scriptedModel } from "@holdpoint/agents"

const agents: AgentsConfig = {
  agents: {
    travel: {
      title: "Travel desk",
      description: "Plans trips, and books them once you have agreed",
      model: scriptedModel(({ step, results }) => {
        if (step === 0) return { text: "One moment. ", calls: [{ tool: "choose_city", input: {} }] }
        if (step === 1) return { calls: [{ tool: "book_trip", input: { city: results[0]?.output } }] }
        return { text: `Booked: ${results[0]?.output}.` }
      }),
      tools: {
        choose_city: {
          description: "Asks for the city",
          inputSchema: { type: "object", properties: {} },
          handle: (_input, ask) => ask.choice("city", "Which city?", { rome: "Rome, Italy", oslo: "Oslo, Norway" }),
        },
        book_trip: {
          description: "Books the trip",
          inputSchema: { type: "object", properties: { city: { type: "string" } } },
          execute: () => "booked",
        },
      },
      policies: { book_trip: "ask" },
    },
  },
}

export default { agents }
// #endregion
