// What exists nowhere else yet is written again and again while the database is away.

import { isHoldpointError } from "../core/error.ts"
import type { VaultParts } from "./parts.ts"

/** Until the database is back, for about a minute. */
export async function retryWhileStoreIsAway<T>(
  { tools: { runtime } }: Pick<VaultParts, "tools">,
  work: () => Promise<T>,
): Promise<T> {
  for (let pauseMs = 50; ; pauseMs *= 2) {
    try {
      return await work()
    } catch (error) {
      if (!isHoldpointError(error) || error.code !== "store_unavailable" || pauseMs > 30_000) throw error
      await new Promise<void>((resolve) => void runtime.after(pauseMs, resolve))
    }
  }
}
