// How questions reach people who have no page open: lasting outlets, the directory of addresses, and the ladder.

import type { Addresses } from "../core/addresses.ts"
import type { Rung } from "../core/ladder.ts"
import type { PageReach } from "../http/reach.ts"
import { createDirectory } from "../hub/directory.ts"
import type { Hub, HubOptions } from "../hub/hub.ts"
import { inbox } from "../hub/inbox.ts"
import { createChoices } from "../identity/choices.ts"
import { createLadder, createOwnLadders, type OwnLadders } from "../identity/ladder.ts"
import { signedInMembers, signedInPeople } from "../identity/people.ts"
import type { AnyOutlet, LastingOutlet } from "../ports/outlet.ts"
import type { Runtime } from "../ports/runtime.ts"
import { createTokens } from "../sealing/tokens.ts"
import { createDeadAddresses } from "../surfaces/email/dead-addresses.ts"
import type { HoldpointOptions } from "./options.ts"
import type { Parts } from "./parts.ts"

interface Reach {
  readonly hub: Pick<HubOptions, "outlets" | "directory" | "members" | "ladder">
  readonly pages: PageReach
}

type ReachParts = Pick<HoldpointOptions, "storage" | "keys" | "email" | "ladder" | "hub"> & {
  readonly addresses: Addresses
  readonly runtime: Runtime
  readonly parts: Parts
}

/** The default ladder: e-mail comes after ten minutes, in which the person can answer elsewhere. */
const usualRungs: readonly Rung[] = [{ outlet: "email", afterMs: 10 * 60_000 }]

export async function openReach(parts: ReachParts): Promise<Reach> {
  const { storage, keys, hub = {}, runtime } = parts
  const ownLadders = createOwnLadders(createChoices(storage, runtime))
  const rungs = parts.ladder ?? usualRungs
  const email = await openEmail(parts, ownLadders)
  const names: string[] = []
  const outlets = (createdHub: Hub): readonly AnyOutlet[] => {
    const { outlets: configuredOutlets = [inbox()] } = hub
    const allOutlets = [
      ...(typeof configuredOutlets === "function" ? configuredOutlets(createdHub) : configuredOutlets),
      ...parts.parts.open(createdHub),
      ...email,
    ]
    names.push(...allOutlets.filter((outlet) => !("deliver" in outlet)).map(({ name }) => name))
    return allOutlets
  }
  const deadAddresses = createDeadAddresses(storage, runtime)
  return {
    hub: {
      outlets,
      directory: hub.directory ?? createDirectory([signedInPeople({ storage, runtime }), parts.parts.directory]),
      members: signedInMembers({ storage, runtime }),
      ladder: createLadder({ ownLadders, rungs }),
    },
    pages: {
      ownLadders,
      rungs,
      outlets: names,
      ...(email.length === 0 ? {} : { email: { deadAddresses, tokens: createTokens(keys) } }),
    },
  }
}

async function openEmail(
  { email, storage, keys, addresses, runtime }: ReachParts,
  ownLadders: OwnLadders,
): Promise<readonly LastingOutlet[]> {
  if (email === undefined) return []
  // Imported only when e-mail is configured, so that other servers need no nodemailer.
  const { createEmailOutlet } = await import("../surfaces/email/outlet.ts")
  const zoneOf = async (person: Parameters<OwnLadders["get"]>[0]) => (await ownLadders.get(person)).quiet?.zone
  return [createEmailOutlet({ ...email, storage, addresses, runtime, tokens: createTokens(keys), zoneOf })]
}
