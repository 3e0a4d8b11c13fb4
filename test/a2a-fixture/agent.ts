// The agent of the fixture: an agent of this project whose model follows a script. Which part of the script it plays is
// said by the beginning of the message's id, as the official kit agrees it with the servers that it tests.

import { AsyncLocalStorage } from "node:async_hooks"
import { form, text } from "@holdpoint/sdk"
import type { AgentsConfig, ScriptedStep } from "holdpoint/agents"
import { scriptedModel } from "holdpoint/agents"

/** The id of the message that a request brings, for the run that it begins. */
export const messageIds = new AsyncLocalStorage<string>()

/** How long the kit waits for an event of a stream. */
const streamMs = 2_000

const inputSchema = { type: "object", properties: {} }
const call = (tool: string): ScriptedStep => ({ calls: [{ tool, input: {} }] })

/** The first entry whose prefix fits is played. */
const script: readonly (readonly [prefix: string, first: ScriptedStep])[] = [
  ["tck-input-required", call("ask")],
  ["tck-auth-required", call("authorize")],
  ["tck-reject-task", call("refuse")],
  ["tck-delayed-complete", call("work")],
  ["test-resubscribe-message-id", call("work")],
  ["tck-test-resubscribe-message-id", call("work")],
  ["tck-stream-artifact-chunked", { text: "chunk-1 chunk-2" }],
  ["tck-stream-", { text: "Streamed text content" }],
  ["tck-artifact-", { text: "Generated text content" }],
]

const model = scriptedModel(({ step }) => {
  if (step > 0) return { text: "Done." }
  const id = messageIds.getStore() ?? ""
  return script.find(([prefix]) => id.startsWith(prefix))?.[1] ?? { text: "Hello from TCK" }
})

export const fixtureAgents: AgentsConfig = {
  agents: {
    tck: {
      ...{ model, title: "TCK", description: "Does what the official kit of A2A asks for" },
      tools: {
        ask: {
          ...{ description: "Asks for an input", inputSchema },
          handle: async (_input: never, ask) =>
            (await ask.form("input", "What shall I do?", form({ what: text() }))).what,
        },
        authorize: {
          ...{ description: "Asks for an authorization out of band", inputSchema },
          handle: async (_input: never, ask) => {
            await ask.url("authorize", "Allow this at your bank.", "https://bank.example/allow")
            return "allowed"
          },
        },
        work: {
          ...{ description: "Works for a while", inputSchema },
          execute: async (_input: never, { signal }) => {
            await new Promise<void>((resolve, reject) => {
              const timer = setTimeout(resolve, 2 * streamMs)
              signal.addEventListener("abort", () => (clearTimeout(timer), reject(signal.reason)), { once: true })
            })
            return "worked"
          },
        },
        refuse: {
          ...{ description: "Refuses", inputSchema },
          execute: () => {
            throw new Error("rejected")
          },
        },
      },
    },
  },
}
