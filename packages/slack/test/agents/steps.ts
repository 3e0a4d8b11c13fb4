// An agent that sends several texts. Between two texts it calls a tool that waits until the test allows the next text.

import type { AgentsConfig } from "@holdpoint/agents"
import { scriptedModel } from "@holdpoint/agents"

export interface Steps {
  readonly config: AgentsConfig
  /** Lets the agent send the next text. */
  next(): void
}

export function createSteps(texts: readonly string[]): Steps {
  let allowed = 0
  const waiting = new Map<number, () => void>()
  const stepAllowed = (step: number): Promise<void> =>
    step < allowed ? Promise.resolve() : new Promise((resolve) => void waiting.set(step, resolve))
  const model = scriptedModel(({ step }) => ({
    text: texts[step] ?? "",
    calls: step < texts.length - 1 ? [{ tool: "wait", input: { step } }] : [],
  }))
  return {
    config: {
      agents: {
        helper: {
          model,
          tools: {
            wait: {
              description: "Waits",
              inputSchema: { type: "object", properties: { step: { type: "number" } } },
              repeatable: true,
              execute: ({ step }: { step: number }) => stepAllowed(step),
            },
          },
        },
      },
    },
    next() {
      waiting.get(allowed)?.()
      allowed += 1
    },
  }
}
