// For the doctor: finds the account that the person at this machine has connected. Asks no questions, and creates
// neither a database nor keys.

import { existsSync } from "node:fs"
import type { Accounts } from "@holdpoint/nextcloud"
import { createLazyHoldpoint } from "@holdpoint/server"
import type { Call } from "../command.ts"
import { isPostgres } from "../redact.ts"
import { openSealed } from "../sealed-storage.ts"
import { createPersonalAccounts, networkOf, toProvider } from "./accounts.ts"
import type { Plan } from "./plan.ts"

export type FoundAccount = NonNullable<Awaited<ReturnType<Accounts["find"]>>>

export interface OwnAccount {
  readonly account?: FoundAccount
  /** Why a connected account cannot be used. */
  readonly problem?: string
  close(): Promise<void>
}

const noAccount: OwnAccount = { close: async () => {} }

/** A placeholder: the doctor asks no questions, so it makes no links. */
const publicUrl = "http://127.0.0.1"

export async function findOwnAccount({ io }: Call, plan: Plan): Promise<OwnAccount> {
  const { nextcloud, settings } = plan
  const { mode } = nextcloud
  if (mode.kind !== "offline" || !hasDatabase(plan)) return noAccount
  const { storage, keys } = await openSealed({ ...settings, advise: () => {}, report: () => {} })
  const holdpoint = await createLazyHoldpoint({
    ...{ storage, keys, publicUrl, runtime: io.runtime, report: () => {} },
    providers: [await toProvider(nextcloud, mode.access, undefined)],
    people: { from: "providers", providers: [] },
    network: networkOf(nextcloud, settings),
  })
  const close = async (): Promise<void> => {
    await holdpoint.close()
    await storage.close()
  }
  const { tenant, subject } = settings.me
  try {
    const accounts = createPersonalAccounts(nextcloud, holdpoint)
    const account = await accounts.find({ principal: { tenant, issuer: "local", subject } })
    return { close, ...(account === undefined ? {} : { account }) }
  } catch (error) {
    return { close, problem: `Your account: ${error instanceof Error ? error.message : String(error)}` }
  }
}

/** Whether a database and its keys exist already. */
function hasDatabase({ settings }: Plan): boolean {
  const { database, keys } = settings
  return (isPostgres(database) || existsSync(database)) && ("text" in keys || existsSync(keys.file))
}
