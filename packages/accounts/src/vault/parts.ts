// The dependencies that the vault's files share, composed in vault.ts.

import type { Addresses, Storage } from "@holdpoint/hub"
import { HoldpointError } from "@holdpoint/hub"
import { nearest } from "@holdpoint/hub/forms"
import type { Fetch, Provider, Providers, Questions } from "@holdpoint/hub/internal"
import type { Sealer } from "@holdpoint/hub/sealing"
import type { Kind, Tools } from "./kind.ts"
import type { VaultTimes } from "./times.ts"

export interface VaultParts {
  readonly storage: Storage
  readonly sealer: Sealer
  readonly questions: Questions
  readonly providers: Providers
  /** Returns the implementation for the provider's kind. */
  readonly kindOf: (provider: Provider) => Kind<Provider>
  /** The runtime, and the guarded fetch for metadata, tokens and identities. */
  readonly tools: Tools
  /** A guarded fetch without a size limit, for authors' calls. */
  readonly apiFetch: Fetch
  readonly addresses: Addresses
  readonly vaultTimes: VaultTimes
  /** Counts a call with credentials that the provider answered with 401. */
  readonly unauthorized: (provider: string) => void
  /** Reports background failures. Never gets a secret. */
  readonly report: (activity: string, error: unknown) => void
  /** Runs work in the background and reports what it throws. Closing waits for it. */
  background(activity: string, work: () => Promise<void>): void
}

export function providerOf({ providers }: Pick<VaultParts, "providers">, id: string): Provider {
  const provider = providers.get(id)
  if (provider !== undefined) return provider
  const providerIds = [...providers.keys()]
  const suggestion = nearest(id, providerIds)
  const help =
    providerIds.length === 0
      ? "No provider is set up here: list them under `providers`."
      : suggestion === undefined
        ? `The configured providers are ${providerIds.join(", ")}.`
        : `Did you mean ${suggestion}?`
  throw new HoldpointError("unknown_provider", `There is no provider “${id}”. ${help}`)
}
