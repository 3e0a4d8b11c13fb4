// Serves stdio for the person at this machine, until the client is gone or the process is told to stop.

import { randomUUID } from "node:crypto"
import type { Call, ExitCode } from "../command.ts"
import { withLocal } from "../serve/local.ts"
import { stopped } from "../stopped.ts"
import { wrongUse } from "../wrong-use.ts"
import { createScriptsMcp, toOptions } from "./parts.ts"
import type { Plan } from "./plan.ts"

export async function serveStdio(call: Call, plan: Plan): Promise<ExitCode> {
  await withLocal(call, toLocalPlan(plan), async ({ compose }) => {
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

/** Providers that know one redirect URI need its port. */
export function toLocalPlan({ settings }: Plan) {
  const { callbackUrl } = settings.pages
  if (callbackUrl === undefined) return { settings, isKept: true }
  const address = new URL(callbackUrl)
  const taken = (): Error =>
    wrongUse(
      `Accounts come back to ${address.origin}, and that port is taken: another client may already run this server.`,
      "Serve HTTP once for all of them: --http PORT.",
    )
  return { settings, isKept: true, fixed: { address, taken } }
}
