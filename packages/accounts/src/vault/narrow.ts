// Removes single scopes from a connection. Only for scopes that Holdpoint enforces: a provider's own scopes cannot be
// reduced without a new consent.

import type { PrincipalId } from "@holdpoint/hub"
import { HoldpointError } from "@holdpoint/hub"
import type { Connection } from "@holdpoint/hub/internal"
import { hasOwnScopes, toPrincipalId } from "@holdpoint/hub/internal"
import { change } from "./change.ts"
import type { VaultParts } from "./parts.ts"
import { providerOf } from "./parts.ts"

export async function narrow(
  parts: VaultParts,
  id: string,
  { scopes, by }: { readonly scopes: readonly string[]; readonly by: PrincipalId },
): Promise<Connection> {
  const changed = await change(
    parts,
    id,
    (current) => {
      const provider = providerOf(parts, current.provider)
      if (hasOwnScopes(provider)) throw notEnforcedError(provider.name)
      return current.scopes.some((scope) => scopes.includes(scope)) ? { type: "narrow", scopes } : undefined
    },
    { entryKind: "narrowed", by: toPrincipalId(by) },
  )
  if (changed.ok) return changed.connection
  throw new HoldpointError(changed.code, changed.message)
}

const notEnforcedError = (name: string): HoldpointError =>
  new HoldpointError(
    "wrong_mode",
    `${name} grants all scopes together, so none can be removed here. Disconnect the account and connect it again.`,
  )
