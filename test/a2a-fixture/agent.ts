// The agent of the fixture: an agent of this project whose model follows a script. The prefix of the message's id
// chooses the part of the script, as the official kit defines for the servers that it tests.

import { AsyncLocalStorage } from "node:async_hooks"
import type { AgentsConfig, ScriptedStep } from "@holdpoint/agents"
import { scriptedModel } from "@holdpoint/agents"
import { form, text } from "@holdpoint/hub"

/** The message id of the current request, for the run that the request starts. */
export const messageIds = new AsyncLocalStorage<string>()

/** How long the kit waits for an event of a stream. */
const streamMs = 2_000

const inputSchema = { type: "object", properties: {} }
const call = (tool: string): ScriptedStep => ({ calls: [{ tool, input: {} }] })

/** The script by the prefix of the message's id. The first matching entry is used. */
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
              const stop = (): void => {
                clearTimeout(timer)
                reject(signal.reason)
              }
              signal.addEventListener("abort", stop, { once: true })
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
