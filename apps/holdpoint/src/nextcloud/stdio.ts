// Serves stdio for the person at this machine. What a client waits for at the start is imported first; the pages and
// the vault are opened when a call needs them.

import { createMcp } from "@holdpoint/mcp"
import type { Call, ExitCode } from "../command.ts"
import { stopped } from "../stop-signal.ts"
import { createPersonalAccounts, createSingle } from "./accounts.ts"
import { withLocalHoldpoint } from "./local-holdpoint.ts"
import { toMcpOptions } from "./mcp-options.ts"
import type { Plan } from "./plan.ts"

export async function serveStdio(call: Call, plan: Plan): Promise<ExitCode> {
  await withLocalHoldpoint(call, plan, async (holdpoint) => {
    const { nextcloud, settings } = plan
    const { mode } = nextcloud
    const { tenant, subject } = settings.me
    const accounts =
      mode.kind === "single" ? createSingle(nextcloud, mode) : createPersonalAccounts(nextcloud, holdpoint)
    const mcp = createMcp({
      ...holdpoint,
      ...toMcpOptions(plan, { accounts, choices: holdpoint.choices, report: holdpoint.report }),
      callers: { local: { tenant, issuer: "local", subject } },
    })
    const stdio = mcp.stdio()
    await Promise.race([stdio.closed, stopped(call.io.signal)])
    await mcp.close()
  })
  return 0
}
