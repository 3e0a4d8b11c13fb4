// Builds the HTTP side: identity, authorization server, mounts, and the pages, which come last.

import type { Vault } from "@holdpoint/accounts"
import { HoldpointError } from "@holdpoint/hub"
import type { Fetch, Mount } from "@holdpoint/hub/internal"
import type { KeyRing } from "@holdpoint/hub/sealing"
import { createTokens } from "@holdpoint/hub/sealing"
import { createStreamPlaces } from "../api/index.ts"
import { apiResource, createApi } from "../http/api.ts"
import { problemPage } from "../http/authorize.ts"
import { localCallerOf } from "../http/local-callers.ts"
import { createPages } from "../http/pages.ts"
import type { PageReach } from "../http/reach.ts"
import { createAuthorizationServer } from "../identity/authorization/load.ts"
import type { AuthorizationServer } from "../identity/authorization/server.ts"
import { createIdentity, type Identity } from "../identity/identity.ts"
import type { LocalIdentity } from "../identity/local.ts"
import { listSignedIn } from "../identity/people.ts"
import { createPrograms } from "../identity/programs/programs.ts"
import type { Parts } from "./parts.ts"
import type { Site } from "./result.ts"
import { toGuardedFetch, type VaultOptionsOfHoldpoint } from "./vault.ts"

export interface OpenSite {
  readonly site: Site
  readonly mounts: readonly Mount[]
  close(): Promise<void>
}

interface SiteParts extends VaultOptionsOfHoldpoint {
  readonly keys: KeyRing | (() => KeyRing)
  readonly vault: Vault
  readonly local: LocalIdentity | undefined
  readonly reach: PageReach
  readonly parts: Parts
}

export async function openSite(parts: SiteParts): Promise<OpenSite> {
  const { addresses, storage, keys, hub, vault, runtime, report, local, consent } = parts
  const guardedFetch = toGuardedFetch(parts)
  const identity = local ?? toIdentity(parts, guardedFetch)
  const authorization = await toAuthorization(parts, guardedFetch)
  const authorizing = authorization === undefined ? {} : { authorization }
  const callback = consent?.callbackUrl === undefined ? {} : { callbackUrl: consent.callbackUrl }
  const programs = createPrograms({ storage, runtime })
  const people = (tenant: string) => listSignedIn({ storage, runtime }, tenant)
  const places = createStreamPlaces()
  const pages = createPages({
    hub,
    vault,
    identity,
    addresses,
    runtime,
    report,
    programs,
    reach: parts.reach,
    places,
    parts: parts.parts.pages,
    ...callback,
    ...authorizing,
    tokens: createTokens(keys),
    ...parts.pages,
  })
  const personHere: Site["personHere"] = async (request) =>
    local === undefined ? undefined : localCallerOf(request, { identity: local, addresses })
  const localRefusal = async (request: Request): Promise<string | undefined> => {
    const caller = await personHere(request)
    return caller !== undefined && "refusal" in caller ? caller.refusal : undefined
  }
  const site: Site = {
    personHere,
    ...{ addresses, storage, keys, hub, vault, runtime, report, identity, guardedFetch, places, ...authorizing },
    callersAt(path) {
      if (local !== undefined) return { local: local.principal, refusal: localRefusal }
      if (authorization !== undefined) return authorization.protect(path)
      throw new HoldpointError(
        "invalid_config",
        "People sign in here, but no authorization server is configured for the programs' tokens.",
      )
    },
  }
  const api = createApi({
    ...{ hub, identity, addresses, runtime, report, programs, people, places },
    ...apiTokens(parts, authorization),
    ...(parts.programs === undefined ? {} : { limits: parts.programs }),
  })
  const mounts = [
    ...(authorization === undefined ? [] : [authorization]),
    ...(await parts.parts.mount(site)),
    ...((await parts.mounts?.(site)) ?? []),
    api,
    pages,
  ]
  parts.parts.start()
  const stopSweeping = sweepRegularly(identity, parts)
  return {
    site,
    mounts,
    async close() {
      stopSweeping()
      for (const mount of mounts) await mount.close()
    },
  }
}

/** People's tokens are accepted by the API when the authorization server issues them for it. */
function apiTokens({ authorization }: SiteParts, server: AuthorizationServer | undefined) {
  const isIssued = authorization?.resources.some(({ resource }) => resource === apiResource.resource) === true
  return server === undefined || !isIssued ? {} : { resource: server.protect(apiResource.resource) }
}

function toIdentity({ people, storage, sealer, addresses, runtime, report }: SiteParts, fetch: Fetch): Identity {
  const providers = people.from === "providers" ? people.providers : []
  return createIdentity({ storage, sealer, providers, addresses, fetch, runtime, report })
}

async function toAuthorization(parts: SiteParts, fetch: Fetch): Promise<AuthorizationServer | undefined> {
  const { authorization, addresses, local, storage, sealer, runtime, report } = parts
  if (authorization === undefined) return undefined
  if (local !== undefined)
    throw new HoldpointError(
      "invalid_config",
      "The built-in authorization server needs people who sign in, and local mode has none. Set up an identity provider, or leave the authorization server out.",
    )
  const { publicUrl: issuer } = addresses
  return createAuthorizationServer({
    ...{ issuer, storage, sealer, fetch, runtime, report, problemPage },
    ...authorization,
  })
}

/** Removes expired sessions, or in local mode expired claims, every ten minutes. */
function sweepRegularly(identity: Identity | LocalIdentity, { runtime, report }: SiteParts): () => void {
  const sweep = (): void => {
    identity.sweep().catch((error: unknown) => report("removing old sessions", error))
    stop = runtime.after(sweepEveryMs, sweep)
  }
  let stop = runtime.after(sweepEveryMs, sweep)
  return () => stop()
}

const sweepEveryMs = 10 * 60_000
