// Judges the arguments of a call before its script is started. Pure.

import { problemIfUsable } from "./result/schema.ts"
import type { ShellTool } from "./tool.ts"

/** What is wrong with the arguments, in words for the model. Undefined when the script may be started. */
export function argumentsProblem(
  { name, inputSchema }: ShellTool,
  given: Readonly<Record<string, unknown>>,
  mostBytes: number,
): string | undefined {
  const bytes = Buffer.byteLength(JSON.stringify(given))
  if (bytes > mostBytes)
    return `The arguments of “${name}” have ${bytes} bytes, and at most ${mostBytes} are allowed. Nothing was run. Send less, or in parts.`
  const problem = problemIfUsable(inputSchema, given)
  if (problem === undefined) return undefined
  return `The arguments of “${name}” do not match its schema: ${problem}. Nothing was run. Fix the arguments and call again.`
}
