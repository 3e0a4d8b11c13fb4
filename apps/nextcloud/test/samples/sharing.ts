// One call of each tool for sharing.

import type { Nextcloud } from "../../src/api/nextcloud.ts"
import { sharingTools } from "../../src/tools/sharing/sharing.ts"
import { callTool, toolOf } from "../fits.ts"
import { fromBob, written } from "./files.ts"
import type { Samples, SampleWorld } from "./sample.ts"

/** A file of alice that bob may read, by the id of the share. */
export async function shared(alice: Nextcloud): Promise<number> {
  const path = `/sample-${crypto.randomUUID()}.txt`
  await written(alice, path)
  const create = toolOf(sharingTools, "nc_sharing_create_share")
  return (await callTool<{ id: number }>(create, { path, with: "bob" }, alice)).id
}

/** What bob shares with alice. */
async function fromBobById(world: SampleWorld): Promise<number> {
  const path = await fromBob(world)
  const list = toolOf(sharingTools, "nc_sharing_list_shares")
  const { shares } = await callTool<{ shares: { id: number }[] }>(list, { path }, world.bob)
  return shares[0]?.id ?? 0
}

const missing = { share_id: 999_999 }

export const sharingSamples: Samples = {
  nc_sharing_create_share: {
    async arguments({ alice }) {
      await written(alice, "/sample-share.txt")
      return { path: "/sample-share.txt", with: "bob", can: ["edit"], note: "For you" }
    },
    missing: { path: "/nowhere.txt", with: "bob" },
  },
  nc_sharing_create_public_link: {
    async arguments({ alice }) {
      await written(alice, "/sample-link.txt")
      return { path: "/sample-link.txt", expires: "2099-12-31" }
    },
    missing: { path: "/nowhere.txt" },
  },
  nc_sharing_list_shares: {
    async arguments({ alice }) {
      await shared(alice)
      return {}
    },
    missing: { path: "/nowhere.txt" },
  },
  nc_sharing_get_share: { arguments: async ({ alice }) => ({ share_id: await shared(alice) }), missing },
  nc_sharing_update_share: {
    arguments: async ({ alice }) => ({ share_id: await shared(alice), can: ["edit"] }),
    missing: { ...missing, can: ["read"] },
    foreign: async (world) => ({ share_id: await fromBobById(world), can: ["edit"] }),
  },
  nc_sharing_delete_share: { arguments: async ({ alice }) => ({ share_id: await shared(alice) }), missing },
  nc_sharing_search_sharees: { arguments: () => ({ query: "bob" }) },
}
