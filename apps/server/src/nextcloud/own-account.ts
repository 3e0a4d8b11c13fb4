// For the doctor: the account that the person at this machine has connected, if there is one. Asks nobody, and makes
// neither a database nor keys.

import { existsSync } from "node:fs"
import type { Accounts } from "@holdpoint/nextcloud"
import { createAddresses, createHub } from "@holdpoint/sdk"
import { apiLimits, createGuardedFetch, createVault, metadataLimits } from "@holdpoint/sdk/vault"
import type { Call } from "../command.ts"
import { isPostgres } from "../redact.ts"
import { openSealed } from "../sealed.ts"
import { createOwn, networkOf, toProvider } from "./accounts.ts"
import type { Plan } from "./place.ts"

export type FoundAccount = NonNullable<Awaited<ReturnType<Accounts["find"]>>>

export interface OwnAccount {
  readonly account?: FoundAccount
  /** Why there is none although there should be. */
  readonly problem?: string
  close(): Promise<void>
}

const nothing: OwnAccount = { close: async () => {} }

/** Nobody is asked, so nobody is sent anywhere. */
const addresses = createAddresses("http://127.0.0.1")

export async function findOwnAccount({ io }: Call, plan: Plan): Promise<OwnAccount> {
  const { nextcloud, settings } = plan
  const { mode } = nextcloud
  if (mode.kind !== "offline" || !hasBegun(plan)) return nothing
  const network = networkOf(nextcloud, settings)
  const { storage, sealer } = await openSealed({ ...settings, advise: () => {}, report: () => {} })
  const hub = createHub({ storage, outlets: [], runtime: io.runtime, report: () => {} })
  const vault = await createVault({
    ...{ storage, sealer, runtime: io.runtime, questions: hub, addresses, report: () => {} },
    providers: [await toProvider(nextcloud, mode.access, undefined)],
    fetch: createGuardedFetch({ ...metadataLimits, ...network }),
    apiFetch: createGuardedFetch({ ...apiLimits, ...network }),
  })
  const close = async (): Promise<void> => {
    await vault.close()
    await hub.close()
    await storage.close()
  }
  const { tenant, subject } = settings.me
  try {
    const accounts = createOwn(nextcloud, { hub, addresses, vault: async () => vault })
    const account = await accounts.find({ principal: { tenant, issuer: "local", subject } })
    return { close, ...(account === undefined ? {} : { account }) }
  } catch (error) {
    return { close, problem: `Your account: ${error instanceof Error ? error.message : String(error)}` }
  }
}

/** Somebody was here before: there are a database and its keys. */
function hasBegun({ settings }: Plan): boolean {
  const { database, keys } = settings
  return (isPostgres(database) || existsSync(database)) && ("text" in keys || existsSync(keys.file))
}
