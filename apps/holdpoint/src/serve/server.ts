// Everything in one process on one address: the composed Holdpoint behind a port of this machine. The caller opens the
// storage before and closes it after.

import { createAddresses, HoldpointError, paths, systemRuntime } from "@holdpoint/hub"
import type { Mount } from "@holdpoint/hub/internal"
import type { Holdpoint, HoldpointOptions, People } from "@holdpoint/server"
import { createHoldpoint } from "@holdpoint/server"
import { introducePerson } from "@holdpoint/server/identity"
import type { EmbeddedIdp } from "../idp/embedded.ts"
import { createEmbeddedIdp } from "../idp/embedded.ts"
import { embeddedTenant } from "../idp/issuer.ts"
import { demoUsers, emailOf } from "../idp/users.ts"
import { isLoopback } from "../loopback.ts"
import { type ListenAddress, listen, toHost } from "./listen.ts"

/** The options of `startServer`. */
export interface ServerOptions extends Omit<HoldpointOptions, "people" | "publicUrl">, ListenAddress {
  /** How people are identified. `embedded` has alice and bob; `local` is the person at this machine. */
  readonly people: People | { readonly from: "embedded" }
  /** The public address, when the server is behind a proxy. */
  readonly publicUrl?: string
}

/** A server that is running. */
export interface Server extends Omit<Holdpoint, keyof Mount> {
  readonly publicUrl: string
  /** The address that the server itself listens on. */
  readonly address: string
  /** A warning that the command prints at the start. */
  readonly warning?: string
  close(): Promise<void>
}

/** Starts `holdpoint serve` inside this process: everything of `createHoldpoint`, behind a port. */
export async function startServer(options: ServerOptions): Promise<Server> {
  const { people, host } = options
  // Every visitor counts as the person at this machine, or can sign in as any user. So only this machine may reach the
  // port.
  if (people.from === "local") assertLoopback(host, "Local mode is for this machine only")
  if (people.from === "embedded") assertLoopback(host, "The sign-in of alice and bob is for this machine only")
  // The address is known before the handler exists; early requests wait.
  const port = await listen(options, async () => (await composing).fetch)
  const publicUrl = (options.publicUrl ?? port.address).replace(/\/+$/, "")
  const composing = compose({ ...options, publicUrl })
  try {
    const { handles: _handles, fetch: _fetch, close, ...holdpoint } = await composing
    return { ...holdpoint, publicUrl, address: port.address, close: () => port.close(close) }
  } catch (error) {
    await port.close()
    throw error
  }
}

async function compose(
  options: ServerOptions & { readonly publicUrl: string },
): Promise<Holdpoint & { readonly warning?: string }> {
  const { people, publicUrl, mounts } = options
  if (people.from !== "embedded") return createHoldpoint({ ...options, people })
  const redirectUris = [createAddresses(publicUrl).to(paths.signInReturn)]
  const idp = createEmbeddedIdp({ publicUrl, redirectUris })
  const holdpoint = await createHoldpoint({
    ...options,
    people: { from: "providers", providers: [embeddedProvider(idp)] },
    // The embedded identity provider is on this machine, so loopback has to be allowed.
    network: { ...options.network, allowLoopback: options.network?.allowLoopback ?? true },
    pages: { demo: true, ...options.pages },
    mounts: async (site) => [...((await mounts?.(site)) ?? []), idp],
  })
  try {
    await introduceUsers(idp, options)
  } catch (error) {
    await holdpoint.close()
    throw error
  }
  return { ...holdpoint, warning: idp.warning }
}

/** Stores the demo users under this server's issuer, so that `ask --to alice` finds them before their first sign-in. */
async function introduceUsers({ issuer }: EmbeddedIdp, options: ServerOptions): Promise<void> {
  const { storage, runtime = systemRuntime } = options
  for (const user of demoUsers) {
    const { id: subject, name, roles = [] } = user
    const principal = { tenant: embeddedTenant, issuer, subject, roles }
    await introducePerson({ storage, runtime }, { principal, name, email: emailOf(user) })
  }
}

const embeddedProvider = ({ issuer, client }: EmbeddedIdp) => ({
  id: "embedded",
  name: "this machine (for trying out)",
  issuer,
  client,
  tenant: embeddedTenant,
  roles: { claim: "roles" },
})

function assertLoopback(host: string, problem: string): void {
  const address = `http://${toHost(host)}`
  if (isLoopback(address)) return
  throw new HoldpointError(
    "invalid_config",
    `${problem}, but ${address} can be reached from other machines. Use a loopback address, or set up an identity provider.`,
  )
}
