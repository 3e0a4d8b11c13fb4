// Composes hub, vault and pages for the person at this machine, and the provider of their Nextcloud account.

import type { LazyHoldpoint } from "@holdpoint/server"
import type { PageChoices } from "@holdpoint/server/http"
import type { Call } from "../command.ts"
import { withLocal } from "../serve/local.ts"
import { wrongUse } from "../wrong-use.ts"
import { networkOf, toProvider } from "./accounts.ts"
import { choicesOf } from "./choices.ts"
import { type Plan, returnAddress, usesDatabase } from "./plan.ts"

export interface LocalHoldpoint extends LazyHoldpoint {
  readonly choices: PageChoices
}

export async function withLocalHoldpoint(
  call: Call,
  plan: Plan,
  work: (holdpoint: LocalHoldpoint) => Promise<void>,
): Promise<void> {
  const { nextcloud, settings } = plan
  const { mode } = nextcloud
  const redirectUri = returnAddress(plan)
  const callbackUrl = redirectUri === undefined ? undefined : settings.pages.callbackUrl
  const callbackOption =
    redirectUri === undefined
      ? {}
      : { registeredRedirect: { address: redirectUri, portInUse: () => portTaken(redirectUri) } }
  await withLocal(
    call,
    { settings, usesDatabase: usesDatabase(plan, call.io.env), ...callbackOption },
    async (localServer) => {
      const choices = choicesOf(plan, localServer)
      const holdpoint = await localServer.compose({
        providers: mode.kind === "offline" ? [await toProvider(nextcloud, mode.access, callbackUrl)] : [],
        ...(callbackUrl === undefined ? {} : { consent: { callbackUrl } }),
        network: networkOf(nextcloud, settings),
        pages: { choices, adminRole: false },
      })
      await work({ ...holdpoint, choices })
    },
  )
}

const portTaken = ({ origin }: URL): Error =>
  wrongUse(
    `Nextcloud redirects people to ${origin}, and that port is taken: another client may already run this server.`,
    "Serve HTTP once for all of them (--http PORT), or use the login flow, which needs no fixed address.",
  )
