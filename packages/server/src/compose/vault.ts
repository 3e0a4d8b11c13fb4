// Creates the vault with two guarded fetches, one for metadata and one for the APIs of providers. Loaded on first use,
// because it loads network code.

import { createVault, type Vault } from "@holdpoint/accounts"
import { apiLimits, createGuardedFetch, metadataLimits } from "@holdpoint/fetching/internal"
import type { Addresses, Hub, Runtime } from "@holdpoint/hub"
import type { Fetch, Provider } from "@holdpoint/hub/internal"
import type { Sealer } from "@holdpoint/hub/sealing"
import type { HoldpointOptions } from "./options.ts"

export interface VaultOptionsOfHoldpoint extends Omit<HoldpointOptions, "hub" | "providers" | "parts"> {
  readonly providers: readonly Provider[]
  readonly sealer: Sealer
  readonly addresses: Addresses
  readonly hub: Hub
  readonly runtime: Runtime
  readonly report: (activity: string, error: unknown) => void
}

export const toGuardedFetch = ({ network }: VaultOptionsOfHoldpoint): Fetch =>
  createGuardedFetch({ ...metadataLimits, ...network })

export function openVault(parts: VaultOptionsOfHoldpoint): Vault {
  const { storage, sealer, providers, addresses, hub, runtime, report, network, consent, vaultTimes, observer } = parts
  return createVault({
    ...{ storage, sealer, providers, addresses, runtime, report, questions: hub },
    fetch: toGuardedFetch(parts),
    apiFetch: createGuardedFetch({ ...apiLimits, ...network }),
    ...(consent === undefined ? {} : { consent }),
    ...(observer === undefined ? {} : { observer }),
    ...(vaultTimes === undefined ? {} : { times: vaultTimes }),
  })
}
