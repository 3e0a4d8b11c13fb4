// Everything for the person at this machine, at a port of its own. The port is opened first; vault and pages are opened on
// first use, because a client waits for the start.

import { randomBytes } from "node:crypto"
import type { LazyHoldpoint } from "@holdpoint/sdk/compose"
import { createLazyHoldpoint } from "@holdpoint/sdk/compose"
import type { PageChoices } from "@holdpoint/sdk/http"
import type { Call } from "../command.ts"
import { type Listening, listen } from "../serve/listen.ts"
import { showAddress } from "../show-address.ts"
import { wrongUse } from "../wrong-use.ts"
import { networkOf, toProvider } from "./accounts.ts"
import { choicesOf } from "./choices.ts"
import { type Plan, returnAddress } from "./plan.ts"
import { type NextcloudStorage, openNextcloudStorage } from "./storage.ts"

export interface LocalHoldpoint extends LazyHoldpoint {
  readonly choices: PageChoices
}

/** Leaves nothing open after an error: a client waits until the process has ended. */
export async function withLocalHoldpoint(
  call: Call,
  plan: Plan,
  work: (holdpoint: LocalHoldpoint) => Promise<void>,
): Promise<void> {
  const { promise: ready, resolve } = Promise.withResolvers<LazyHoldpoint>()
  const port = await takePort(plan, async () => (await ready).fetch)
  try {
    const opened = await openNextcloudStorage(call, plan)
    try {
      const holdpoint = await compose(call, plan, { ...opened, publicUrl: returnAddress(plan)?.origin ?? port.address })
      resolve(holdpoint)
      await work(holdpoint).finally(() => holdpoint.close())
    } finally {
      await opened.storage.close()
    }
  } finally {
    await port.close()
  }
}

/** Redirect URIs are registered at the provider, so only their port will do; without any, every free port will. */
async function takePort(plan: Plan, answer: Parameters<typeof listen>[1]): Promise<Listening> {
  const wanted = returnAddress(plan)
  try {
    return await listen({ host: "127.0.0.1", port: wanted === undefined ? 0 : Number(wanted.port || 80) }, answer)
  } catch (error) {
    if (wanted === undefined) throw error
    throw wrongUse(
      `Nextcloud sends people back to ${wanted.origin}, and that port is taken: another client may already run this server.`,
      "Serve HTTP once for all of them (--http PORT), or use the login flow, which needs no fixed address.",
    )
  }
}

async function compose(
  call: Call,
  plan: Plan,
  opened: NextcloudStorage & { readonly publicUrl: string },
): Promise<LocalHoldpoint> {
  const { nextcloud, settings } = plan
  const { mode } = nextcloud
  const { subject: user, tenant } = settings.me
  const callbackUrl = returnAddress(plan) === undefined ? undefined : settings.pages.callbackUrl
  const choices = choicesOf(plan, opened)
  const holdpoint = await createLazyHoldpoint({
    ...opened,
    providers: mode.kind === "offline" ? [await toProvider(nextcloud, mode.access, callbackUrl)] : [],
    people: { from: "local", user, tenant, secret: randomBytes(32), ...showAddress(call, settings) },
    ...(callbackUrl === undefined ? {} : { consent: { callbackUrl } }),
    network: networkOf(nextcloud, settings),
    pages: { choices, adminRole: false },
    runtime: call.io.runtime,
  })
  return { ...holdpoint, choices }
}
