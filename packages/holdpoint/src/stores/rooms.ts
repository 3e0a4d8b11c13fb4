// Caches the number of open questions of each tenant. Inserts rely on a cached count until the trail has grown so much
// that the tenant's limit could be reached. Then, and without a cached count, inserts count exactly.

import type { OpenCount } from "./rows.ts"

/**
 * Returns the last count of a tenant, for a limit of `most` open questions. Counts again when that count is too old.
 */
export type OpenCountOf = (tenant: string, most: number) => OpenCount

/** The number of tenants whose counts are cached. */
const maxCachedTenants = 10_000

/** The number of new trail entries after which a tenant is counted again. */
const recountAfter = 100

/** More than any limit, so that an insert counts exactly. */
const uncounted: OpenCount = { open: 2 ** 50, position: 0 }

export function createRooms(options: {
  readonly count: (tenant: string) => Promise<OpenCount>
  /** The last position of the trail that this process has seen. */
  readonly position: () => number
}): OpenCountOf {
  const counts = new Map<string, OpenCount>()
  const counting = new Set<string>()

  const recount = async (tenant: string): Promise<void> => {
    if (counting.has(tenant)) return
    counting.add(tenant)
    try {
      const room = await options.count(tenant)
      if (counts.size >= maxCachedTenants) counts.clear()
      counts.set(tenant, room)
    } catch {
      // Inserts still count exactly, and the next insert tries to cache a count again.
    } finally {
      counting.delete(tenant)
    }
  }

  return (tenant, most) => {
    const room = counts.get(tenant)
    const newEntries = room === undefined ? recountAfter : options.position() - room.position
    if (room !== undefined && room.open + newEntries < most) return room
    if (newEntries >= recountAfter) void recount(tenant)
    return room ?? uncounted
  }
}
