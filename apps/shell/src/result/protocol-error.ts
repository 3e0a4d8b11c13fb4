// The JSON-RPC error that a script asked for with mcp_fail. Pure.

import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server"
import { isObject } from "../json.ts"
import type { WrittenFile } from "../script-end.ts"
import type { ShellTool } from "../tool.ts"
import { parseJson, toText } from "./output.ts"

/** Reads MCP_TOOL_ERROR_FILE. Undefined when the script wrote nothing into it. */
export function readErrorFile(tool: ShellTool, file: WrittenFile | undefined): ProtocolError | undefined {
  if (file === undefined || "problem" in file) return undefined
  const { text } = toText(file.content)
  if (text.trim() === "") return undefined
  return toProtocolError(parseJson(text)?.value) ?? new ProtocolError(internal, `${tool.name} failed`, text)
}

/** Reads an object with an integer `code` and a text `message`, as mcp_fail prints it. Undefined for other values. */
export function toProtocolError(value: unknown): ProtocolError | undefined {
  if (!isObject(value)) return undefined
  const { code, message, data } = value
  if (!Number.isSafeInteger(code) || typeof message !== "string") return undefined
  return new ProtocolError(isReserved(code as number) ? internal : (code as number), message, data ?? undefined)
}

const internal = ProtocolErrorCode.InternalError

/**
 * The range that MCP reserves. Its codes make a client act: -32042 opens an address that the script chose,
 * without the page that shows the person who asks.
 */
const isReserved = (code: number): boolean => code >= -32_099 && code <= -32_020
