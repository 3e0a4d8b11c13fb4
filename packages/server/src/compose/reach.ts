// How questions reach people who have no page open: lasting outlets, the directory of addresses, and the ladder.

import type { Hub, HubOptions, Runtime } from "@holdpoint/hub"
import { inbox } from "@holdpoint/hub"
import type { AnyOutlet, Rung } from "@holdpoint/hub/internal"
import { createDirectory } from "@holdpoint/hub/outlets"
import type { PageReach } from "../http/reach.ts"
import { createLadder, type OwnLadders } from "../identity/ladder.ts"
import { signedInMembers, signedInPeople } from "../identity/people.ts"
import type { HoldpointOptions } from "./options.ts"
import type { Parts } from "./parts.ts"

interface Reach {
  readonly hub: Pick<HubOptions, "outlets" | "directory" | "members" | "ladder">
  readonly pages: PageReach
}

interface ReachNeeds extends Pick<HoldpointOptions, "storage" | "ladder" | "hub"> {
  readonly ownLadders: OwnLadders
  readonly runtime: Runtime
  readonly parts: Parts
}

export function createReach({ storage, runtime, ownLadders, parts, ladder, hub = {} }: ReachNeeds): Reach {
  const rungs: readonly Rung[] = ladder ?? parts.rungs
  const names: string[] = []
  const outlets = (createdHub: Hub): readonly AnyOutlet[] => {
    const { outlets: configuredOutlets = [inbox()] } = hub
    const allOutlets = [
      ...(typeof configuredOutlets === "function" ? configuredOutlets(createdHub) : configuredOutlets),
      ...parts.open(createdHub),
    ]
    names.push(...allOutlets.filter((outlet) => !("deliver" in outlet)).map(({ name }) => name))
    return allOutlets
  }
  return {
    hub: {
      outlets,
      directory: hub.directory ?? createDirectory([signedInPeople({ storage, runtime }), parts.directory]),
      members: signedInMembers({ storage, runtime }),
      ladder: createLadder({ ownLadders, rungs }),
    },
    pages: { ownLadders, rungs, outlets: names },
  }
}
