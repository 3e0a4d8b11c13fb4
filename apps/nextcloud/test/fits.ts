// Calls a tool as the server does, without MCP: arguments and output are checked against its schemas. Without a test
// runner, since the benchmark makes the same calls.

import { deepStrictEqual, ok } from "node:assert"
import { CfWorkerJsonSchemaValidator } from "@modelcontextprotocol/server/validators/cf-worker"
import type { Nextcloud } from "../src/api/nextcloud.ts"
import type { ReachKind } from "../src/reach.ts"
import type { Json, Loss, RunContext, Tool } from "../src/tool.ts"

const validator = new CfWorkerJsonSchemaValidator()

export function fits(schema: Json, value: unknown): void {
  const checked = validator.getValidator(schema as never)(value)
  ok(checked.valid, `${checked.errorMessage ?? "It does not fit."} ${JSON.stringify(value)}`)
}

export function toolOf(tools: readonly Tool[], name: string): Tool {
  const tool = tools.find((one) => one.name === name)
  if (tool === undefined) throw new Error(`There is no tool ${name}.`)
  return tool
}

/** Runs the tool and returns its structured output after JSON encoding, without the additional content. */
export async function callTool<O = Record<string, never>>(
  tool: Tool,
  input: object,
  nextcloud: Nextcloud,
  run: { readonly loss?: Loss } = {},
): Promise<O> {
  fits(tool.input.json, input)
  const result = await tool.run(input, nextcloud, {
    ...run,
    progress: async () => {},
    signal: AbortSignal.timeout(10_000),
  } satisfies RunContext)
  const output =
    typeof result === "object" && result !== null && "output" in result && "content" in result ? result.output : result
  const sent = JSON.parse(JSON.stringify(output)) as O
  deepStrictEqual(sent, output, "Something is given out that JSON does not carry, such as undefined.")
  fits(tool.output.json, sent)
  return sent
}

/** Reads the loss that the person would confirm, then calls the tool with this loss. */
export async function confirmAndCall<O = Record<string, never>>(tool: Tool, input: object, nextcloud: Nextcloud) {
  const loss = await aboutOf(tool, input, nextcloud)
  return { loss, output: await callTool<O>(tool, input, nextcloud, { loss }) }
}

/** The kinds of reach of a call. */
export async function reachOf(tool: Tool, input: object, nextcloud: Nextcloud): Promise<readonly ReachKind[]> {
  if (typeof tool.reach !== "object") throw new Error(`${tool.name} has no rule of reach.`)
  return (await tool.reach.find(input, nextcloud)).map(({ kind }) => kind)
}

/** Whether a person is asked before this call, and the number of requests that are made before they are. */
export async function questionOf(
  tool: Tool,
  input: object,
  nextcloud: Nextcloud,
): Promise<{ readonly isAsked: boolean; readonly requests: number }> {
  const { confirm, reach } = tool
  const isLoss = confirm !== undefined && confirm.when?.(input) !== false
  if (typeof reach !== "object") return { isAsked: isLoss, requests: isLoss ? confirm.requests : 0 }
  const isAsked = isLoss && (await reachOf(tool, input, nextcloud)).length > 0
  return { isAsked, requests: (reach.requests ?? 0) + (isAsked ? confirm.requests : 0) }
}

export async function aboutOf(tool: Tool, input: object, nextcloud: Nextcloud): Promise<Loss> {
  if (tool.confirm === undefined) throw new Error(`${tool.name} is not confirmed.`)
  return tool.confirm.readLoss(input, nextcloud)
}
