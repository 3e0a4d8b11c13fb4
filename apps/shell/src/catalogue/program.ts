// The beginning of a script: whether the system can start it, and the metadata in a comment near the top.

import { accessSync, closeSync, constants, openSync, readSync } from "node:fs"
import type { FileProblem } from "./trust.ts"
import { quoteForShell } from "./trust.ts"

/** How much of a file is read. */
const headBytes = 64 * 1_024

export function readHead(path: string): Buffer {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    const head = Buffer.allocUnsafe(headBytes)
    return head.subarray(0, readSync(file, head, 0, headBytes, 0))
  } finally {
    closeSync(file)
  }
}

/** Why the system would not start the program. Undefined when it would. */
export function startProblem(path: string, head: Buffer): FileProblem | undefined {
  if (!isExecutable(path)) return { message: "is not executable.", suggestion: `Run: chmod +x ${quoteForShell(path)}` }
  if (head.length === 0) return { message: "is empty.", suggestion: "Write the script." }
  if (!head.subarray(0, 2).equals(Buffer.from("#!"))) return isBinary(head) ? undefined : noInterpreter
  const end = head.indexOf("\n")
  const firstLine = head.subarray(0, end === -1 ? head.length : end).toString("utf8")
  return firstLine.endsWith("\r") ? crlf : undefined
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

const noInterpreter = {
  message: "does not begin with #! and the program that runs it.",
  suggestion: "Make its first line #!/usr/bin/env bash, or the like.",
}

const crlf = {
  message: "has CRLF line endings, so the name of its interpreter ends in a carriage return.",
  suggestion: "Save it with LF line endings.",
}

/** A compiled program has zero bytes; a script has none. */
const isBinary = (head: Buffer): boolean => head.subarray(0, 512).includes(0)

/** The JSON after a comment sign and `mcp:`, such as `# mcp:`, within the first ten lines. */
export function headerOf(head: Buffer): string | undefined {
  const lines = head.toString("utf8").split("\n", 10)
  for (const line of lines) {
    const [, json] = /^\s*(?:#|\/\/|--|;|%)+\s*mcp:\s*(.*)$/.exec(line) ?? []
    if (json !== undefined) return json
  }
  return undefined
}
