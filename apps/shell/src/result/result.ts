// Converts a script's output and files into the result of the tool call. It validates everything that the script
// printed.

import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/server"
import { specTypeSchemas } from "@modelcontextprotocol/server"
import { isObject } from "../json.ts"
import type { ScriptEnd, WrittenFile } from "../script-end.ts"
import type { ShellTool } from "../tool.ts"
import { toBinaryBlock } from "./binary.ts"
import type { Failure } from "./failure.ts"
import { failureOf, toFailedResult } from "./failure.ts"
import type { Output } from "./output.ts"
import { parseJson, readOutput } from "./output.ts"
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
  scriptEnd: ScriptEnd,
  tool: ShellTool,
  { folders = [], mostEmbeddedBytes = 8 * 1024 * 1024 }: ResultOptions = {},
): Promise<CallToolResult> {
  const { error: errorFile, resources } = scriptEnd.files
  const requestedError = readErrorFile(tool, errorFile)
  if (requestedError !== undefined) throw requestedError
  const fileProblem = problemOf("MCP_TOOL_ERROR_FILE", errorFile) ?? problemOf("MCP_TOOL_RESOURCES_FILE", resources)
  const failure = failureOf(tool, scriptEnd)
  const result =
    failure !== undefined
      ? toFailure(tool, scriptEnd, failure)
      : fileProblem !== undefined
        ? toInvalidResult(tool, scriptEnd, { problem: fileProblem, output: readOutput(scriptEnd.stdout) })
        : toSuccess(tool, scriptEnd)
  const attachedBlocks =
    failure === undefined ? await embedResources(tool, resources, { folders, mostBytes: mostEmbeddedBytes }) : []
  const exit = scriptEnd.code === null ? {} : { exitCode: scriptEnd.code }
  return { ...result, content: [...result.content, ...attachedBlocks], _meta: { ...result._meta, ...exit } }
}

const problemOf = (variable: string, file: WrittenFile | undefined): string | undefined =>
  file !== undefined && "problem" in file ? `the file of ${variable} cannot be used: ${file.problem}` : undefined

/** The result of a script that ended with exit code 0. */
function toSuccess(tool: ShellTool, scriptEnd: ScriptEnd): CallToolResult {
  const binary = toBinaryBlock(tool, scriptEnd.stdout)
  if (binary !== undefined) return { content: [binary] }
  const output = readOutput(scriptEnd.stdout)
  const notices = scriptEnd.isCut && !isObject(output.json?.value) ? [...output.changes, cutNotice] : output.changes
  const printed = readResult(output)
  const result = printed?.result ?? toPlainResult(tool, output)
  const problem = printed?.problem ?? (result.isError === true ? undefined : outputProblem(tool, result))
  if (problem !== undefined) return toInvalidResult(tool, scriptEnd, { problem, output })
  return { ...result, content: [...result.content, ...notices.map(toBlock)] }
}

/** A script that failed may still have printed a whole result, or an error for the protocol. */
function toFailure(tool: ShellTool, scriptEnd: ScriptEnd, failure: Failure): CallToolResult {
  const output = readOutput(scriptEnd.stdout)
  if (failure.type === "exit") {
    const error = toProtocolError(output.json?.value)
    if (error !== undefined) throw error
    const result = readResult(output)?.result
    if (result !== undefined) return { ...result, isError: true }
  }
  return toFailedResult(tool, scriptEnd, { failure, output })
}

interface PrintedResult {
  readonly result?: CallToolResult
  readonly problem?: string
}

/**
 * The one result that the script printed. Several, or an error and other output, contradict each other: then none
 * counts, and all are shown. Undefined for output without a result, and for a result among words.
 */
function readResult(output: Output): PrintedResult | undefined {
  if (output.json !== undefined) return readOneResult(output)
  const lines = output.text.split("\n").filter((line) => line.trim() !== "")
  const results = lines.flatMap((line) => readOneResult({ json: parseJson(line) })?.result ?? [])
  const [only] = results
  if (results.length === 1 && lines.length === 1 && only !== undefined) return { result: only }
  const isContradiction = results.some(({ isError }) => isError === true) || results.length === lines.length
  if (only === undefined || !isContradiction) return undefined
  return {
    problem: `it printed ${results.length === 1 ? "an error and more" : `${results.length} results`}, and a call has one result. All that it printed follows; it may have done what it reported as not done`,
  }
}

/**
 * A complete CallToolResult that the script printed, with known members only: `resultType` would let a script ask the
 * client for input without the server's knowledge.
 */
function readOneResult({ json }: Pick<Output, "json">): PrintedResult | undefined {
  const value = json?.value
  if (!isObject(value) || !Array.isArray(value.content)) return undefined
  const knownMembers = Object.fromEntries(Object.entries(value).filter(([key]) => knownMemberNames.has(key)))
  const validation = specTypeSchemas.CallToolResult["~standard"].validate(knownMembers)
  if (validation.issues === undefined) return { result: validation.value }
  // An object without `isError` is the tool's data, even if it has a list called “content”.
  if (knownMembers.isError === undefined) return undefined
  const [issue] = validation.issues
  const location = issue?.path?.map((part) => (typeof part === "object" ? String(part.key) : String(part))).join(".")
  return { problem: `it printed a tool result that is not valid at “${location}”: ${issue?.message}` }
}

const knownMemberNames = new Set(["content", "structuredContent", "isError", "_meta"])

/** The text as one block, and a JSON object, or any JSON of a tool with an output schema, as structured content too. */
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

function toInvalidResult(
  tool: ShellTool,
  scriptEnd: ScriptEnd,
  { problem, output }: { readonly problem: string; readonly output: Output },
): CallToolResult {
  const message = `${tool.name} ran, but its output cannot be used: ${problem}.${scriptEnd.isCut ? ` ${cutNotice}` : ""}`
  return toFailedResult(tool, scriptEnd, { failure: { type: "invalid_output", message }, output })
}

const cutNotice = "The output was too long, so its end was left out."

const toBlock = (text: string): ContentBlock => ({ type: "text", text })
