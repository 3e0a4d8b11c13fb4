// Everything for the one person at this machine, at a port of its own. The port is taken first; vault and pages are opened
// when somebody needs them: what a client waits for at the start is not here.

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
import { type Ground, openGround } from "./ground.ts"
import { type Plan, returnAddress } from "./place.ts"

export interface OwnHoldpoint extends LazyHoldpoint {
  readonly choices: PageChoices
}

/** Whatever is wrong, nothing is left open: a client waits until the process has ended. */
export async function onOwnGround(
  call: Call,
  plan: Plan,
  work: (holdpoint: OwnHoldpoint) => Promise<void>,
): Promise<void> {
  const { promise: ready, resolve } = Promise.withResolvers<LazyHoldpoint>()
  const port = await takePort(plan, async () => (await ready).fetch)
  try {
    const ground = await openGround(call, plan)
    try {
      const holdpoint = await compose(call, plan, { ...ground, publicUrl: returnAddress(plan)?.origin ?? port.address })
      resolve(holdpoint)
      await work(holdpoint).finally(() => holdpoint.close())
    } finally {
      await ground.storage.close()
    }
  } finally {
    await port.close()
  }
}

/** Addresses that a provider sends people back to were registered there: then it is that one, and nothing else will do. */
async function takePort(plan: Plan, answer: Parameters<typeof listen>[1]): Promise<Listening> {
  const wanted = returnAddress(plan)
  try {
    return await listen({ host: "127.0.0.1", port: wanted === undefined ? 0 : Number(wanted.port || 80) }, answer)
  } catch (error) {
    if (wanted === undefined) throw error
    throw wrongUse(
      `Nextcloud sends people back to ${wanted.origin}, and that port is taken: another client may have started this too.`,
      "Serve HTTP once for all of them (--http PORT), or use the login flow, which needs no address of its own.",
    )
  }
}

async function compose(call: Call, plan: Plan, ground: Ground & { readonly publicUrl: string }): Promise<OwnHoldpoint> {
  const { nextcloud, settings } = plan
  const { mode } = nextcloud
  const { subject: user, tenant } = settings.me
  const callbackUrl = returnAddress(plan) === undefined ? undefined : settings.pages.callbackUrl
  const choices = choicesOf(plan, ground)
  const holdpoint = await createLazyHoldpoint({
    ...ground,
    providers: mode.kind === "offline" ? [await toProvider(nextcloud, mode.access, callbackUrl)] : [],
    people: { from: "local", user, tenant, secret: randomBytes(32), ...showAddress(call, settings) },
    ...(callbackUrl === undefined ? {} : { consent: { callbackUrl } }),
    network: networkOf(nextcloud, settings),
    pages: { choices, adminRole: false },
    runtime: call.io.runtime,
  })
  return { ...holdpoint, choices }
}
