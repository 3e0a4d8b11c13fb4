// Two tools of the demo: one asks for the details of a trip with a form, and one books a train after an approval.

import { choice, choices, date, form, integer, text, yesNo } from "@holdpoint/hub"
import type { FunctionTool } from "../agents.ts"

const tripForm = form(
  {
    destination: text({ title: "Where to?", default: "Vienna", maxLength: 60 }),
    start: date({ title: "First day" }),
    days: integer({ title: "How many days?", minimum: 1, maximum: 30, default: 3 }),
    budget: choice({ low: "Keep it cheap", middle: "Something in between", high: "Treat us" }, { title: "Budget" }),
    interests: choices(
      { food: "Food", art: "Museums", nature: "Being outside", music: "Music" },
      { title: "What do you like?" },
    ),
    byTrain: yesNo({ title: "Travel by train", default: true }),
  },
  { optional: ["interests", "byTrain"] },
)

export const planTrip: FunctionTool = {
  title: "Plan a trip",
  description: "Asks the user for the details of a trip with a form, and returns them.",
  inputSchema: { type: "object", properties: {} },
  handle: (_input, ask) => ask.form("trip", "A few questions about your trip.", tripForm),
}

export const bookTrain: FunctionTool = {
  title: "Book a train",
  description: "Books seats on a train. In this demo nothing is really booked.",
  inputSchema: {
    type: "object",
    properties: {
      from: { type: "string" },
      to: { type: "string" },
      seats: { type: "integer", minimum: 1, maximum: 6 },
    },
    required: ["from", "to", "seats"],
    additionalProperties: false,
  },
  execute: ({ from, to, seats }: { from: string; to: string; seats: number }) => ({ booked: { from, to, seats } }),
}
