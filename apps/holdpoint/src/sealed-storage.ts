// Opens the configured database. Its secrets are sealed with the configured keys.

import { existsSync } from "node:fs"
import type { Storage } from "@holdpoint/hub"
import { HoldpointError } from "@holdpoint/hub"
import type { KeyRing, Sealer } from "@holdpoint/hub/sealing"
import { createSealer, hasKeys, openKeyFile, parseKeyRing, sealStorage } from "@holdpoint/hub/sealing"
import { isPostgres } from "./redact.ts"

/**
 * Where the keys are: in a setting, which is fixed until a restart, or in a file, which is read again when it changes.
 */
export type KeySource = { readonly text: string } | { readonly file: string }

export interface SealedStorage {
  readonly storage: Storage
  readonly sealer: Sealer
  readonly keys: () => KeyRing
}

export interface SealedOptions {
  readonly database: string
  readonly keys: KeySource
  /** Called with advice for production when keys were created, and when a changed key file cannot be used. */
  readonly advise: (words: string) => void
  /** Called for answers that cannot be unsealed. */
  readonly report: (activity: string, error: unknown) => void
  /** Called when newer programs have migrated the database, so that this one has to stop. */
  readonly onTooNew?: ((error: Error) => void) | undefined
}

/** Throws `wrong_key` unless the keys open this database. */
export async function openSealed({ database, keys, advise, report, onTooNew }: SealedOptions): Promise<SealedStorage> {
  const storage = await openPlain(database, { onTooNew })
  try {
    const ring = await keysOf({ database, keys, storage, advise })
    const sealer = createSealer(ring)
    return { storage: await sealStorage(storage, sealer, { report }), sealer, keys: ring }
  } catch (error) {
    await storage.close()
    throw error
  }
}

export async function openPlain(database: string, options: Pick<SealedOptions, "onTooNew"> = {}): Promise<Storage> {
  if (isPostgres(database)) {
    const { openPostgres } = await import("@holdpoint/hub/postgres")
    return openPostgres(database, options)
  }
  const { openSqlite } = await import("@holdpoint/hub/sqlite")
  return openSqlite(database, options)
}

async function keysOf({
  database,
  keys,
  storage,
  advise,
}: Pick<SealedOptions, "database" | "keys" | "advise"> & { readonly storage: Storage }): Promise<() => KeyRing> {
  if ("text" in keys) {
    const ring = parseKeyRing(keys.text, "HOLDPOINT_KEYS")
    return () => ring
  }
  // Several machines use a Postgres database: keys that one of them creates for itself would lock out the others.
  if (isPostgres(database) && !existsSync(keys.file)) throw noKeys()
  return openKeyFile(keys.file, { mayCreate: !(await hasKeys(storage)), warn: advise })
}

function noKeys(): HoldpointError {
  return new HoldpointError(
    "wrong_key",
    "There are no keys for this database. Keys for a Postgres database are never created automatically.\n" +
      "Make one with `holdpoint keys generate`, and set HOLDPOINT_KEYS to it in every process that uses the database.",
  )
}
