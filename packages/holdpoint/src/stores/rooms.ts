// What this process knows about the open questions of each tenant: a count that inserts rely on until the trail has
// grown so much since that the limit of the tenant could be reached. Then, and without a count, inserts count exactly.

import type { Room } from "./rows.ts"

/** Returns the last count of a tenant, for a limit of `most` open questions. Counts again when that count is too old. */
export type RoomOf = (tenant: string, most: number) => Room

/** How many tenants are remembered. */
const mostTenants = 10_000

/** How many entries the trail grows by before it is worth counting again. */
const recountAfter = 100

/** More than any limit, so that an insert counts exactly. */
const uncounted: Room = { open: 2 ** 50, position: 0 }

export function createRooms(options: {
  readonly count: (tenant: string) => Promise<Room>
  /** The last position of the trail that this process has seen. */
  readonly position: () => number
}): RoomOf {
  const known = new Map<string, Room>()
  const counting = new Set<string>()

  const recount = async (tenant: string): Promise<void> => {
    if (counting.has(tenant)) return
    counting.add(tenant)
    try {
      const room = await options.count(tenant)
      if (known.size >= mostTenants) known.clear()
      known.set(tenant, room)
    } catch {
      // Inserts go on counting exactly, and the next one tries again.
    } finally {
      counting.delete(tenant)
    }
  }

  return (tenant, most) => {
    const room = known.get(tenant)
    const since = room === undefined ? recountAfter : options.position() - room.position
    if (room !== undefined && room.open + since < most) return room
    if (since >= recountAfter) void recount(tenant)
    return room ?? uncounted
  }
}
