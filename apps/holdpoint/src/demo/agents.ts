// The agents of the demo: an assistant with the Nextcloud tools and a form, and a travel desk whose bookings need
// approval.

import type { AgentsConfig } from "../agents.ts"
import { nextcloudTools, readAgents } from "../agents.ts"
import type { DemoModel } from "./model.ts"
import { assistantName, travelDeskName } from "./script.ts"
import { bookTrain, planTrip } from "./trip.ts"

export interface DemoAgents {
  readonly model: DemoModel
  readonly nextcloudUrl: string
  readonly questionMs?: number | undefined
}

export function demoAgents({ model, nextcloudUrl, questionMs }: DemoAgents): AgentsConfig {
  const { assistant, travelDesk } = model
  return readAgents({
    agents: {
      [assistantName]: {
        model: assistant,
        title: "The assistant",
        instructions:
          "You help with a person's notes and trips, in plain text without Markdown and in few words. Tools ask the person themselves for accounts, details and confirmations: call them without asking first. When a person says no, accept it.",
        mcpServers: ["nextcloud"],
        tools: { plan_trip: planTrip },
        agents: [travelDeskName],
      },
      [travelDeskName]: {
        model: travelDesk,
        title: "The travel desk",
        description: "Books trains. The person is asked before anything is booked.",
        instructions: "You book trains with book_train, without asking first: the person approves each booking.",
        tools: { book_train: bookTrain },
        policies: { book_train: "ask" },
      },
    },
    default: assistantName,
    ...(questionMs === undefined ? {} : { questionMs }),
    mcpServers: { nextcloud: nextcloudTools({ url: nextcloudUrl }) },
  })
}
