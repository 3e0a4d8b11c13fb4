// Caches the number of open questions of each tenant. Inserts rely on a cached count until the trail has grown so much
// that the tenant's limit could be reached. Then, and without a cached count, inserts count exactly.

import type { OpenCount } from "./rows.ts"

/**
 * Returns the cached count of a tenant, or `unknownCount` without one. When the count is too old to show that the
 * tenant is below the limit, also starts a new count in the background.
 */
export type OpenCountOf = (tenant: string, limit: number) => OpenCount

/** The number of tenants whose counts are cached. */
const maxCachedTenants = 10_000

/** The least number of new trail entries between two counts of a tenant. */
const recountAfter = 100

/** More than any limit, so that an insert counts exactly. */
const unknownCount: OpenCount = { open: 2 ** 50, position: 0 }

export function createOpenCounts(options: {
  readonly count: (tenant: string) => Promise<OpenCount>
  /** The last position of the trail that this process has seen. */
  readonly position: () => number
}): OpenCountOf {
  const countByTenant = new Map<string, OpenCount>()
  const runningCounts = new Set<string>()

  const recount = async (tenant: string): Promise<void> => {
    if (runningCounts.has(tenant)) return
    runningCounts.add(tenant)
    try {
      const openCount = await options.count(tenant)
      if (countByTenant.size >= maxCachedTenants) countByTenant.clear()
      countByTenant.set(tenant, openCount)
    } finally {
      runningCounts.delete(tenant)
    }
  }

  return (tenant, limit) => {
    const cachedCount = countByTenant.get(tenant)
    const newEntries = cachedCount === undefined ? recountAfter : options.position() - cachedCount.position
    if (cachedCount !== undefined && cachedCount.open + newEntries < limit) return cachedCount
    // After an error, inserts still count exactly, and the next insert tries to cache a count again.
    if (newEntries >= recountAfter) recount(tenant).catch(() => {})
    return cachedCount ?? unknownCount
  }
}
