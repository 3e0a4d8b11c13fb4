// The tools that ask a person, written once with `holdable` for clients of every revision.

import { isRefusal } from "@holdpoint/calls"
import { holdable } from "@holdpoint/mcp"
import type { McpServer } from "@modelcontextprotocol/server"
import { z } from "zod"
import { text } from "../samples.ts"
import { defaults, enums } from "./forms.ts"

const name = z.object({ name: z.string() })
const consent = z.object({ ok: z.boolean() })

export function registerAsking(server: McpServer): void {
  registerForms(server)
  registerRounds(server)
  server.registerPrompt(
    "test_input_required_result_prompt",
    { description: "Asks for its context." },
    holdable(async (ask) => {
      const { context } = await ask.form(
        "user_context",
        "What context should the prompt use?",
        z.object({ context: z.string() }),
      )
      return { messages: [{ role: "user", content: { type: "text", text: `Use this context: ${context}` } }] }
    }),
  )
}

/** Registers the tools that ask by form. Their results describe the person's answer. */
function registerForms(server: McpServer): void {
  const inputSchema = z.object({ message: z.string().describe("What to ask") })
  const user = z.object({ username: z.string().describe("Your name"), email: z.string().describe("Your address") })
  server.registerTool(
    "test_elicitation",
    { description: "Asks who you are.", inputSchema },
    holdable(async ({ message }, ask) => text(`User response: ${await answerOf(ask.form("user", message, user))}`)),
  )
  const forms = { test_elicitation_sep1034_defaults: defaults, test_elicitation_sep1330_enums: enums }
  for (const [tool, form] of Object.entries(forms)) {
    server.registerTool(
      tool,
      { description: `Asks for ${Object.keys(form.properties).join(", ")}.` },
      holdable(async (ask) => {
        const answer = await answerOf(ask.form("fields", "Please fill this in", form))
        return text(`Elicitation completed: ${answer}`)
      }),
    )
  }
}

function registerRounds(server: McpServer): void {
  for (const tool of ["test_input_required_result_elicitation", "test_streaming_elicitation"]) {
    server.registerTool(
      tool,
      { description: "Greets you by your name." },
      holdable(async (ask) => {
        const answer = await ask.form("user_name", "What is your name?", name)
        return text(`Hello, ${answer.name}!`)
      }),
    )
  }
  for (const tool of ["test_input_required_result_request_state", "test_input_required_result_tampered_state"]) {
    server.registerTool(
      tool,
      { description: "Goes on when you say so." },
      holdable(async (ask) => {
        const { ok } = await ask.form("confirm", "Please confirm", consent)
        return text(ok ? "state-ok" : "You did not confirm.")
      }),
    )
  }
  server.registerTool(
    "test_input_required_result_multi_round",
    { description: "Asks twice." },
    holdable(async (ask) => {
      const { name: who } = await ask.form("step1", "What is your name?", name)
      const { color } = await ask.form("step2", "What is your favourite colour?", z.object({ color: z.string() }))
      return text(`${who} likes ${color}.`)
    }),
  )
}

const actions: Readonly<Record<string, string>> = { declined: "decline", cancelled: "cancel" }

async function answerOf(answer: Promise<object>): Promise<string> {
  try {
    return `action=accept, content=${JSON.stringify(await answer)}`
  } catch (error) {
    const action = isRefusal(error) ? actions[error.outcome] : undefined
    if (action === undefined) throw error
    return `action=${action}`
  }
}
