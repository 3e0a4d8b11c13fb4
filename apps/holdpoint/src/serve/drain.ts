// Stops a server in two steps: it reports that it is not ready while it still answers, and then it stops.

import type { Io } from "../io.ts"
import { stopped } from "../stop-signal.ts"
import type { Health } from "./health.ts"

/**
 * Waits for the signal that ends a server. After SIGTERM the server reports that it is not ready and keeps answering for
 * `drainMs`, so that load balancers can send their requests elsewhere. Ctrl-C does not wait.
 */
export async function drain({ signal, runtime }: Io, health: Health, drainMs: number): Promise<void> {
  await stopped(signal)
  health.stop()
  if (signal.reason === "SIGTERM") await new Promise<void>((resolve) => runtime.after(drainMs, resolve))
}
