// One step of a model: streams its output into the log, and returns its messages and the tools that it calls. Tools are
// never executed here.

import type { LanguageModelV4 } from "@ai-sdk/provider"
import type { ModelMessage, TextStreamPart, ToolSet } from "ai"
import { argumentProblem } from "./arguments.ts"
import type { Chunk } from "./run-log.ts"

export interface ModelStep {
  readonly model: LanguageModelV4
  readonly instructions: string | undefined
  readonly messages: readonly ModelMessage[]
  readonly tools: readonly OfferedTool[]
  readonly signal: AbortSignal
  /** Receives the chunks that the person sees. */
  readonly show: (chunk: Chunk) => void
}

/** The description of a tool for a model. */
export interface OfferedTool {
  readonly name: string
  /** For people. Not sent to the model. */
  readonly title?: string
  readonly description?: string
  readonly inputSchema: Readonly<Record<string, unknown>>
  /** Where the tool comes from, if it comes from an MCP server. Not sent to the model. */
  readonly origin?: ToolOrigin
}

/** An MCP server and the name that it gives the tool. */
export interface ToolOrigin {
  readonly server: string
  readonly name: string
}

/** The result of a step. It is journaled, so it must be serializable as JSON. */
export interface StepResult {
  readonly messages: readonly ModelMessage[]
  readonly calls: readonly ToolCall[]
}

export interface ToolCall {
  readonly id: string
  /** The name under which the tool was offered. Later in the run, another tool may be offered under this name. */
  readonly tool: string
  readonly input: unknown
  readonly origin?: ToolOrigin
}

export async function runModelStep({
  model,
  instructions,
  messages,
  tools,
  signal,
  show,
}: ModelStep): Promise<StepResult> {
  // Loaded with the first step, because the package is large.
  const { dynamicTool, isStepCount, jsonSchema, streamText, toUIMessageChunk } = await import("ai")
  const toolSet: ToolSet = Object.fromEntries(
    tools.map((tool) => [
      tool.name,
      dynamicTool({
        ...(tool.title === undefined ? {} : { title: tool.title }),
        ...(tool.description === undefined ? {} : { description: tool.description }),
        inputSchema: jsonSchema(tool.inputSchema, { validate: (input) => toFittingInput(tool, input) }),
      } as never),
    ]),
  )
  const origins = new Map(tools.flatMap(({ name, origin }) => (origin === undefined ? [] : [[name, origin]])))
  const failures: unknown[] = []
  const calls: ToolCall[] = []
  const result = streamText({
    model,
    ...(instructions === undefined ? {} : { instructions }),
    messages: [...messages],
    tools: toolSet,
    stopWhen: isStepCount(1),
    abortSignal: signal,
    onError: ({ error }) => void failures.push(error),
  })
  for await (const part of result.stream) {
    signal.throwIfAborted()
    if (part.type === "tool-call" && part.invalid !== true && part.providerExecuted !== true) {
      const origin = origins.get(part.toolName)
      const call = { id: part.toolCallId, tool: part.toolName, input: part.input }
      calls.push(origin === undefined ? call : { ...call, origin })
    }
    if (isShown(part)) {
      const chunk = toUIMessageChunk(part, { tools: toolSet, onError: wordsOf })
      if (chunk !== undefined) show(chunk)
    }
  }
  signal.throwIfAborted()
  if (failures.length > 0) throw failures[0]
  const { messages: reply } = await result.response
  return { messages: reply, calls }
}

/** Validates arguments, so that the model reads the problem and can correct them. */
async function toFittingInput(tool: OfferedTool, input: unknown) {
  const problem = await argumentProblem(tool, input)
  return problem === undefined
    ? ({ success: true, value: input } as const)
    : ({ success: false, error: new Error(problem) } as const)
}

/** Whether the part goes into the log. The run itself logs its beginning, its steps and its end. */
const isShown = ({ type }: TextStreamPart<ToolSet>): boolean => !runChunkTypes.has(type)
const runChunkTypes: ReadonlySet<string> = new Set(["start", "finish", "start-step", "finish-step", "error", "abort"])

/** The error text of an invalid tool call, which the model reads too. */
const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
