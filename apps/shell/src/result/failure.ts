// The failure of a script, in words for the model and the person: it failed, was stopped or printed output that its
// schema does not allow. Never shows the environment or the arguments of the script.

import type { CallToolResult } from "@modelcontextprotocol/server"
import { isObject } from "../json.ts"
import type { ScriptEnd } from "../script-end.ts"
import type { ShellTool } from "../tool.ts"
import type { Output } from "./output.ts"
import { toText } from "./output.ts"
import { redact } from "./redact.ts"
import { schemaProblem } from "./schema.ts"

export interface Failure {
  readonly type: "exit" | "timeout" | "output_limit" | "cancelled" | "invalid_output"
  readonly message: string
}

const mostPrinted = 65_536
const mostErrorLines = 20
const mostErrorCharacters = 4096

/** Why the script failed. Undefined when it ended by itself with exit code 0. */
export function failureOf(tool: ShellTool, scriptEnd: ScriptEnd): Failure | undefined {
  const { name } = tool
  if (scriptEnd.endedBy === "timeout") return { type: "timeout", message: timeoutWords(tool) }
  if (scriptEnd.endedBy === "cancelled") return { type: "cancelled", message: `${name} was cancelled and stopped.` }
  if (scriptEnd.endedBy === "output")
    return {
      type: "output_limit",
      message: `${name} was stopped because it printed more than is allowed. Print less, or write a file and attach it.`,
    }
  if (scriptEnd.code === 0) return undefined
  if (scriptEnd.signal !== null)
    return { type: "exit", message: `${name} was ended by the signal ${scriptEnd.signal}.` }
  const reason = exitWords[scriptEnd.code ?? -1]
  return {
    type: "exit",
    message: `${name} failed with exit code ${scriptEnd.code}${reason === undefined ? "" : `: ${reason}`}.`,
  }
}

/** The result for a failure: the reason, then the standard output, then the end of the error output. */
export function toFailedResult(
  tool: ShellTool,
  scriptEnd: ScriptEnd,
  { failure, output }: { readonly failure: Failure; readonly output: Output },
): CallToolResult {
  const printedTexts = output.text.trim() === "" ? [] : [shorten(output.text)]
  const errors = lastLines(scriptEnd.stderr)
  const texts = [
    failure.message,
    ...printedTexts,
    ...(errors === "" ? [] : [`Last lines of the error output:\n${errors}`]),
    ...output.changes,
  ]
  const structured = structuredOf(tool, scriptEnd, { failure, output })
  return {
    content: texts.map((text) => ({ type: "text", text })),
    isError: true,
    ...(structured === undefined ? {} : { structuredContent: structured }),
  }
}

/**
 * The structured content of an error: what the script printed, otherwise the failure itself. Left out where the output
 * schema does not allow it, because some clients validate errors too and then show no result at all.
 */
function structuredOf(
  tool: ShellTool,
  { code, signal }: ScriptEnd,
  { failure, output }: { readonly failure: Failure; readonly output: Output },
): Readonly<Record<string, unknown>> | undefined {
  const value = output.json?.value
  const failureFields = {
    ...failure,
    ...(code === null ? {} : { exitCode: code }),
    ...(signal === null ? {} : { signal }),
  }
  const structured = failure.type === "exit" && isObject(value) ? value : { error: failureFields }
  const { outputSchema } = tool
  return outputSchema === undefined || schemaProblem(outputSchema, structured) === undefined ? structured : undefined
}

function timeoutWords({ name, timeoutMs, maxTimeoutMs, progressExtendsTimeout, timeoutHint }: ShellTool): string {
  const limit = progressExtendsTimeout ? (maxTimeoutMs ?? timeoutMs) : timeoutMs
  const time = limit === undefined ? "the time that it has" : `${limit / 1000} s`
  const advice = "Raise `timeoutSecs` in its metadata if it needs longer."
  const reason = `${name} did not finish within ${time} and was stopped. The time that a person took to answer does not count.`
  return [reason, advice, ...(timeoutHint === undefined ? [] : [timeoutHint])].join(" ")
}

/** The meaning of exit codes in shells. */
const exitWords: Readonly<Record<number, string>> = {
  126: "a command in it could not be executed",
  127: "a command in it was not found",
}

const shorten = (text: string): string =>
  text.length <= mostPrinted ? text : `${text.slice(0, mostPrinted).toWellFormed()}\n… (the rest is left out)`

/** The end of the error output, with probable credentials removed. */
function lastLines(stderr: Buffer): string {
  const lines = redact(toText(stderr).text).trimEnd().split("\n").slice(-mostErrorLines).join("\n")
  return lines.slice(-mostErrorCharacters).toWellFormed().trim()
}
