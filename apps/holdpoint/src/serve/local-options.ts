// The settings of a server for the person at this machine: the options of its composition, and the address to which
// other sites redirect.

import { defineProvider } from "@holdpoint/accounts/providers"
import type { Settings } from "../config.ts"
import { wrongUse } from "../wrong-use.ts"
import type { LocalOptions, LocalPlan } from "./local.ts"

interface WithSettings {
  readonly settings: Settings
}

/** The options for composing the server, from the settings. */
export function toOptions({ settings }: WithSettings): LocalOptions {
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

/** A registered redirect URI fixes the port. `next` says what to do when that port is taken. */
export function toLocalPlan({ settings }: WithSettings, next: string): LocalPlan {
  const { callbackUrl } = settings.pages
  if (callbackUrl === undefined) return { settings, usesDatabase: true }
  const address = new URL(callbackUrl)
  const portInUse = (): Error =>
    wrongUse(
      `Providers redirect to ${address.origin}, and that port is taken: another client may already run this server.`,
      next,
    )
  return { settings, usesDatabase: true, registeredRedirect: { address, portInUse } }
}
