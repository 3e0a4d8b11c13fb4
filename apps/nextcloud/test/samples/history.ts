// One call of each tool for the trash, versions, comments and tags.

import { setTimeout } from "node:timers/promises"
import { filesPath } from "../../src/api/dav.ts"
import type { Nextcloud } from "../../src/api/nextcloud.ts"
import { commentTools } from "../../src/tools/history/comments.ts"
import { tagTools } from "../../src/tools/history/tags.ts"
import { trashTools } from "../../src/tools/history/trash.ts"
import { versionTools } from "../../src/tools/history/versions.ts"
import { callTool, toolOf } from "../fits.ts"
import { at, fromBob, written } from "./files.ts"
import type { Samples } from "./sample.ts"

const tools = [...trashTools, ...versionTools, ...commentTools, ...tagTools]

const call = <O>(alice: Nextcloud, name: string, input: object): Promise<O> =>
  callTool<O>(toolOf(tools, name), input, alice)

/** The id of an item in alice's trash. */
export async function trashed(alice: Nextcloud): Promise<string> {
  const path = at(`/sample-${crypto.randomUUID()}.txt`)
  await written(alice, path)
  await alice.send({ method: "DELETE", path: filesPath(await alice.userId(), path), activity: "preparing" })
  const { items } = await call<{ items: { id: string; path: string }[] }>(alice, "nc_files_list_trash", {})
  return items.find((item) => item.path === path)?.id ?? ""
}

/** The pause between two versions: a real server keeps one version per second. The stand-in has its own clock. */
export const pace = { versionsMs: 0 }

const betweenVersions = (): Promise<void> => setTimeout(pace.versionsMs)

/** A file of alice that was written twice, with its earlier version. */
export async function twice(alice: Nextcloud, path: string): Promise<{ path: string; version: string }> {
  await written(alice, path, "first\n")
  await betweenVersions()
  await written(alice, path, "second\n")
  type Versions = { versions: { version: string; current: boolean }[] }
  const { versions } = await call<Versions>(alice, "nc_files_list_versions", { path })
  return { path, version: versions.find(({ current }) => !current)?.version ?? "" }
}

async function commented(alice: Nextcloud): Promise<{ path: string; comment_id: number }> {
  const path = at("/sample-comment.txt")
  await written(alice, path)
  const { id } = await call<{ id: number }>(alice, "nc_files_create_comment", { path, message: "Nice" })
  return { path, comment_id: id }
}

async function tagged(alice: Nextcloud): Promise<{ path: string; tag: string }> {
  const path = at("/sample-tag.txt")
  const tag = `sample ${crypto.randomUUID()}`
  await written(alice, path)
  await call(alice, "nc_files_create_tag", { name: tag })
  return { path, tag }
}

const missing = { path: "/nowhere/at-all.txt" }

export const historySamples: Samples = {
  nc_files_list_trash: { arguments: () => ({}) },
  nc_files_restore_from_trash: {
    arguments: async ({ alice }) => ({ id: await trashed(alice) }),
    missing: { id: "nothing.d1" },
  },
  nc_files_delete_from_trash: {
    arguments: async ({ alice }) => ({ id: await trashed(alice) }),
    missing: { id: "nothing.d1" },
  },
  nc_files_empty_trash: {
    async arguments({ alice }) {
      await trashed(alice)
      return {}
    },
  },
  nc_files_list_versions: {
    async arguments({ alice }) {
      const { path } = await twice(alice, at("/sample-versions.txt"))
      return { path }
    },
    missing,
  },
  nc_files_read_version: {
    arguments: ({ alice }) => twice(alice, at("/sample-version.txt")),
    missing: { ...missing, version: "1" },
  },
  nc_files_restore_version: {
    arguments: ({ alice }) => twice(alice, at("/sample-restore.txt")),
    missing: { ...missing, version: "1" },
    foreign: async (world) => twice(world.bob, `${await fromBob(world)}/a.txt`),
  },
  nc_files_list_comments: {
    async arguments({ alice }) {
      const { path } = await commented(alice)
      return { path }
    },
    missing,
  },
  nc_files_create_comment: {
    async arguments({ alice }) {
      const { path } = await commented(alice)
      return { path, message: "And nicer" }
    },
    missing: { ...missing, message: "Nobody reads this" },
  },
  nc_files_delete_comment: {
    arguments: ({ alice }) => commented(alice),
    missing: { ...missing, comment_id: 1 },
    async foreign(world) {
      const path = `${await fromBob(world)}/a.txt`
      const { id } = await call<{ id: number }>(world.bob, "nc_files_create_comment", { path, message: "Mine" })
      return { path, comment_id: id }
    },
  },
  nc_files_list_tags: { arguments: () => ({}), missing },
  nc_files_list_tagged_files: {
    async arguments({ alice }) {
      const { path, tag } = await tagged(alice)
      await call(alice, "nc_files_set_tags", { path, add: [tag] })
      return { tag }
    },
    missing: { tag: "no such tag" },
  },
  nc_files_create_tag: {
    arguments: () => ({ name: `sample ${crypto.randomUUID()}` }),
    conflict: async ({ alice }) => ({ name: (await tagged(alice)).tag }),
  },
  nc_files_set_tags: {
    async arguments({ alice }) {
      const { path, tag } = await tagged(alice)
      return { path, add: [tag] }
    },
    missing: { ...missing, add: ["x"] },
  },
}
