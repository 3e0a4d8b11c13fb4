// Everything in one process on one address: what the library puts together, behind a port of this machine. The program that starts
// it opens the storage before and closes it after.

import { createAddresses, HoldpointError, paths } from "@holdpoint/sdk"
import type { Holdpoint, HoldpointOptions, Mount, People } from "@holdpoint/sdk/compose"
import { createHoldpoint } from "@holdpoint/sdk/compose"
import type { EmbeddedIdp } from "../idp/embedded.ts"
import { createEmbeddedIdp } from "../idp/embedded.ts"
import { isLoopback } from "../loopback.ts"
import { listen, type Place, toHost } from "./listen.ts"

export interface ServerOptions extends Omit<HoldpointOptions, "people" | "publicUrl">, Place {
  /** Who people are. `embedded` brings alice and bob; `local` is the person at this machine. */
  readonly people: People | { readonly from: "embedded" }
  /** How people reach it, when something stands in front of it. */
  readonly publicUrl?: string
}

export interface Server extends Omit<Holdpoint, keyof Mount> {
  readonly publicUrl: string
  /** Where it listens itself, when something stands in front of it. */
  readonly address: string
  /** To be said at the start. */
  readonly warning?: string
  close(): Promise<void>
}

export async function startServer(options: ServerOptions): Promise<Server> {
  const { people, host } = options
  // Whoever reaches the port is taken for the person at this machine, or knows the password: nobody else may reach it.
  if (people.from === "local") assertLoopback(host, "Local mode listens here only")
  if (people.from === "embedded") assertLoopback(host, "The sign-in of alice and bob listens here only")
  // Its address is known before what answers there: requests that come meanwhile wait.
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
    // With the people for trying out, the identity provider is on this machine.
    network: { ...options.network, allowLoopback: options.network?.allowLoopback ?? true },
    pages: { demo: true, ...options.pages },
    mounts: async (site) => [...((await mounts?.(site)) ?? []), idp],
  })
  return { ...holdpoint, warning: idp.warning }
}

const embeddedProvider = ({ issuer, client }: EmbeddedIdp) => ({
  id: "embedded",
  name: "this machine (for trying out)",
  issuer,
  client,
  tenant: "local",
  roles: { claim: "roles" },
})

function assertLoopback(host: string, what: string): void {
  const address = `http://${toHost(host)}`
  if (isLoopback(address)) return
  throw new HoldpointError(
    "invalid_config",
    `${what}, and ${address} can be reached from others. Use a loopback address, or set up an identity provider.`,
  )
}
