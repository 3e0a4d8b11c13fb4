// An agent that asks in every way, for tests: the first word of the message names the tools that it calls, and the
// reply repeats their results.

import type { AgentsConfig, FunctionTool } from "@holdpoint/agents"
import { scriptedModel } from "@holdpoint/agents"
import { choices, form, integer, text, yesNo } from "@holdpoint/hub"

const inputSchema = { type: "object", properties: {} }

/** `done` lists the actions of the tools, `steps` counts the steps of the model. */
export interface Deeds {
  readonly done: string[]
  steps: number
}

export const noDeeds = (): Deeds => ({ done: [], steps: 0 })

export function askingAgents(deeds: Deeds = noDeeds()): AgentsConfig {
  const model = scriptedModel(({ message, results, step }) => {
    deeds.steps += 1
    if (message === "fail") throw new Error("a secret of the provider")
    const [tools = ""] = message.split(" ")
    const named = tools.split("+").filter((tool) => tool in helperTools)
    if (step === 0 && named.length > 0)
      return { text: "One moment. ", calls: named.map((tool) => ({ tool, input: {} })) }
    if (named.length === 0) return { text: `You said: ${message}` }
    return { text: `I heard: ${results.map(({ output }) => String(output)).join(", ")}.` }
  })
  const helperTools: Readonly<Record<string, FunctionTool>> = {
    name: asks(async (ask) => (await ask.form("name", "Who are you?", form({ name: text() }))).name),
    city: asks((ask) => ask.choice("city", "Which city?", { rome: "Rome, Italy", oslo: "Oslo, Norway" })),
    days: asks(
      async (ask) => (await ask.form("days", "How many?", form({ n: integer({ minimum: 1, maximum: 9 }) }))).n,
    ),
    sure: asks(
      async (ask) => (await ask.form("sure", "I agree.", form({ agreed: yesNo({ title: "Agreed" }) }))).agreed,
    ),
    colours: asks(async (ask) =>
      (await ask.form("colours", "Which?", form({ list: choices(["red", "green", "blue"]) }))).list.join("/"),
    ),
    address: asks(async (ask) => {
      const { street, town } = await ask.form("address", "Where do you live?", form({ street: text(), town: text() }))
      return `${street} in ${town}`
    }),
    plan: asks(async (ask) => {
      const first = await ask.choice("first", "Which first?", ["a", "b"])
      return `${first} then ${await ask.choice("second", "Which second?", ["a", "b"])}`
    }),
    pay: asks(async (ask) => {
      await ask.url("pay", "Please pay.", "https://pay.example/orders/42")
      return "paid"
    }),
    remove: {
      ...{ description: "Removes it", inputSchema },
      execute: () => {
        deeds.done.push("removed")
        return "removed"
      },
    },
    wait: {
      ...{ description: "Works until it is stopped", inputSchema },
      execute: (_input: never, { signal }) =>
        new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    },
  }
  return {
    agents: {
      helper: { model, tools: helperTools, policies: { remove: "ask" }, title: "Helper", description: "Asks a lot" },
      other: { model: scriptedModel(() => ({ text: "I am another." })) },
    },
  }
}

type Handle = Extract<FunctionTool, { readonly handle: unknown }>["handle"]

const asks = (handle: (ask: Parameters<Handle>[1]) => Promise<unknown>): FunctionTool => ({
  ...{ description: "Asks", inputSchema, handle: (_input: never, ask) => handle(ask) },
})
