// Serves stdio for the person at this machine. What a client waits for at the start is imported first; the pages and the
// vault are opened when a call needs them.

import { createMcp } from "@holdpoint/sdk/mcp"
import type { Call, ExitCode } from "../command.ts"
import { stopped } from "../stopped.ts"
import { createOwn, createSingle } from "./accounts.ts"
import { onOwnGround } from "./own-pages.ts"
import type { Plan } from "./place.ts"
import { toMcpOptions } from "./tools.ts"

export async function serveStdio(call: Call, plan: Plan): Promise<ExitCode> {
  await onOwnGround(call, plan, async (holdpoint) => {
    const { nextcloud, settings } = plan
    const { mode } = nextcloud
    const { tenant, subject } = settings.me
    const accounts = mode.kind === "single" ? createSingle(nextcloud, mode) : createOwn(nextcloud, holdpoint)
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
