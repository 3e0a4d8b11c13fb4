// Tools that request the client's model and folders, which only the MCP SDK can do. They keep their own state.

import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  createRequestStateCodec,
  type InputRequests,
  inputRequired,
  inputResponse,
  type McpServer,
  type ServerContext,
} from "@modelcontextprotocol/server"
import { z } from "zod"
import { text } from "../samples.ts"

/** The tools that create their own `requestState`. */
export const ownState: readonly string[] = ["test_input_required_result_multiple_inputs"]

const states = createRequestStateCodec<{ readonly asked: number }>({
  key: crypto.getRandomValues(new Uint8Array(32)),
})

export function registerDirect(server: McpServer): void {
  registerPushing(server)
  registerOneQuestion(server)
  server.registerTool(
    "test_input_required_result_multiple_inputs",
    { description: "Asks the person, the model and for the folders at once." },
    async (ctx) => {
      const missing = missingOf(questions, ctx)
      if (missing === undefined) {
        const state = ctx.mcpReq.requestState<string>()
        const { asked } = await states.verify(typeof state === "string" ? state : "", ctx)
        return text(`Answered all ${asked} questions.`)
      }
      const requestState = await states.mint({ asked: Object.keys(questions).length }, ctx)
      return inputRequired({ inputRequests: missing, requestState })
    },
  )
  server.registerTool(
    "test_input_required_result_capabilities",
    { description: "Asks whatever the client can answer." },
    (ctx) => {
      const missing = missingOf(within(capabilitiesOf(ctx)), ctx)
      return missing === undefined
        ? text("Answered all that you can be asked.")
        : inputRequired({ inputRequests: missing })
    },
  )
}

const questions: InputRequests = {
  user_name: inputRequired.elicit({ message: "What is your name?", requestedSchema: z.object({ name: z.string() }) }),
  greeting: complete("Generate a greeting", 50),
  client_roots: inputRequired.listRoots(),
}

function registerOneQuestion(server: McpServer): void {
  const single: Readonly<Record<string, InputRequests>> = {
    test_input_required_result_sampling: { capital_question: complete("What is the capital of France?", 100) },
    test_input_required_result_list_roots: { client_roots: inputRequired.listRoots() },
    // The SDK refuses requests for capabilities that the client did not declare.
    test_missing_capability: { question: complete("Can you be asked?", 10) },
  }
  for (const [tool, inputRequests] of Object.entries(single)) {
    server.registerTool(tool, { description: `Asks for ${Object.keys(inputRequests)}.` }, (ctx) =>
      missingOf(inputRequests, ctx) === undefined
        ? text(`Answered: ${JSON.stringify(ctx.mcpReq.inputResponses)}`)
        : inputRequired({ inputRequests }),
    )
  }
}

/** Registers tools for clients before 2026-07-28, to which the server itself sends requests. */
function registerPushing(server: McpServer): void {
  const inputSchema = z.object({ prompt: z.string().describe("What to ask the model") })
  server.registerTool("test_sampling", { description: "Asks the model.", inputSchema }, async ({ prompt }, ctx) => {
    const { content } = await ctx.mcpReq.requestSampling({
      messages: [{ role: "user", content: { type: "text", text: prompt } }],
      maxTokens: 100,
    })
    return text(`LLM response: ${"text" in content ? content.text : JSON.stringify(content)}`)
  })
}

function complete(prompt: string, maxTokens: number) {
  return inputRequired.createMessage({
    messages: [{ role: "user", content: { type: "text", text: prompt } }],
    maxTokens,
  })
}

/** The client's capabilities, which the SDK's types do not declare. */
function capabilitiesOf(ctx: ServerContext): ClientCapabilities {
  const envelope = ctx.mcpReq.envelope as { [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities } | undefined
  return envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? {}
}

function within(can: ClientCapabilities): InputRequests {
  const needs = { user_name: can.elicitation, greeting: can.sampling, client_roots: can.roots }
  return Object.fromEntries(Object.entries(questions).filter(([key]) => needs[key as keyof typeof needs] !== undefined))
}

function missingOf(asked: InputRequests, ctx: ServerContext): InputRequests | undefined {
  const missing = Object.entries(asked).filter(
    ([key]) => inputResponse(ctx.mcpReq.inputResponses, key).kind === "missing",
  )
  return missing.length === 0 ? undefined : Object.fromEntries(missing)
}
