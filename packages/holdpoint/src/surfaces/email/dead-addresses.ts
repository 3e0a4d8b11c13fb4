// Addresses that a mail server does not know: noted when it says so, at once or in a bounce, and forgotten when the
// person says that the address works again.

import type { Runtime } from "../../ports/runtime.ts"
import type { Storage } from "../../ports/storage.ts"
import { deadAddressKind, deadIdOf } from "./records.ts"

export interface DeadAddresses {
  /** Undefined while mails may be sent there. */
  find(tenant: string, address: string): Promise<{ readonly at: number; readonly status: string } | undefined>
  note(tenant: string, address: string, status: string): Promise<void>
  forget(tenant: string, address: string): Promise<void>
}

export function createDeadAddresses(storage: Pick<Storage, "records">, runtime: Pick<Runtime, "now">): DeadAddresses {
  const records = storage.records(deadAddressKind)
  return {
    async find(tenant, address) {
      const known = await records.get(deadIdOf(tenant, address))
      // Housekeeping may not have removed an expired record yet.
      const isKept = known !== undefined && runtime.now() < (deadAddressKind.expiresAt(known) ?? 0)
      return isKept ? { at: known.at, status: known.status } : undefined
    },
    async note(tenant, address, status) {
      const id = deadIdOf(tenant, address)
      const known = await records.get(id)
      const next = { id, tenant, version: (known?.version ?? 0) + 1, status, at: runtime.now() }
      // Another process may have noted it just now.
      await (known === undefined ? records.insert(next) : records.replace(next))
    },
    async forget(tenant, address) {
      for (let tries = 0; tries < 5; tries++) {
        const known = await records.get(deadIdOf(tenant, address))
        if (known === undefined || (await records.remove(known))) return
      }
    },
  }
}
