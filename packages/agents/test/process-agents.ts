// The configuration of agents in separate processes that tests kill. The agents record their actions in a file, and an
// environment variable selects the point at which they hang.

import { appendFileSync, readFileSync } from "node:fs"
import { createMcp, holdable } from "@holdpoint/mcp"
import { McpServer } from "@modelcontextprotocol/server"
import { z } from "zod"
import type { AgentsConfig } from "../src/definition.ts"
import { scriptedModel } from "../src/scripted-model.ts"

const { AGENTS_DEEDS: deeds = "", AGENTS_HANG: hangsAt = "", AGENTS_WORDS_PER_SECOND: pace } = process.env

const { AGENTS_TRANSLATOR: translator } = process.env

const note = (deed: string): void => appendFileSync(deeds, `${deed}\n`)

/** Records an action, and hangs if the environment selects this action. */
async function at(deed: string): Promise<void> {
  note(deed)
  if (hangsAt === deed) await new Promise(() => {})
}

const options = pace === undefined ? {} : { wordsPerSecond: Number(pace) }

const helper = scriptedModel(async ({ message, step, results }) => {
  await at(`model ${step}`)
  const heard = results.map(({ output }) => String(output)).join(" and ")
  if (step > 0) return { text: `I heard: ${heard}.` }
  if (message.includes("story")) return { text: story }
  const trip = { tool: "plan_trip", input: { days: 3 } }
  if (message.includes("trip")) return { text: "One moment. ", calls: [{ tool: "book", input: {} }, trip] }
  if (message.includes("translate")) return { calls: [{ tool: "translator", input: { task: "Translate: bread" } }] }
  if (message.includes("charge")) return { calls: [{ tool: "charge", input: {} }] }
  if (message.includes("delete")) return { calls: [{ tool: "delete", input: { id: newNote() } }] }
  if (message.includes("reserve")) return { calls: [{ tool: "reserve", input: {} }] }
  if (message.includes("ask below")) return { calls: [{ tool: "manager", input: { task: "ask below" } }] }
  return { text: `You said: ${message}` }
}, options)

export const story = Array.from({ length: 20 }, (_, index) => `word${index} `).join("")

/** A different note for each model step, because real models do not repeat themselves exactly. */
const newNote = (): number =>
  readFileSync(deeds, "utf8")
    .split("\n")
    .filter((line) => line === "model 0").length

/** Passes its task on to the agent below. */
const passOn = (below: string) =>
  scriptedModel(({ message, step, results }) =>
    step > 0
      ? { text: `From ${below}: ${String(results[0]?.output)}` }
      : { calls: [{ tool: below, input: { task: message } }] },
  )

const noArguments = { type: "object", properties: {} }

/** A remote agent that the test runs. */
const remote: Pick<AgentsConfig, "a2aAgents"> =
  translator === undefined ? {} : { a2aAgents: { translator: { url: translator, credentialScope: "none" } } }

/** A server in the process of the agents, whose tool asks by itself. */
function createDesk(): McpServer {
  const server = new McpServer({ name: "desk", version: "1" })
  server.registerTool(
    "reserve",
    { description: "Reserves a table", inputSchema: z.object({}) },
    holdable(async (_: object, ask) => {
      if (!(await ask.confirm("sure", "Reserve a table?"))) return { content: [{ type: "text", text: "no table" }] }
      await ask.once("reserved", () => note("reserved"))
      return { content: [{ type: "text", text: "a table" }] }
    }),
  )
  return server
}

const agents: AgentsConfig = {
  default: "helper",
  ...remote,
  mcpServers: {
    desk: {
      credentialScope: "none",
      mcp: (site) => createMcp({ ...site, name: "desk", callers: "anonymous", server: createDesk }),
    },
  },
  agents: {
    helper: {
      model: helper,
      agents: ["manager"],
      a2aAgents: Object.keys(remote.a2aAgents ?? {}),
      mcpServers: ["desk"],
      tools: {
        book: { description: "Books", inputSchema: noArguments, execute: () => note("booked") ?? "booked" },
        charge: {
          ...{ description: "Charges a card", inputSchema: noArguments },
          execute: async () => {
            await at("charged")
            return "charged"
          },
        },
        delete: {
          description: "Deletes a note",
          inputSchema: { type: "object", properties: { id: { type: "number" } } },
          execute: ({ id }: { id: number }) => note(`deleted ${id}`) ?? `note ${id} is gone`,
        },
        plan_trip: {
          description: "Plans a trip",
          inputSchema: { type: "object", properties: { days: { type: "number" } } },
          handle: async ({ days }: { days: number }, ask) => {
            const { where } = await ask.form("where", "Where to?", {
              ...{ type: "object", properties: { where: { type: "string" } }, required: ["where"] },
            })
            return `${days} days in ${where}`
          },
        },
      },
      policies: { delete: "ask", "*": "always" },
    },
    manager: { model: passOn("worker"), agents: ["worker"] },
    worker: {
      model: scriptedModel(async ({ step, results }) => {
        note(`worker ${step}`)
        return step > 0 ? { text: String(results[0]?.output) } : { calls: [{ tool: "dig", input: {} }] }
      }),
      tools: {
        dig: {
          ...{ description: "Digs", inputSchema: noArguments },
          handle: async (_: unknown, ask) => {
            await ask.once("shovel", () => note("fetched the shovel"))
            return (await ask.confirm("deep", "Dig deep?")) ? "a deep hole" : "a shallow hole"
          },
        },
      },
    },
  },
}

export default { agents }
