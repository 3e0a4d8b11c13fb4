// Converts the functions in the configuration to tools.

import type { Ask } from "@holdpoint/calls"
import type { FunctionTool } from "./definition.ts"
import type { AvailableTool } from "./tool.ts"
import { toOutput } from "./tool.ts"

export function toFunctionTool(name: string, tool: FunctionTool): AvailableTool {
  const { title, description, inputSchema } = tool
  return {
    ...{ name, description, inputSchema },
    ...(title === undefined ? {} : { title }),
    async run({ call: { input }, context: { ask, signal } }) {
      if ("handle" in tool) return toOutput(await (tool.handle as Handle)(input, ask))
      const { execute, repeatable = false } = tool
      const effect = (): unknown => (execute as Execute)(input, { signal })
      return ask.once("call", async () => toOutput(await effect()), { repeatable })
    },
  }
}

type Handle = (input: unknown, ask: Ask) => Promise<unknown>
type Execute = (input: unknown, tools: { readonly signal: AbortSignal }) => unknown
