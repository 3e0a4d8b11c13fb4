// Waits for a database that cannot be reached yet: a server that starts before its database must not end.

import { isHoldpointError } from "@holdpoint/hub"
import type { Call } from "../command.ts"
import { isPostgres, redact } from "../redact.ts"
import { unlessStopped } from "../stop-signal.ts"

/**
 * Opens a database, again and again with growing delays while a Postgres server cannot be reached. A file that cannot be
 * opened does not become usable by waiting. Rejects when the command is stopped.
 */
export async function awaitDatabase<T>(
  { io, out }: Pick<Call, "io" | "out">,
  database: string,
  open: () => Promise<T>,
): Promise<T> {
  for (let delayMs = firstDelayMs; ; delayMs = Math.min(delayMs * 2, lastDelayMs)) {
    try {
      const opened = await open()
      if (delayMs > firstDelayMs) out.note("The database can be reached now.")
      return opened
    } catch (error) {
      const isAway = isHoldpointError(error) && error.code === "store_unavailable" && isPostgres(database)
      if (!isAway) throw error
      if (delayMs === firstDelayMs)
        out.note(`${redact(error.message, database)}. Holdpoint waits for it, and tries again.`)
      await unlessStopped(io.signal, new Promise<void>((resolve) => void io.runtime.after(delayMs, resolve)))
    }
  }
}

const firstDelayMs = 250
const lastDelayMs = 10_000
