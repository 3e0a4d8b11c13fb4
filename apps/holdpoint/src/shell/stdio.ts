// Serves stdio for the person at this machine, until the client disconnects or a signal stops the process.

import { randomUUID } from "node:crypto"
import type { Call, ExitCode } from "../command.ts"
import { withLocal } from "../serve/local.ts"
import { toLocalPlan, toOptions } from "../serve/local-options.ts"
import { stopped } from "../stop-signal.ts"
import { createScriptsMcp } from "./parts.ts"
import type { Plan } from "./plan.ts"

export async function serveStdio(call: Call, plan: Plan): Promise<ExitCode> {
  await withLocal(call, toLocalPlan(plan, portInUseHint), async ({ compose }) => {
    const holdpoint = await compose(toOptions(plan))
    const { tenant, subject } = plan.settings.me
    const callers = { local: { tenant, issuer: "local", subject } }
    const mcp = createScriptsMcp(call, plan, { ...holdpoint, callers, instance: randomUUID() })
    const stdio = mcp.stdio()
    await Promise.race([stdio.closed, stopped(call.io.signal)])
    await mcp.close()
  })
  return 0
}

/** What to do when the port of the registered redirect URI is taken. */
export const portInUseHint = "Serve HTTP once for all of them: --http PORT."
