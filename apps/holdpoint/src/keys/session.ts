// Opens the database without unsealing, and reads the key ring, for all actions of `holdpoint keys`.

import { existsSync } from "node:fs"
import type { Storage } from "@holdpoint/hub"
import type { KeyRing, KeyUse, Sealer } from "@holdpoint/hub/sealing"
import {
  checkKeys,
  createSealer,
  hasKeys,
  keyStatus,
  openKeyFile,
  parseKeyRing,
  readKeyFile,
} from "@holdpoint/hub/sealing"
import type { Call } from "../command.ts"
import type { Settings } from "../config.ts"
import type { KeySource } from "../sealed-storage.ts"
import { openPlain } from "../sealed-storage.ts"
import { assertExists, note } from "../session.ts"
import { wrongUse } from "../wrong-use.ts"

export interface KeySession {
  readonly storage: Storage
  readonly settings: Settings
}

export async function withPlainStorage<T>(call: Call, work: (session: KeySession) => Promise<T>): Promise<T> {
  const settings = await call.settings()
  assertExists(call, settings)
  const storage = await openPlain(settings.database)
  try {
    return await work({ storage, settings })
  } finally {
    await storage.close()
  }
}

export function readRing(keys: KeySource): KeyRing {
  return "file" in keys ? readKeyFile(keys.file) : parseKeyRing(keys.text, "HOLDPOINT_KEYS")
}

/** Throws unless the keys open this database. The sealer reads the key file again when it changes. */
export async function checkedSealer(call: Call, { storage, settings }: KeySession): Promise<Sealer> {
  const sealer = createSealer(await keysInUse(call, storage, settings.keys))
  await checkKeys(storage, sealer)
  return sealer
}

async function keysInUse(call: Call, storage: Storage, keys: KeySource): Promise<KeyRing | (() => KeyRing)> {
  if ("text" in keys) return readRing(keys)
  if (!existsSync(keys.file) && !(await hasKeys(storage))) {
    throw wrongUse("There are no keys yet.", "They are made when the database is first used.")
  }
  return openKeyFile(keys.file, { mayCreate: false, warn: (words) => note(call, words) })
}

/** The ring's keys other than the current one, with the number of records that each has sealed. */
export async function oldKeys({ storage, settings }: KeySession): Promise<readonly KeyUse[]> {
  const uses = await keyStatus(storage, readRing(settings.keys))
  return uses.filter(({ isCurrent, isInRing }) => isInRing && !isCurrent)
}

export const totalOf = (uses: readonly KeyUse[]): number => uses.reduce((sum, { records }) => sum + records, 0)

export const records = (count: number): string => (count === 1 ? "1 record" : `${count} records`)
