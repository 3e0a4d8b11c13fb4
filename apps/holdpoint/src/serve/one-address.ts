// Serves an MCP server, the pages and, where people sign in, the authorization server on one address until the process
// is told to stop. Opens storage and telemetry before, and closes them after.

import { randomBytes } from "node:crypto"
import type { Mount } from "@holdpoint/hub/internal"
import type { People, Site } from "@holdpoint/server"
import type { Call } from "../command.ts"
import { showAddress } from "../show-address.ts"
import { drain } from "./drain.ts"
import { whileWatched } from "./faults.ts"
import { createHealth } from "./health.ts"
import { startOnPort } from "./ports.ts"
import { type Server, type ServerOptions, startServer } from "./server.ts"
import { openServerStorage, type ServerStorage, type StoragePlan } from "./storage.ts"
import { openTelemetry, type ServerTelemetry } from "./telemetry.ts"

export interface AddressPlan extends StoragePlan {
  /** Clients know the port of --http, so it never moves to another one; 0 picks a free port. */
  readonly port: number
  /** How people are identified. Default: the person at this machine. */
  readonly people?: Extract<People, { readonly from: "providers" }>
}

export interface ServedParts
  extends Pick<ServerOptions, "providers" | "network" | "pages" | "authorization" | "hub" | "consent"> {
  mount(site: Site): Mount | Promise<Mount>
}

export interface ServeHandlers {
  /** Called when the storage is open. */
  toServed(opened: ServerStorage): Promise<ServedParts>
  /** Called when the server answers. */
  onStart(server: Server): void
}

export async function serveOneAddress(
  call: Call,
  plan: AddressPlan,
  { toServed, onStart }: ServeHandlers,
): Promise<void> {
  const serverStorage = await openServerStorage(call, { ...plan, awaits: true })
  try {
    const telemetry = await openTelemetry(call, { ...serverStorage, settings: plan.settings }, plan.settings.log)
    try {
      const servedParts = await toServed(serverStorage)
      const health = createHealth({ storage: serverStorage.storage, now: call.io.runtime.now })
      const mounts = [health.mount, ...telemetry.mounts]
      const server = await start(call, plan, { ...serverStorage, servedParts, observer: telemetry.observer, mounts })
      try {
        if (server.warning !== undefined) call.out.note(server.warning)
        onStart(server)
        await whileWatched(serverStorage, () => drain(call.io, health, plan.settings.drainMs))
      } finally {
        await server.close()
      }
    } finally {
      await telemetry.close()
    }
  } finally {
    await serverStorage.storage.close()
  }
}

interface Parts extends ServerStorage, Pick<ServerTelemetry, "observer" | "mounts"> {
  readonly servedParts: ServedParts
}

function start(call: Call, plan: AddressPlan, { servedParts, observer, mounts, ...stored }: Parts): Promise<Server> {
  const { settings, people } = plan
  const { publicUrl, host, callbackUrl, returnTargets, openers } = settings.pages
  const { subject: user, tenant } = settings.me
  const { mount, pages, ...options } = servedParts
  const wantedPort = { host, port: plan.port, isNamed: true, flags: { host: "--listen", port: "--http" } }
  return startOnPort(wantedPort, call.out.note, (port) =>
    startServer({
      ...{ ...stored, host, port, observer, runtime: call.io.runtime },
      people: people ?? {
        from: "local",
        user,
        tenant,
        secret: randomBytes(32),
        programKeyFile: settings.localKeyFile,
        ...showAddress(call, settings),
      },
      ...(publicUrl === undefined ? {} : { publicUrl }),
      ...(callbackUrl === undefined ? {} : { consent: { callbackUrl } }),
      ...options,
      pages: { returnTargets, openers, adminRole: false, ...pages },
      mounts: async (site) => [await mount(site), ...mounts],
    }),
  )
}
