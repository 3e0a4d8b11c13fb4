// The composition root: creates hub, vault, identity, pages and authorization server, and closes them in the right
// order. If one part fails to start, none keeps running.

import { randomBytes } from "node:crypto"
import type { Vault } from "@holdpoint/accounts"
import { createAddresses, createHub, HoldpointError, isSamePerson, systemRuntime } from "@holdpoint/hub"
import type { Mount } from "@holdpoint/hub/internal"
import { checkUrl, warn } from "@holdpoint/hub/internal"
import { createSealer, sealStorage } from "@holdpoint/hub/sealing"
import { createChoices } from "../identity/choices.ts"
import { createOwnLadders } from "../identity/ladder.ts"
import { createLocalIdentity, type LocalIdentity } from "../identity/local.ts"
import { findSignedIn } from "../identity/people.ts"
import { openProgramKey } from "../identity/program-key.ts"
import { createLazily, createOnce } from "./lazy.ts"
import type { HoldpointOptions } from "./options.ts"
import type { PartServer } from "./part.ts"
import { createParts } from "./parts.ts"
import { createReach } from "./reach.ts"
import type { Holdpoint, HoldpointCore, LazyHoldpoint } from "./result.ts"
import type { OpenSite } from "./site.ts"

/**
 * Puts hub, vault, identity, pages and your own mounts together, to be served at one address. If one part cannot be
 * created, closes the others and throws the error.
 */
export async function createHoldpoint(options: HoldpointOptions): Promise<Holdpoint> {
  const { open, ...holdpoint } = await createLazyHoldpoint(options)
  try {
    return { ...holdpoint, ...(await open()) }
  } catch (error) {
    await holdpoint.close()
    throw error
  }
}

/**
 * `createHoldpoint` for a program that must start fast: only the hub is ready at once. The vault is loaded and opened
 * with its first use, the pages and mounts with the first request.
 */
export async function createLazyHoldpoint(options: HoldpointOptions): Promise<LazyHoldpoint> {
  const { keys, providers = [], runtime = systemRuntime, report = warn } = options
  const sealer = createSealer(keys)
  const storage = await sealStorage(options.storage, sealer, { report, now: runtime.now })
  const local = toLocal({ ...options, storage, runtime })
  const addresses = createAddresses(options.publicUrl, local)
  const observed = options.observer === undefined ? {} : { observer: options.observer }
  const findPerson = toFindPerson(local, { storage, runtime })
  const ownLadders = createOwnLadders(createChoices(storage, runtime))
  const partServer = { addresses, storage, keys, runtime, report, findPerson, ownLadders }
  const parts = createParts(options.parts ?? [], partServer)
  const reach = createReach({ ...options, storage, runtime, ownLadders, parts })
  const hub = createHub({ storage, runtime, report, ...observed, ...options.hub, ...reach.hub })
  const base = { addresses, storage, keys, hub, runtime, report }
  const all = { ...options, ...base, providers, sealer, reach: reach.pages, parts }
  const openVault = createOnce(async () => (await import("./vault.ts")).openVault(all))
  const vault = createLazily(openVault, {
    providers: () => new Map(providers.map((provider) => [provider.id, provider])),
  })
  const core: HoldpointCore = { ...base, vault }
  const openSite = createOnce(async (): Promise<OpenSite> => {
    return (await import("./site.ts")).openSite({ ...all, vault: await openVault(), local })
  })
  return {
    ...core,
    open: async () => (await openSite()).site,
    handles: () => true,
    fetch: async (request) => answer((await openSite()).mounts, request),
    async close() {
      const site = await openSite.opened?.catch(() => undefined)
      await parts.close()
      await site?.close()
      await closeVault(openVault.opened)
      await hub.close()
    },
  }
}

/** Lets the first mount that handles the path answer. The pages are last and handle every path. */
function answer(mounts: readonly Mount[], request: Request): Promise<Response> {
  const { pathname } = new URL(request.url)
  const match = mounts.find((mount) => mount.handles(pathname))
  return match === undefined ? Promise.resolve(new Response(null, { status: 404 })) : match.fetch(request)
}

async function closeVault(opening: Promise<Vault> | undefined): Promise<void> {
  const vault = await opening?.catch(() => undefined)
  await vault?.close()
}

/** People as of their last sign-in; in local mode the person at this machine. */
const toFindPerson =
  (local: LocalIdentity | undefined, needs: Parameters<typeof findSignedIn>[0]): PartServer["findPerson"] =>
  async (person) => {
    if (local === undefined) return findSignedIn(needs, person)
    return isSamePerson(local.principal, person) ? { principal: local.principal } : undefined
  }

/** The identity of local mode; undefined when people sign in. Throws unless `publicUrl` is a loopback address. */
function toLocal({ people, storage, runtime = systemRuntime, publicUrl }: HoldpointOptions): LocalIdentity | undefined {
  if (people.from !== "local") return undefined
  const checked = checkUrl(publicUrl)
  if (!checked.ok || !checked.flags.includes("loopback"))
    throw new HoldpointError(
      "invalid_config",
      `Local mode is for the person at this machine, but ${publicUrl} can be reached from other machines. ` +
        "Use a loopback address, or set up an identity provider.",
    )
  const { from: _from, programKeyFile: file, ...person } = people
  const programKey = file === undefined ? person.programKey : openProgramKey(file)
  return createLocalIdentity({
    storage,
    runtime,
    secret: randomBytes(32),
    ...person,
    ...(programKey === undefined ? {} : { programKey }),
  })
}
