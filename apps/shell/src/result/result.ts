// Converts a script's output and files into the result of the tool call. It validates everything that the script
// printed.

import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/server"
import { specTypeSchemas } from "@modelcontextprotocol/server"
import type { ScriptEnd } from "../script-end.ts"
import type { ShellTool } from "../tool.ts"
import { toBinaryBlock } from "./binary.ts"
import type { Failure } from "./failure.ts"
import { failureOf, toFailedResult } from "./failure.ts"
import type { Output } from "./output.ts"
import { isObject, parseJson, readOutput } from "./output.ts"
import { readErrorFile, toProtocolError } from "./protocol-error.ts"
import { embedResources } from "./resources.ts"
import { schemaProblem } from "./schema.ts"

export interface ResultOptions {
  /** Folders whose files may be attached, besides those of the tools: the folder of the call, and the roots. */
  readonly folders?: readonly string[]
  /** How many bytes the attached files may have together: 8 MiB by default. */
  readonly mostEmbeddedBytes?: number
}

/** Throws the ProtocolError that the script asked for with mcp_fail. */
export async function toResult(
  ended: ScriptEnd,
  tool: ShellTool,
  { folders = [], mostEmbeddedBytes = 8 * 1024 * 1024 }: ResultOptions = {},
): Promise<CallToolResult> {
  const asked = readErrorFile(tool, ended.files.error)
  if (asked !== undefined) throw asked
  const failure = failureOf(tool, ended)
  const result = failure === undefined ? toOwnResult(tool, ended) : toFailure(tool, ended, failure)
  const embedded =
    failure === undefined
      ? await embedResources(tool, ended.files.resources, { folders, mostBytes: mostEmbeddedBytes })
      : []
  const exit = ended.code === null ? {} : { exitCode: ended.code }
  return { ...result, content: [...result.content, ...embedded], _meta: { ...result._meta, ...exit } }
}

/** The result of a script that ended with exit code 0. */
function toOwnResult(tool: ShellTool, ended: ScriptEnd): CallToolResult {
  const binary = toBinaryBlock(tool, ended.stdout)
  if (binary !== undefined) return { content: [binary] }
  const output = readOutput(ended.stdout)
  const notices = ended.isCut && !isObject(output.json?.value) ? [...output.changes, cutWords] : output.changes
  const printed = readResult(output)
  const result = printed?.result ?? toPlainResult(tool, output)
  const problem = printed?.problem ?? (result.isError === true ? undefined : outputProblem(tool, result))
  if (problem !== undefined) return toInvalid(tool, ended, { problem, output })
  return { ...result, content: [...result.content, ...notices.map(toBlock)] }
}

/** A script that failed may still have printed a whole result, or an error for the protocol. */
function toFailure(tool: ShellTool, ended: ScriptEnd, failure: Failure): CallToolResult {
  const output = readOutput(ended.stdout)
  if (failure.type === "exit") {
    const error = toProtocolError(output.json?.value)
    if (error !== undefined) throw error
    const result = readResult(output)?.result
    if (result !== undefined) return { ...result, isError: true }
  }
  return toFailedResult(tool, ended, { failure, output })
}

interface Printed {
  readonly result?: CallToolResult
  readonly problem?: string
}

/**
 * Chooses among the results that the script printed, one on each line: the first error, because later output of a
 * script that reported an error does not count; otherwise the last.
 */
function readResult(output: Output): Printed | undefined {
  if (output.json !== undefined) return readOneResult(output)
  let chosen: CallToolResult | undefined
  for (const line of output.text.split("\n").filter((one) => one.trim() !== "")) {
    const result = readOneResult({ json: parseJson(line) })?.result
    // A line that is not a result makes the whole output plain text.
    if (result === undefined) return undefined
    if (chosen?.isError !== true) chosen = result
  }
  return chosen === undefined ? undefined : { result: chosen }
}

/**
 * A complete CallToolResult that the script printed, with known members only: `resultType` would let a script ask the
 * client for input without the server's knowledge.
 */
function readOneResult({ json }: Pick<Output, "json">): Printed | undefined {
  const value = json?.value
  if (!isObject(value) || !Array.isArray(value.content)) return undefined
  const own = Object.fromEntries(Object.entries(value).filter(([key]) => members.has(key)))
  const judged = specTypeSchemas.CallToolResult["~standard"].validate(own)
  if (judged.issues === undefined) return { result: judged.value }
  // An object without `isError` is the tool's data, even if it has a list called “content”.
  if (own.isError === undefined) return undefined
  const [issue] = judged.issues
  const where = issue?.path?.map((part) => (typeof part === "object" ? String(part.key) : String(part))).join(".")
  return { problem: `it printed a tool result that is not valid at “${where}”: ${issue?.message}` }
}

const members = new Set(["content", "structuredContent", "isError", "_meta"])

/** Text as one block; a JSON object also as structured content, and any JSON that the output schema describes. */
function toPlainResult(tool: ShellTool, { text, json }: Output): CallToolResult {
  const isStructured = isObject(json?.value) || (tool.outputSchema !== undefined && json !== undefined)
  return { content: [toBlock(text)], ...(isStructured ? { structuredContent: json?.value as never } : {}) }
}

function outputProblem({ outputSchema }: ShellTool, { structuredContent }: CallToolResult): string | undefined {
  if (outputSchema === undefined) return undefined
  if (structuredContent === undefined) return "it declares an output schema, and what it printed is not JSON"
  const problem = schemaProblem(outputSchema, structuredContent)
  return problem === undefined ? undefined : `what it printed does not match its output schema: ${problem}`
}

function toInvalid(
  tool: ShellTool,
  ended: ScriptEnd,
  { problem, output }: { readonly problem: string; readonly output: Output },
): CallToolResult {
  const message = `${tool.name} ran, but its output cannot be used: ${problem}.${ended.isCut ? ` ${cutWords}` : ""}`
  return toFailedResult(tool, ended, { failure: { type: "invalid_output", message }, output })
}

const cutWords = "The output was longer than is kept, and its end was left out."

const toBlock = (text: string): ContentBlock => ({ type: "text", text })
