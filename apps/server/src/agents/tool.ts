// A tool that an agent may call, wherever it comes from: a function, an MCP server, another agent.

import type { EventSource } from "@holdpoint/sdk/stream"
import type { Place } from "./agent.ts"
import type { ToolPolicy } from "./definition.ts"
import type { OfferedTool, ToolCall } from "./model-step.ts"

export interface Tool extends OfferedTool {
  readonly policy: ToolPolicy
  /** Calls the tool. May suspend the run; then it is called again with the same journal. */
  readonly run: (running: RunningCall) => Promise<ToolOutput>
}

export interface RunningCall {
  readonly call: ToolCall
  /** Where the call is made: `ask` has the keys of this call. */
  readonly place: Place
  /** What the stream says of questions in this call. */
  readonly source: EventSource
}

/** What a model is told of a call. JSON. */
export type ToolOutput =
  | { readonly type: "text"; readonly value: string }
  | { readonly type: "json"; readonly value: unknown }
  | { readonly type: "error-text"; readonly value: string }
  /** A person said No. */
  | { readonly type: "execution-denied"; readonly reason?: string }

export const textOutput = (value: string): ToolOutput => ({ type: "text", value })
export const errorOutput = (value: string): ToolOutput => ({ type: "error-text", value })

/** What a function returned, as a model reads it. */
export function toOutput(value: unknown): ToolOutput {
  if (typeof value === "string") return textOutput(value)
  return { type: "json", value: value ?? null }
}
