// Checks the arguments of a call before its script is started. Pure.

import { problemIfUsable } from "./result/schema.ts"
import type { ShellTool } from "./tool.ts"

/** Describes invalid arguments in words for the model. Undefined when the script may be started. */
export function argumentsProblem(
  { name, inputSchema }: ShellTool,
  callArguments: Readonly<Record<string, unknown>>,
  maxBytes: number,
): string | undefined {
  const bytes = Buffer.byteLength(JSON.stringify(callArguments))
  if (bytes > maxBytes)
    return `The arguments of “${name}” have ${bytes} bytes, and at most ${maxBytes} are allowed. The script was not started. Send less, or in parts.`
  const problem = problemIfUsable(inputSchema, callArguments)
  if (problem === undefined) return undefined
  return `The arguments of “${name}” do not match its schema: ${problem}. The script was not started. Fix the arguments and call again.`
}
