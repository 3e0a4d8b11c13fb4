// What the Nextcloud server stands on: a sealed database where consents are kept, or memory where there is nothing to keep.

import type { Storage } from "@holdpoint/sdk"
import { createMemoryStorage } from "@holdpoint/sdk"
import type { KeyRing, Sealer } from "@holdpoint/sdk/sealing"
import { createSealer, withNewKey } from "@holdpoint/sdk/sealing"
import { openSealed } from "../sealed.ts"
import type { Plan } from "./place.ts"

export interface Ground {
  readonly storage: Storage
  readonly sealer: Sealer
  readonly keys: () => KeyRing
  readonly report: (doing: string, error: unknown) => void
}

export async function openGround({ nextcloud, settings }: Plan, report: Ground["report"]): Promise<Ground> {
  if (nextcloud.mode.kind === "offline")
    return { ...(await openSealed({ ...settings, advise: () => {}, report })), report }
  const ring = withNewKey()
  const keys = (): KeyRing => ring
  return { storage: createMemoryStorage(), sealer: createSealer(keys), keys, report }
}
