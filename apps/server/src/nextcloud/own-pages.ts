// The pages for the one person at this machine, at a port of their own. Taken first, opened when somebody needs them: what a
// client waits for at the start is not here.

import { randomBytes } from "node:crypto"
import type { AddressInfo, Server as Port } from "node:net"
import { createHub, type Hub, inbox } from "@holdpoint/sdk"
import type { Call } from "../command.ts"
import type { Server } from "../serve/server.ts"
import { wrongUse } from "../wrong-use.ts"
import { networkOf, toProvider } from "./accounts.ts"
import { type Ground, openGround } from "./ground.ts"
import { listenAt, takePort } from "./listen.ts"
import { type Plan, returnAddress } from "./place.ts"

export interface PageGround extends Ground {
  readonly hub: Hub
  readonly port: Port
  readonly publicUrl: string
}

/** Whatever is wrong, nothing is left open: a client waits until the process has ended. */
export async function onOwnGround(call: Call, plan: Plan, work: (ground: PageGround) => Promise<void>): Promise<void> {
  const report = (doing: string, error: unknown): void =>
    call.out.note(`holdpoint: ${doing} failed: ${error instanceof Error ? error.message : String(error)}`)
  const address = await takeAddress(plan)
  try {
    const ground = await openGround(plan, report)
    const hub = createHub({ storage: ground.storage, outlets: [inbox()], runtime: call.io.runtime, report })
    try {
      await work({ ...ground, ...address, hub })
    } finally {
      await hub.close()
      await ground.storage.close()
    }
  } finally {
    address.port.close()
  }
}

/** Addresses that a provider sends people back to were registered there: then it is that one, and nothing else will do. */
async function takeAddress(plan: Plan): Promise<{ readonly port: Port; readonly publicUrl: string }> {
  const wanted = returnAddress(plan)
  try {
    const port = await takePort(wanted === undefined ? 0 : Number(wanted.port || 80))
    return { port, publicUrl: wanted?.origin ?? `http://127.0.0.1:${(port.address() as AddressInfo).port}` }
  } catch (error) {
    if (wanted === undefined) throw error
    throw wrongUse(
      `Nextcloud sends people back to ${wanted.origin}, and that port is taken: another client may have started this too.`,
      "Serve HTTP once for all of them (--http PORT), or use the login flow, which needs no address of its own.",
    )
  }
}

export async function openPages(plan: Plan, ground: PageGround): Promise<Server> {
  const { createHttpServer } = await import("../serve/http-server.ts")
  const { startServer } = await import("../serve/server.ts")
  const { choicesOf } = await import("./choices.ts")
  const { nextcloud, settings } = plan
  const { storage, sealer, hub, port, publicUrl, report } = ground
  const { mode } = nextcloud
  const { subject: user, tenant } = settings.me
  const callbackUrl = returnAddress(plan) === undefined ? undefined : settings.pages.callbackUrl
  const waiting = createHttpServer()
  await listenAt(port, waiting.http)
  const providers = mode.kind === "offline" ? [await toProvider(nextcloud, mode.access, callbackUrl)] : []
  const starting = startServer({
    ...{ storage, sealer, report, publicUrl, providers, host: "127.0.0.1", port: 0 },
    existing: { waiting, hub },
    people: { from: "local", user, tenant, secret: randomBytes(32) },
    ...(callbackUrl === undefined ? {} : { consent: { callbackUrl } }),
    network: networkOf(nextcloud, settings),
    pages: { choices: choicesOf(plan, ground), adminRole: false },
  })
  // What did not start keeps no process from ending.
  starting.catch(() => waiting.http.close())
  return starting
}
