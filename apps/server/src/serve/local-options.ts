// What the settings say about a server for the person at this machine: what it is composed of, and where people come
// back to from other sites.

import { defineProvider } from "@holdpoint/sdk/providers"
import type { Settings } from "../config.ts"
import { wrongUse } from "../wrong-use.ts"
import type { LocalOptions, LocalPlan } from "./local.ts"

interface Planned {
  readonly settings: Settings
}

/** The options of the composition root that the settings say. */
export function toOptions({ settings }: Planned): LocalOptions {
  const { limits, retention, network, providers, pages } = settings
  const { callbackUrl, returnTargets, openers } = pages
  return {
    providers: providers.map(defineProvider),
    network,
    hub: { limits, retention },
    pages: { returnTargets, openers, adminRole: false },
    ...(callbackUrl === undefined ? {} : { consent: { callbackUrl } }),
  }
}

/** Providers that know one redirect URI need its port. `next` says what to do when it is taken. */
export function toLocalPlan({ settings }: Planned, next: string): LocalPlan {
  const { callbackUrl } = settings.pages
  if (callbackUrl === undefined) return { settings, isKept: true }
  const address = new URL(callbackUrl)
  const taken = (): Error =>
    wrongUse(
      `Accounts come back to ${address.origin}, and that port is taken: another client may already run this server.`,
      next,
    )
  return { settings, isKept: true, fixed: { address, taken } }
}
