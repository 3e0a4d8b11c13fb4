// A tool that an agent may call: a function, a tool of an MCP server, or another agent.

import type { EventSource } from "@holdpoint/hub/stream"
import type { ToolPolicy } from "./definition.ts"
import type { OfferedTool, ToolCall } from "./model-step.ts"
import type { RunContext } from "./run-context.ts"

export interface Tool extends OfferedTool {
  readonly policy: ToolPolicy
  /** Whether to hide the tool from models: only calls from earlier in the run still need it. */
  readonly isHidden?: boolean
  /** Calls the tool. May suspend the run: after the resume, the tool is called again with the same journal. */
  readonly run: (running: RunningCall) => Promise<ToolOutput>
  /** Receives the output of a journaled call after a resume, when the call itself is not repeated. */
  readonly recall?: (output: ToolOutput) => void
}

/** A tool before an agent has it: its name may be that of another tool, and the agent's policies are not applied. */
export interface AvailableTool extends Omit<Tool, "policy" | "origin"> {
  /** The name of the MCP server of the tool, if it has one. */
  readonly server?: string
  /** Set for a tool of another party: an MCP server outside this process, or a remote agent. */
  readonly foreign?: ForeignTool
  /** Whether the tool stands for the unknown tools of a server. */
  readonly isPlaceholder?: boolean
}

export interface ForeignTool {
  /** Whether the list that the tool comes from is one that was accepted. */
  readonly isAccepted: boolean
}

export interface RunningCall {
  readonly call: ToolCall
  /** The agent's context, with an `ask` for the keys of this call. */
  readonly context: RunContext
  /** The tool and the agent that clients see as the source of questions of this call. */
  readonly source: EventSource
}

/** The result of a tool call as a model reads it. Serializable as JSON. */
export type ToolOutput =
  | { readonly type: "text"; readonly value: string }
  | { readonly type: "json"; readonly value: unknown }
  | { readonly type: "error-text"; readonly value: string }
  /** Text and files, such as images and audio. */
  | { readonly type: "content"; readonly value: readonly ContentPart[] }
  /** The person did not allow the call. */
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
