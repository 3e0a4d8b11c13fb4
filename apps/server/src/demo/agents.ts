// The agents of the demo: an assistant with the Nextcloud tools, a form and a second agent whose booking needs a yes.

import type { AgentsConfig } from "../agents/index.ts"
import { nextcloudTools, readAgents } from "../agents/index.ts"
import type { DemoModel } from "./model.ts"
import { bookTrain, planTrip } from "./trip.ts"

export function demoAgents({ assistant, travelDesk }: DemoModel, nextcloudUrl: string): AgentsConfig {
  return readAgents({
    agents: {
      assistant: {
        model: assistant,
        instructions:
          "You help with a person's notes and trips, in plain text without Markdown and in few words. Tools ask the person themselves for accounts, details and confirmations: call them without asking first. When a person says no, accept it.",
        mcpServers: ["nextcloud"],
        tools: { plan_trip: planTrip },
        agents: ["travel_desk"],
      },
      travel_desk: {
        model: travelDesk,
        description: "Books trains. The person is asked before anything is booked.",
        instructions: "You book trains with book_train, without asking first: the person approves each booking.",
        tools: { book_train: bookTrain },
        policies: { book_train: { policy: "ask", editable: true } },
      },
    },
    default: "assistant",
    mcpServers: { nextcloud: nextcloudTools({ url: nextcloudUrl }) },
  })
}
