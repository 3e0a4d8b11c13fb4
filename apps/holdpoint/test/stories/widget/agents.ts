// The agents of the widget's stories. Each word in a person's message leads to another kind of question.

import type { AgentsConfig, FunctionTool, ScriptedTurn } from "@holdpoint/agents"
import { scriptedModel } from "@holdpoint/agents"
import { everyField } from "@holdpoint/testkit/server/web/samples"

const nothing = { type: "object", properties: {} } as const

/** The tool that the model calls for a word of the person's message. */
const calls = {
  trip: { tool: "plan_trip", input: {} },
  delete: { tool: "delete_note", input: { id: 7 } },
  edit: { tool: "write_note", input: { text: "Milk" } },
  pay: { tool: "pay", input: {} },
  field: { tool: "book", input: {} },
  quick: { tool: "decide", input: {} },
  manager: { tool: "manager", input: { task: "delete the note" } },
  break: { tool: "break", input: {} },
} as const

const richText = [
  "You have **three notes**, the newest first:",
  "",
  "1. Groceries: `milk`, bread",
  "2. Trip to Lyon, see https://example.com/trip.",
  "3. <b>Not bold</b>",
  "",
  "```",
  "const answer = 42 < 43",
  "```",
].join("\n")

export interface StoryParts {
  /** The actions of the tools. */
  readonly deeds: string[]
  /** The address of the page where people pay, by the id of the question. */
  readonly payPage: (id: string) => string
  /** How long a question of “quick” is open. */
  readonly quickMs: () => number
}

export function storyAgents({ deeds, payPage, quickMs }: StoryParts): AgentsConfig["agents"] {
  const model = scriptedModel(
    ({ message, step, results, prompt }) => {
      if (step > 0)
        return {
          text: `I heard: ${[...results.map(({ output }) => toText(output)), ...reasonsIn(prompt)].join(", ")}.`,
        }
      const call = Object.entries(calls).find(([word]) => message.includes(word))?.[1]
      if (call !== undefined) return { text: "One moment.", calls: [call] }
      if (message.includes("notes")) return { text: richText }
      if (message.includes("crash")) throw new Error("The model is out of order.")
      return { text: `You said: ${message}` }
    },
    { wordsPerSecond: 200 },
  )
  const tools: Readonly<Record<string, FunctionTool>> = {
    plan_trip: {
      ...{ description: "Plans a trip", inputSchema: nothing },
      handle: async (_: unknown, ask) => {
        const properties = { where: { type: "string", title: "City" } } as const
        const { where } = await ask.form("where", "Where to?", { type: "object", properties, required: ["where"] })
        return `to ${where}`
      },
    },
    book: {
      ...{ description: "Books a trip", inputSchema: nothing },
      handle: async (_: unknown, ask) =>
        JSON.stringify(await ask.form("details", "Check the details of the trip", everyField)),
    },
    pay: {
      ...{ description: "Pays", inputSchema: nothing },
      async handle(_: unknown, ask) {
        await ask.url("pay", "The hotel wants a deposit of 180 €.", payPage)
        return "it is paid"
      },
    },
    decide: {
      ...{ description: "Decides", inputSchema: nothing },
      handle: async (_: unknown, ask) =>
        (await ask.confirm("sure", "Shall I go on?", { yes: "Go on", no: "Leave it", lifetimeMs: quickMs() }))
          ? "yes"
          : "no",
    },
    delete_note: {
      description: "Deletes a note",
      inputSchema: { type: "object", properties: { id: { type: "number" } } },
      execute: ({ id }: { id: number }) => {
        deeds.push(`deleted ${id}`)
        return `note ${id} is gone`
      },
    },
    write_note: {
      description: "Writes a note",
      inputSchema: { type: "object", properties: { text: { type: "string" } } },
      execute: ({ text }: { text: string }) => {
        deeds.push(`wrote ${text}`)
        return `wrote ${text}`
      },
    },
    break: {
      ...{ description: "Fails", inputSchema: nothing },
      execute: () => {
        throw new Error("broken")
      },
    },
  }
  const policies = { delete_note: "ask", write_note: { policy: "ask", editable: true } } as const
  return {
    helper: { model, policies, tools, agents: ["manager"] },
    manager: {
      model,
      policies: { delete_note: "ask" },
      tools: { delete_note: tools.delete_note! },
      description: "Manages notes",
    },
  }
}

/** The reasons for refused calls in the model's prompt. */
const reasonsIn = (prompt: ScriptedTurn["prompt"]): readonly string[] =>
  prompt
    .flatMap((message) => (message.role === "tool" ? message.content : []))
    .flatMap((part) => ("output" in part && part.output.type === "execution-denied" ? [part.output.reason ?? ""] : []))

const toText = (output: unknown): string => (typeof output === "string" ? output : JSON.stringify(output))
