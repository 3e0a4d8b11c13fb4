// A server for the person at this machine, at its own port. The port is opened first; vault and pages are opened on
// first use, because a client waits for the start.

import { randomBytes } from "node:crypto"
import type { HoldpointOptions, LazyHoldpoint } from "@holdpoint/server"
import { createLazyHoldpoint } from "@holdpoint/server"
import type { Call } from "../command.ts"
import { showAddress } from "../show-address.ts"
import { whileWatched } from "./faults.ts"
import { type Listening, listen } from "./listen.ts"
import { openServerStorage, type ServerStorage, type StoragePlan } from "./storage.ts"

export interface LocalPlan extends StoragePlan {
  /** The redirect address that is registered at a provider, if any, and the error for when its port is taken. */
  readonly registeredRedirect?: { readonly address: URL; readonly portInUse: () => Error }
}

export type LocalOptions = Pick<HoldpointOptions, "providers" | "consent" | "network" | "pages" | "hub">

export interface LocalServer extends ServerStorage {
  /** Composes the server. Call `compose` once; requests that arrive earlier wait. */
  compose(options: LocalOptions): Promise<LazyHoldpoint>
}

/** Opens port and storage for `work`, and closes them even after an error: open ones would keep the process running. */
export async function withLocal(
  call: Call,
  plan: LocalPlan,
  work: (localServer: LocalServer) => Promise<void>,
): Promise<void> {
  const { promise: ready, resolve } = Promise.withResolvers<LazyHoldpoint>()
  const port = await takePort(plan, async () => (await ready).fetch)
  let composed: LazyHoldpoint | undefined
  try {
    const serverStorage = await openServerStorage(call, plan)
    const publicUrl = plan.registeredRedirect?.address.origin ?? port.address
    const compose = async (options: LocalOptions): Promise<LazyHoldpoint> => {
      composed = await composeLocal(call, plan, { ...serverStorage, ...options, publicUrl })
      resolve(composed)
      return composed
    }
    try {
      await whileWatched(serverStorage, () => work({ ...serverStorage, compose })).finally(() => composed?.close())
    } finally {
      await serverStorage.storage.close()
    }
  } finally {
    await port.close()
  }
}

/** Takes the port of the registered redirect URI, or any free port when there is none. */
async function takePort({ registeredRedirect }: LocalPlan, answer: Parameters<typeof listen>[1]): Promise<Listening> {
  try {
    return await listen(
      { host: "127.0.0.1", port: registeredRedirect === undefined ? 0 : Number(registeredRedirect.address.port || 80) },
      answer,
    )
  } catch (error) {
    throw registeredRedirect === undefined ? error : registeredRedirect.portInUse()
  }
}

function composeLocal(
  call: Call,
  { settings }: StoragePlan,
  options: LocalOptions & ServerStorage & { readonly publicUrl: string },
): Promise<LazyHoldpoint> {
  const { subject: user, tenant } = settings.me
  return createLazyHoldpoint({
    ...options,
    people: { from: "local", user, tenant, secret: randomBytes(32), ...showAddress(call, settings) },
    runtime: call.io.runtime,
  })
}
