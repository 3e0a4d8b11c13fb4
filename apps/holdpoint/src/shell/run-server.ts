// Runs the server for scripts as a process: on stdio, or over HTTP with --http.

import { inspectTools } from "@holdpoint/shell"
import type { Call, ExitCode } from "../command.ts"
import { printStdioHint, toClientCommand } from "../serve/client-line.ts"
import { wrongUse } from "../wrong-use.ts"
import { assertServable, type Plan, readPlan } from "./plan.ts"
import { problemLine } from "./problem-line.ts"

export async function runShell(call: Call): Promise<ExitCode> {
  const plan = await readPlan(call, call.args.words[0])
  assertServable(plan)
  printLeftOut(call, plan)
  if (plan.port === undefined) {
    if (call.io.stdin.isTTY === true) printClientLine(call, plan)
    const { serveStdio } = await import("./stdio.ts")
    return serveStdio(call, plan)
  }
  const { serveHttp } = await import("./http.ts")
  return serveHttp(call, plan)
}

/** Prints on standard error why tools are left out: clients show this in their logs. */
function printLeftOut({ out }: Call, { folder }: Plan): void {
  const { tools, problems, isRefused } = inspectTools(folder)
  const [first] = problems
  if (isRefused && first !== undefined) throw wrongUse(`${folder} ${first.message}`, first.suggestion)
  for (const problem of problems) out.note(`Left out: ${problemLine(problem)}`)
  if (tools.length === 0 && problems.length === 0)
    out.note(
      `There are no tools in ${folder} yet. A new one appears without a restart: holdpoint shell init makes one.`,
    )
}

function printClientLine({ out, io, args }: Call, { folder }: Plan): void {
  printStdioHint({ out }, "scripts", toClientCommand(["shell", folder], args.flags, io.cwd))
}
