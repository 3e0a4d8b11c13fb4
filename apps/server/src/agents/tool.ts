// A tool that an agent may call, wherever it comes from: a function, an MCP server, another agent.

import type { EventSource } from "@holdpoint/sdk/stream"
import type { Place } from "./agent.ts"
import type { ToolPolicy } from "./definition.ts"
import type { OfferedTool, ToolCall } from "./model-step.ts"

export interface Tool extends OfferedTool {
  readonly policy: ToolPolicy
  /** Whether models are not told of it: it was called earlier in the run, and would be useless now. */
  readonly isHidden?: boolean
  /** The MCP server that it comes from. */
  readonly server?: string
  /** Calls the tool. May suspend the run; then it is called again with the same journal. */
  readonly run: (running: RunningCall) => Promise<ToolOutput>
  /** Told what a call gave in an earlier run, which is not made again. */
  readonly recall?: (output: ToolOutput) => void
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
  /** Text and files: pictures, sound. */
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

/** What a function returned, as a model reads it. */
export function toOutput(value: unknown): ToolOutput {
  if (typeof value === "string") return textOutput(value)
  return { type: "json", value: value ?? null }
}
