// Storage and keys of a server that MCP clients start: the configured database, or memory if nothing has to outlive the
// process.

import type { Storage } from "@holdpoint/hub"
import { createMemoryStorage } from "@holdpoint/hub"
import type { KeyRing } from "@holdpoint/hub/sealing"
import { withNewKey } from "@holdpoint/hub/sealing"
import { createBackgroundReport } from "../background-report.ts"
import type { Call } from "../command.ts"
import type { Settings } from "../config.ts"
import { openSealed } from "../sealed-storage.ts"
import { awaitDatabase } from "./await-database.ts"

export interface ServerStorage {
  readonly storage: Storage
  readonly keys: () => KeyRing
  readonly report: (activity: string, error: unknown) => void
  /** Aborted when newer programs have migrated the database, so that this one has to stop. */
  readonly unusable: AbortSignal
}

export interface StoragePlan {
  readonly settings: Settings
  /** Whether the database of the settings is used. */
  readonly usesDatabase: boolean
  /** Whether to wait for a database that cannot be reached yet. */
  readonly awaits?: boolean | undefined
}

export async function openServerStorage(
  call: Call,
  { settings, usesDatabase, awaits }: StoragePlan,
): Promise<ServerStorage> {
  const report = createBackgroundReport(call, settings)
  const unusable = new AbortController()
  if (usesDatabase) {
    const onTooNew = (error: Error): void => unusable.abort(error)
    const open = () => openSealed({ ...settings, advise: () => {}, report, onTooNew })
    const { storage, keys } = await (awaits === true ? awaitDatabase(call, settings.database, open) : open())
    return { storage, keys, report, unusable: unusable.signal }
  }
  const ring = withNewKey()
  return { storage: createMemoryStorage(), keys: () => ring, report, unusable: unusable.signal }
}
