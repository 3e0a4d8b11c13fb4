// One call of each tool of Collectives, in a collective that alice creates for it.

import type { Nextcloud } from "../../src/api/nextcloud.ts"
import { collectivesTools } from "../../src/tools/collectives/collectives.ts"
import { toolOf } from "../fits.ts"
import type { Samples, SampleWorld } from "./sample.ts"

const call = async <T>(nextcloud: Nextcloud, name: string, input: object): Promise<T> =>
  (await toolOf(collectivesTools, name).run(input, nextcloud, {} as never)) as T

let count = 0

async function collectiveOf({ alice }: SampleWorld) {
  const name = `Sample ${Date.now()} ${++count}`
  const { id } = await call<{ id: number }>(alice, "nc_collectives_create_collective", { name })
  return { collective_id: id }
}

async function pageOf(world: SampleWorld) {
  const { collective_id } = await collectiveOf(world)
  const list = await call<{ pages: { id: number }[] }>(world.alice, "nc_collectives_list_pages", { collective_id })
  const input = { collective_id, parent_id: list.pages[0]?.id, title: "Page", content: "# Page\n" }
  const { id } = await call<{ id: number }>(world.alice, "nc_collectives_create_page", input)
  return { collective_id, page_id: id }
}

async function tagOf(world: SampleWorld) {
  const page = await pageOf(world)
  const input = { collective_id: page.collective_id, name: "Important", color: "31CC7C" }
  const { id } = await call<{ id: number }>(world.alice, "nc_collectives_create_tag", input)
  return { ...page, tag_id: id }
}

const missing = { collective_id: 999999, page_id: 999999 }

export const collectivesSamples: Samples = {
  nc_collectives_list_collectives: { arguments: () => ({}) },
  nc_collectives_create_collective: { arguments: () => ({ name: `New ${Date.now()} ${++count}` }) },
  nc_collectives_delete_collective: { arguments: collectiveOf, missing: { collective_id: 999999 } },
  nc_collectives_restore_item: {
    async arguments(world) {
      const page = await pageOf(world)
      await call(world.alice, "nc_collectives_delete_page", page)
      return page
    },
    missing,
  },
  nc_collectives_list_tags: { arguments: collectiveOf, missing: { collective_id: 999999 } },
  nc_collectives_create_tag: {
    arguments: async (world) => ({ ...(await collectiveOf(world)), name: "Important", color: "31CC7C" }),
    missing: { collective_id: 999999, name: "x", color: "31CC7C" },
  },
  nc_collectives_list_pages: { arguments: collectiveOf, missing: { collective_id: 999999 } },
  nc_collectives_search_pages: {
    arguments: async (world) => ({ ...(await collectiveOf(world)), query: "page" }),
    missing: { collective_id: 999999, query: "x" },
  },
  nc_collectives_get_page: { arguments: pageOf, missing },
  nc_collectives_create_page: {
    async arguments(world) {
      const { collective_id, page_id } = await pageOf(world)
      return { collective_id, parent_id: page_id, title: "Below" }
    },
    missing: { collective_id: 999999, parent_id: 999999, title: "x" },
  },
  nc_collectives_write_page: {
    async arguments(world) {
      const page = await pageOf(world)
      const { etag } = await call<{ etag: string }>(world.alice, "nc_collectives_get_page", page)
      return { ...page, etag, content: "# New\n" }
    },
    missing: { ...missing, etag: "x", content: "x" },
    conflict: async (world) => ({ ...(await pageOf(world)), etag: "stale", content: "x" }),
  },
  nc_collectives_move_page: {
    arguments: async (world) => ({ ...(await pageOf(world)), title: "Renamed" }),
    missing: { ...missing, title: "x" },
  },
  nc_collectives_set_emoji: {
    arguments: async (world) => ({ ...(await pageOf(world)), emoji: "🦊" }),
    missing: { ...missing, emoji: "🦊" },
  },
  nc_collectives_set_page_tag: { arguments: tagOf, missing: { ...missing, tag_id: 999999 } },
  nc_collectives_delete_page: { arguments: pageOf, missing },
}
