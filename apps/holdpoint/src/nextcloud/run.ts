// Runs the Nextcloud server as a process: on stdio, or over HTTP with --http.

import type { Call, ExitCode } from "../command.ts"
import { assertServable, type Plan, readPlan } from "./plan.ts"

export async function runNextcloud(call: Call): Promise<ExitCode> {
  const plan = await readPlan(call)
  assertServable(plan)
  if (plan.port === undefined) {
    if (call.io.stdin.isTTY === true) adviseTerminalUser(call, plan).catch(() => {})
    const { serveStdio } = await import("./stdio.ts")
    return serveStdio(call, plan)
  }
  const { serveHttp } = await import("./http.ts")
  return serveHttp(call, plan)
}

/** Prints advice for a person who starts the server in a terminal. Not awaited: it must not delay the server. */
async function adviseTerminalUser(call: Call, plan: Plan): Promise<void> {
  const [{ printClientAndAccountLine }, { reportReachability }] = await Promise.all([
    import("./client-line.ts"),
    import("./report-reachability.ts"),
  ])
  printClientAndAccountLine(call, plan.nextcloud.url)
  await reportReachability(call, plan)
}
