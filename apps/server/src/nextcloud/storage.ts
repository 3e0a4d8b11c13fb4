// Storage and keys of the Nextcloud server: a sealed database where consents are stored or processes share calls,
// otherwise memory.

import type { Storage } from "@holdpoint/sdk"
import { createMemoryStorage } from "@holdpoint/sdk"
import type { KeyRing } from "@holdpoint/sdk/sealing"
import { withNewKey } from "@holdpoint/sdk/sealing"
import type { Call } from "../command.ts"
import { openSealed } from "../sealed.ts"
import { isKept, type Plan } from "./plan.ts"

export interface NextcloudStorage {
  readonly storage: Storage
  readonly keys: () => KeyRing
  readonly report: (doing: string, error: unknown) => void
}

export async function openNextcloudStorage({ out, io }: Call, plan: Plan): Promise<NextcloudStorage> {
  const report = (doing: string, error: unknown): void =>
    out.note(`holdpoint: ${doing} failed: ${error instanceof Error ? error.message : String(error)}`)
  if (isKept(plan, io.env)) {
    const { storage, keys } = await openSealed({ ...plan.settings, advise: () => {}, report })
    return { storage, keys, report }
  }
  const ring = withNewKey()
  return { storage: createMemoryStorage(), keys: () => ring, report }
}
