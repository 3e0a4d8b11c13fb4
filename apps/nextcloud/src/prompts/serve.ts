// Handles prompts/list and prompts/get.

import { holdable } from "@holdpoint/mcp"
import type { GetPromptRequest, GetPromptResult, ListPromptsResult, ServerContext } from "@modelcontextprotocol/server"
import { ProtocolError } from "@modelcontextprotocol/server"
import { findTools } from "../serve-tools.ts"
import type { ServerWithTools } from "../server-parts.ts"
import { getPrompt } from "./get.ts"
import type { PromptRow } from "./table.ts"
import { prompts } from "./table.ts"

export interface PromptHandlers {
  list(context: ServerContext): Promise<ListPromptsResult>
  get(request: GetPromptRequest, context: ServerContext): Promise<GetPromptResult>
}

export const createPromptHandlers = (serverParts: ServerWithTools): PromptHandlers => ({
  async list(context) {
    const names = new Set((await findTools(serverParts, context)).map(({ name }) => name))
    const possiblePrompts = prompts.filter((row) => toolsOf(row).every((tool) => names.has(tool)))
    return {
      prompts: possiblePrompts.map(({ name, title, description, arguments: promptArguments }) => ({
        ...{ name, title, description, arguments: [...promptArguments] },
      })),
    }
  },
  async get({ params }, context) {
    await serverParts.beforeCall?.()
    const { chosen } = await serverParts.tools()
    const tools = new Map(chosen.map((tool) => [tool.name, tool]))
    const row = prompts.find(({ name }) => name === params.name)
    if (row === undefined || !toolsOf(row).every((tool) => tools.has(tool)))
      throw new ProtocolError(-32_602, `There is no prompt ${params.name.slice(0, 100)}.`)
    const values = params.arguments ?? {}
    const missingArgument = row.arguments.find(({ name, required }) => required === true && !values[name]?.trim())
    if (missingArgument !== undefined)
      throw new ProtocolError(
        -32_602,
        `The prompt ${row.name} needs “${missingArgument.name}”: ${missingArgument.description}.`,
      )
    const run = holdable((ask) => getPrompt(serverParts, row, tools, { values, ask, now: new Date() }))
    return (await run(context)) as GetPromptResult
  },
})

const toolsOf = (row: PromptRow): readonly string[] =>
  row.gather({ arguments: {}, now: new Date(0) }).map(({ tool }) => tool)
