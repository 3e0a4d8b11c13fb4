// A tool that an agent may call, wherever it comes from: a function, an MCP server, another agent.

import type { EventSource } from "@holdpoint/sdk/stream"
import type { RunContext } from "./agent.ts"
import type { ToolPolicy } from "./definition.ts"
import type { OfferedTool, ToolCall } from "./model-step.ts"

export interface Tool extends OfferedTool {
  readonly policy: ToolPolicy
  /** Whether models do not see it: it was useful earlier in the run, and its calls still have to be found. */
  readonly isHidden?: boolean
  /** The MCP server that it comes from. */
  readonly server?: string
  /** Calls the tool. May suspend the run: then it is called again with the same journal. */
  readonly run: (running: RunningCall) => Promise<ToolOutput>
  /** Receives the output of a call that an earlier run of this call made, and that is not made again. */
  readonly recall?: (output: ToolOutput) => void
}

export interface RunningCall {
  readonly call: ToolCall
  /** The agent's context, with an `ask` for the keys of this call. */
  readonly context: RunContext
  /** The tool and the agent that the stream names for questions of this call. */
  readonly source: EventSource
}

/** The result of a tool call as a model reads it. JSON. */
export type ToolOutput =
  | { readonly type: "text"; readonly value: string }
  | { readonly type: "json"; readonly value: unknown }
  | { readonly type: "error-text"; readonly value: string }
  /** Text and files, such as images and audio. */
  | { readonly type: "content"; readonly value: readonly ContentPart[] }
  /** A person said No. */
  | { readonly type: "execution-denied"; readonly reason?: string }

export type ContentPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "file"; readonly mediaType: string; readonly data: FileData }

interface FileData {
  readonly type: "data"
  /** The bytes, in base64. */
  readonly data: string
}

export const textOutput = (value: string): ToolOutput => ({ type: "text", value })
export const errorOutput = (value: string): ToolOutput => ({ type: "error-text", value })

/** Converts the return value of a function to a tool output. */
export function toOutput(value: unknown): ToolOutput {
  if (typeof value === "string") return textOutput(value)
  return { type: "json", value: value ?? null }
}
