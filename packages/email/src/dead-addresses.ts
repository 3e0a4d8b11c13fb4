// Stores addresses that do not exist according to a mail server, in its response or in a bounce. An address is removed
// when the person says that it works again.

import type { Runtime, Storage } from "@holdpoint/hub"
import { change, changeOrInsert } from "@holdpoint/hub/internal"
import { deadAddressKind, deadIdOf } from "./records.ts"

export interface DeadAddresses {
  /** Returns when and why the address was recorded. Undefined while mails may be sent to it. */
  find(tenant: string, address: string): Promise<{ readonly at: number; readonly status: string } | undefined>
  note(tenant: string, address: string, status: string): Promise<void>
  forget(tenant: string, address: string): Promise<void>
}

export function createDeadAddresses(storage: Pick<Storage, "records">, runtime: Pick<Runtime, "now">): DeadAddresses {
  const records = storage.records(deadAddressKind)
  return {
    async find(tenant, address) {
      const stored = await records.get(deadIdOf(tenant, address))
      // Housekeeping may not have removed an expired record yet.
      const isKept = stored !== undefined && runtime.now() < (deadAddressKind.expiresAt(stored) ?? 0)
      return isKept ? { at: stored.at, status: stored.status } : undefined
    },
    async note(tenant, address, status) {
      const id = deadIdOf(tenant, address)
      await changeOrInsert(records, id, () => ({ id, tenant, version: 0, status, at: runtime.now() }))
    },
    async forget(tenant, address) {
      await change(records, deadIdOf(tenant, address), () => "remove")
    },
  }
}
