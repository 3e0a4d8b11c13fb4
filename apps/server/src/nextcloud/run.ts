// The Nextcloud server as a process: on stdio unless HTTP is asked for.

import type { Call, ExitCode } from "../command.ts"
import { assertServable, readPlan } from "./place.ts"

export async function runNextcloud(call: Call): Promise<ExitCode> {
  const plan = await readPlan(call)
  assertServable(plan)
  if (plan.port === undefined) {
    if (call.io.stdin.isTTY === true) (await import("./line.ts")).tellLine(call, plan.nextcloud.url)
    const { serveStdio } = await import("./stdio.ts")
    return serveStdio(call, plan)
  }
  const { serveHttp } = await import("./http.ts")
  return serveHttp(call, plan)
}
