// `holdpoint shell validate`: lists the tools of a folder and their problems, without running a script.

import { inspectTools, schemaProblems, type ToolProblem } from "@holdpoint/shell"
import type { Call, ExitCode } from "../command.ts"
import { bold, dim, green, red, yellow } from "../output.ts"
import { toFolder } from "./plan.ts"

export async function validateTools({ out, io, args }: Call): Promise<ExitCode> {
  const folder = toFolder(io, args.words[0])
  const { root = folder, tools, notes, ...findings } = inspectTools(folder)
  const problems = [...findings.problems, ...schemaProblems(tools)]
  if (args.has("json")) {
    const toolList = tools.map(({ name, description, program }) => ({ name, description, program }))
    out.json({ folder: root, tools: toolList, problems, notes })
    return problems.length === 0 ? 0 : 1
  }
  const width = Math.max(...tools.map(({ name }) => name.length), 0)
  for (const { name, description } of tools)
    out.say(green("✓ "), bold(name.padEnd(width)), "  ", firstLine(description))
  const print = (mark: ReturnType<typeof red>, { path, message, suggestion }: ToolProblem): void => {
    out.say(mark, bold(path), ` ${message}`)
    if (suggestion !== undefined) out.say("  ", suggestion)
  }
  for (const problem of problems) print(red("✗ "), problem)
  for (const note of notes) print(yellow("· "), note)
  if (tools.length + problems.length + notes.length > 0) out.say("")
  out.say(dim(`${counted(tools.length, "tool")}, ${counted(problems.length, "problem")} in ${root}`))
  if (tools.length + problems.length === 0) out.say("Make a first tool: holdpoint shell init")
  return problems.length === 0 ? 0 : 1
}

const firstLine = (text: string): string => text.split("\n", 1)[0] ?? ""
const counted = (count: number, noun: string): string =>
  `${count === 0 ? "no" : count} ${noun}${count === 1 ? "" : "s"}`
