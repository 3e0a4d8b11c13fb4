// Scripts that ask with tool-sdk.sh, against the file contract.

import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { makeScratchFolder } from "@holdpoint/testkit/scratch"
import { type AskedQuestion, type Call, type Exchange, runExchange } from "../modules/exchange.ts"
import type { Shell } from "./shells.ts"

export type Json = Readonly<Record<string, unknown>>

export const hostile =
  'it\'s "quoted", \\back\\slashed, -- $(id) `id`\n\ttwo: lines\r\n%s é 日本 🎉 \u0001\u001b </script>'

/** Values that shells and option parsers often misread. */
export const values = [
  hostile,
  "-n",
  "--x",
  "--default",
  "a b",
  "*",
  "\\",
  '"',
  "%s",
  "http://a.example/?b=c:d",
  "\n",
  "$HOME",
  "é",
  " ",
]

export interface Asking extends Partial<Omit<Call, "programs">> {
  readonly shell: Shell
  /** How often the same script runs in the call, at the same time. */
  readonly times?: number
}

/** Runs a script within a call, with the strictest shell options and an unusual IFS. */
export function ask(
  lines: readonly string[],
  { shell, times = 1, environment, args = {}, ...call }: Asking,
): Promise<Exchange> {
  const file = join(makeScratchFolder("script"), "tool.sh")
  const strict = shell.command[0] === "dash" ? "set -eu" : "set -euo pipefail"
  writeFileSync(file, [strict, '. "$MCP_SDK/tool-sdk.sh"', "IFS=',x:{\"'", ...lines, ""].join("\n"))
  const program = [...shell.command, file]
  return runExchange({
    programs: Array.from({ length: times }, () => program),
    args,
    environment: { PATH: shell.path, LC_ALL: "C.UTF-8", ...environment },
    ...call,
  })
}

/** Lines that print what each question printed, and its exit code. */
export const printing = (codes: readonly string[]): readonly string[] =>
  codes.map((code) => `code=0; answer=$(${code}) || code=$?; printf '%s\\0%s\\0' "$answer" "$code"`)

/** The output of the lines from `printing`: answers, and exit codes other than 0. */
export function printedBy({ ended }: Exchange): readonly unknown[] {
  const parts = (ended[0]?.stdout ?? "").split("\0").slice(0, -1)
  return parts.flatMap((part, index) => {
    if (index % 2 === 0) return [part.startsWith("{") ? JSON.parse(part) : part]
    return part === "0" ? [] : [Number(part)]
  })
}

export const requestsOf = ({ asked }: Exchange): readonly Json[] =>
  asked.map(({ number: _number, hasWake: _hasWake, ...request }) => request)

/** Answers each question when it arrives. `index` is the number of questions before it. */
export function answerEach(respond: (index: number, asked: AskedQuestion) => Json): NonNullable<Call["answer"]> {
  let index = 0
  return (open) => Object.fromEntries(open.map((asked) => [asked.number, respond(index++, asked)]))
}

export const accepted = (content: Json | null = null): Json => ({ action: "accept", content })
