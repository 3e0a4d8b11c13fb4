// Retries a write of data that exists nowhere else while the database is unavailable.

import { isHoldpointError } from "@holdpoint/hub"
import type { VaultParts } from "./parts.ts"

/** Retries with backoff for about a minute. */
export async function retryWhileStoreUnavailable<T>(
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
