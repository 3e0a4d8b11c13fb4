// The canary: a sealed value that is opened at every start. If it does not open, the keys are wrong and the start
// fails, before anything is sealed with keys of another database.

import { HoldpointError, isHoldpointError } from "../core/error.ts"
import { sealBindings } from "../core/seal-bindings.ts"
import type { Sealer } from "../ports/sealer.ts"
import type { Storage } from "../ports/storage.ts"
import type { DataKey } from "./records.ts"
import { dataKeyKind } from "./records.ts"

const canaryRecord: Omit<DataKey, "sealed" | "createdAt"> = { id: "canary", tenant: "", purpose: "canary", version: 1 }
const canaryText = "holdpoint"

/**
 * Throws `wrong_key` when these are not the keys that the database was used with. A new database accepts any
 * keys, and requires the same keys from then on.
 */
export async function checkKeys(storage: Storage, sealer: Sealer, now: () => number = Date.now): Promise<void> {
  const dataKeys = storage.records(dataKeyKind)
  const canary = await dataKeys.get(canaryRecord.id)
  if (canary === undefined) {
    const sealed = sealer.seal(sealBindings.data_key(canaryRecord), { song: canaryText })
    if (await dataKeys.insert({ ...canaryRecord, createdAt: now(), sealed })) return
    // Another process has stored its canary first, perhaps with other keys.
    return checkKeys(storage, sealer, now)
  }
  assertCanaryOpens(sealer, canary)
  if (canary.sealed.keyId === sealer.keyId) return
  // A lost race is fine: the other process rewraps the canary in the same way.
  await dataKeys.replace({
    ...canary,
    version: canary.version + 1,
    sealed: sealer.rewrap(sealBindings.data_key(canary), canary.sealed),
  })
}

/** Whether this database has been used with keys before. Then new keys must not be created. */
export async function hasKeys(storage: Storage): Promise<boolean> {
  return (await storage.records(dataKeyKind).get(canaryRecord.id)) !== undefined
}

/** Returns why the canary does not open with these keys. Undefined when it opens, or when there is no canary yet. */
export async function whatIsWrong(storage: Storage, sealer: Sealer): Promise<string | undefined> {
  const canary = await storage.records(dataKeyKind).get(canaryRecord.id)
  try {
    if (canary !== undefined) assertCanaryOpens(sealer, canary)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function assertCanaryOpens(sealer: Sealer, canary: DataKey): void {
  try {
    if (sealer.open(sealBindings.data_key(canary), canary.sealed).song === canaryText) return
  } catch (error) {
    if (!isHoldpointError(error) || error.code !== "sealed_unreadable") throw error
  }
  throw new HoldpointError(
    "wrong_key",
    `These keys are not the ones that the database was sealed with: it uses the key “${canary.sealed.keyId.slice(0, 64)}”.\n` +
      "Give the keys that it was used with before: in HOLDPOINT_KEYS, or as the file holdpoint.keys beside the database\n" +
      "(perhaps it is in a backup). `holdpoint keys status` shows which keys are used and which are there.\n" +
      "Nothing was changed. Without the key, what is sealed cannot be recovered: start with an empty database.",
  )
}
