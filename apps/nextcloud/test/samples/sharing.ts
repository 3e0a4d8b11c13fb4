// One call of each tool for sharing.

import { sharingTools } from "../../src/tools/sharing/sharing.ts"
import { callTool, toolOf } from "../fits.ts"
import { at, fromBob, written } from "./files.ts"
import type { Samples, SampleWorld } from "./sample.ts"

/** A file of alice that bob may read, by the id of the share. */
export async function shared({ alice, bob }: Pick<SampleWorld, "alice" | "bob">): Promise<number> {
  const path = at(`/sample-${crypto.randomUUID()}.txt`)
  await written(alice, path)
  const create = toolOf(sharingTools, "nc_sharing_create_share")
  return (await callTool<{ id: number }>(create, { path, with: await bob.userId() }, alice)).id
}

/** A file that bob shares with alice. */
async function fromBobById(world: SampleWorld): Promise<number> {
  const path = await fromBob(world)
  const list = toolOf(sharingTools, "nc_sharing_list_shares")
  const { shares } = await callTool<{ shares: { id: number }[] }>(list, { path }, world.bob)
  return shares[0]?.id ?? 0
}

const missing = { share_id: 999_999 }

export const sharingSamples: Samples = {
  nc_sharing_create_share: {
    async arguments({ alice, bob }) {
      await written(alice, at("/sample-share.txt"))
      return { path: at("/sample-share.txt"), with: await bob.userId(), can: ["edit"], note: "For you" }
    },
    missing: { path: "/nowhere.txt", with: "bob" },
  },
  nc_sharing_create_public_link: {
    async arguments({ alice }) {
      await written(alice, at("/sample-link.txt"))
      return { path: at("/sample-link.txt"), expires: "2099-12-31" }
    },
    missing: { path: "/nowhere.txt" },
  },
  nc_sharing_list_shares: {
    async arguments(world) {
      await shared(world)
      return {}
    },
    missing: { path: "/nowhere.txt" },
  },
  nc_sharing_get_share: { arguments: async (world) => ({ share_id: await shared(world) }), missing },
  nc_sharing_update_share: {
    arguments: async (world) => ({ share_id: await shared(world), can: ["edit"] }),
    missing: { ...missing, can: ["read"] },
    foreign: async (world) => ({ share_id: await fromBobById(world), can: ["edit"] }),
  },
  nc_sharing_delete_share: { arguments: async (world) => ({ share_id: await shared(world) }), missing },
  nc_sharing_search_sharees: { arguments: async ({ bob }) => ({ query: await bob.userId() }) },
}
