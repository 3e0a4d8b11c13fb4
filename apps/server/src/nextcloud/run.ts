// Runs the Nextcloud server as a process: on stdio, or over HTTP with --http.

import type { Call, ExitCode } from "../command.ts"
import { assertServable, type Plan, readPlan } from "./place.ts"

export async function runNextcloud(call: Call): Promise<ExitCode> {
  const plan = await readPlan(call)
  assertServable(plan)
  if (plan.port === undefined) {
    if (call.io.stdin.isTTY === true) tellByHand(call, plan).catch(() => {})
    const { serveStdio } = await import("./stdio.ts")
    return serveStdio(call, plan)
  }
  const { serveHttp } = await import("./http.ts")
  return serveHttp(call, plan)
}

/** Runs beside the server without delaying it, and ends with it. */
async function tellByHand(call: Call, plan: Plan): Promise<void> {
  const [{ tellLine }, { tellFound }] = await Promise.all([import("./line.ts"), import("./found.ts")])
  tellLine(call, plan.nextcloud.url)
  await tellFound(call, plan)
}
