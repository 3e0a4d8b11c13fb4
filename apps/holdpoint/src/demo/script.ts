// The replies of the scripted models in the demo. They answer the four requests of `requests`, and list these for any
// other message.

import type { LanguageModelV4 } from "@ai-sdk/provider"
import { type ScriptedStep, type ScriptedTurn, scriptedModel } from "../agents.ts"

/** The requests that the page suggests, in this order. */
export const requests = {
  notes: "List my notes",
  deletion: "Delete my oldest note",
  trip: "Plan a trip",
  desk: "Let another agent book a train",
} as const

/** The names of the two agents, in the configuration and on the page. */
export const [assistantName, travelDeskName] = ["Assistant", "Travel-desk"]

type Request = keyof typeof requests
type Script = (conversation: ScriptedTurn) => ScriptedStep

/** Words per second, like a fast model, so that people see the reply appear word by word. */
export const demoPace = 60

/** The model of the assistant. Without `wordsPerSecond`, a reply arrives as a whole. */
export const assistantModel = (wordsPerSecond?: number): LanguageModelV4 =>
  scriptedModel((conversation) => scripts[requestOf(conversation.message)](conversation), paceOption(wordsPerSecond))

/** The model of the travel desk, which the assistant calls. A person must approve its booking. */
export const travelDeskModel = (wordsPerSecond?: number): LanguageModelV4 =>
  scriptedModel(({ step, results }) => {
    if (step === 0) return { calls: [{ tool: "book_train", input: { from: "Berlin", to: "Vienna", seats: 2 } }] }
    const output = results.at(-1)?.output
    return { text: isBooking(output) ? `Booked: ${wordsOf(output.booked)}.` : `Not booked. I was told: “${output}”` }
  }, paceOption(wordsPerSecond))

const paceOption = (wordsPerSecond: number | undefined) => (wordsPerSecond === undefined ? {} : { wordsPerSecond })

function requestOf(message: string): Request | "unknown" {
  const exactMatch = (Object.keys(requests) as Request[]).find((name) => requests[name] === message.trim())
  return exactMatch ?? patterns.find(([pattern]) => pattern.test(message))?.[1] ?? "unknown"
}

/** Patterns that recognise the same requests in other words. The first match counts. */
const patterns: readonly (readonly [RegExp, Request])[] = [
  [/\b(delete|remove)\b/i, "deletion"],
  [/\bnotes?\b/i, "notes"],
  [/\b(book|train|desk|agent)\b/i, "desk"],
  [/\b(trip|travel|plan|holiday)\b/i, "trip"],
]

const scripts: Readonly<Record<Request | "unknown", Script>> = {
  notes({ step, results }) {
    if (step === 0) return { text: "I will look in your Nextcloud. ", calls: [listCall] }
    const output = results.at(-1)?.output
    return { text: isListing(output) ? listOf(output.notes) : refusedText("I have not read your notes.", output) }
  },
  deletion({ step, results }) {
    if (step === 0) return { text: "I will look for your oldest note. ", calls: [listCall] }
    const output = results.at(-1)?.output
    if (step === 1) {
      if (!isListing(output)) return { text: refusedText("I have not read your notes.", output) }
      const oldest = output.notes.at(-1)
      if (oldest === undefined) return { text: "You have no notes." }
      const call = { tool: "nc_notes_delete_note", input: { note_id: oldest.id } }
      return { text: `It is “${oldest.title}”. You will be asked before it is deleted. `, calls: [call] }
    }
    return {
      text: isDeletion(output) ? `Deleted: ${output.deleted}.` : refusedText("The note is still there.", output),
    }
  },
  trip({ step, results }) {
    if (step === 0) return { text: "I need to know a few things first. ", calls: [{ tool: "plan_trip", input: {} }] }
    const output = results.at(-1)?.output
    return { text: isTrip(output) ? planOf(output) : refusedText("I have not planned a trip.", output) }
  },
  desk({ step, results }) {
    const task = "Book two seats from Berlin to Vienna."
    if (step === 0)
      return { text: "I will pass this to the travel desk. ", calls: [{ tool: travelDeskName, input: { task } }] }
    return { text: `The travel desk says: ${results.at(-1)?.output}` }
  },
  unknown: () => ({
    text: `I am a script, not a real model, and know four requests: ${Object.values(requests)
      .map((words) => `“${words}”`)
      .join(", ")}. Which one do you want to see?`,
  }),
}

const listCall = { tool: "nc_notes_list_notes", input: {} }

interface Note {
  readonly id: number
  readonly title: string
  readonly category?: string
}

interface Trip {
  readonly destination: string
  readonly start: string
  readonly days: number
  readonly budget: keyof typeof hotels
  readonly interests?: readonly string[]
  readonly byTrain?: boolean
}

const has = (value: unknown, name: string): boolean => typeof value === "object" && value !== null && name in value
const isListing = (value: unknown): value is { readonly notes: readonly Note[] } => has(value, "notes")
const isDeletion = (value: unknown): value is { readonly deleted: string } => has(value, "deleted")
const isTrip = (value: unknown): value is Trip => has(value, "destination")
const isBooking = (value: unknown): value is { readonly booked: Booking } => has(value, "booked")

interface Booking {
  readonly from: string
  readonly to: string
  readonly seats: number
}

const wordsOf = ({ from, to, seats }: Booking): string =>
  `${seats} ${seats === 1 ? "seat" : "seats"} from ${from} to ${to}`

const listOf = (notes: readonly Note[]): string =>
  [`You have ${notes.length} notes:`, ...notes.map(({ title, category }) => noteLine(title, category))].join("\n")

const noteLine = (title: string, category: string | undefined): string =>
  category === undefined || category === "" ? `• ${title}` : `• ${title} (${category})`

const hotels = { low: "a hostel", middle: "a small hotel", high: "a grand hotel" }

function planOf({ destination, start, days, budget, interests = [], byTrain = false }: Trip): string {
  const likes = interests.length === 0 ? "whatever comes along" : interests.join(", ")
  const transport = byTrain ? "by train" : "in your own way"
  return `${destination}, ${days} ${days === 1 ? "day" : "days"} from ${start}: you go ${transport}, stay in ${hotels[budget]}, and there is time for ${likes}.`
}

/** The reply after a refusal. Quotes the result that the model got, which contains the reason that the person gave. */
const refusedText = (words: string, output: unknown): string => `${words} This is what I was told: “${output}”`
