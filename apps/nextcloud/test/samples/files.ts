// One call of each tool of Files.

import { filesPath } from "../../src/api/dav.ts"
import type { Nextcloud } from "../../src/api/nextcloud.ts"
import { ocs } from "../../src/api/ocs.ts"
import { pdf } from "../extract/documents.ts"
import type { Samples, SampleWorld } from "./sample.ts"

/** The folder of the samples: the root, or a separate folder at a server with other files. */
export const sampleRoot = { folder: "" }

export const at = (path: string): string => `${sampleRoot.folder}${path}`

/** Writes a file of alice. */
export async function written(alice: Nextcloud, path: string, content = "one\n"): Promise<string> {
  const address = `/remote.php/dav/files/${encodeURIComponent(await alice.userId())}${encodeURI(path)}`
  const answer = await alice.send({ method: "PUT", path: address, body: content, activity: "preparing" })
  return (answer.headers.get("etag") ?? "").replaceAll('"', "")
}

/** A folder of bob with a file in it, which alice may only read. */
export async function fromBob({ alice, bob }: Pick<SampleWorld, "alice" | "bob">): Promise<string> {
  const folder = `/of bob ${crypto.randomUUID()}`
  const activity = "preparing"
  await bob.send({ method: "MKCOL", path: filesPath(await bob.userId(), folder), activity })
  await written(bob, `${folder}/a.txt`)
  const json = { path: folder, shareType: 0, shareWith: await alice.userId(), permissions: 1 }
  await ocs(bob, { method: "POST", path: "/apps/files_sharing/api/v1/shares", json, activity })
  return folder
}

const missing = { path: "/nowhere/at-all.txt" }

export const filesSamples: Samples = {
  nc_files_list_directory: { arguments: () => ({}), missing: { path: "/nowhere" } },
  nc_files_get_info: {
    async arguments({ alice }) {
      await written(alice, at("/sample-info.txt"))
      return { path: at("/sample-info.txt") }
    },
    missing,
  },
  nc_files_read_file: {
    async arguments({ alice }) {
      await written(alice, at("/sample-read.txt"))
      return { path: at("/sample-read.txt") }
    },
    missing,
  },
  nc_files_read_document_text: {
    async arguments({ alice }) {
      await written(alice, at("/sample-document.pdf"), pdf("Hello"))
      return { path: at("/sample-document.pdf") }
    },
    missing,
  },
  nc_files_search_files: {
    async arguments({ alice }) {
      await written(alice, at("/sample-search.txt"))
      return { name: "sample-search" }
    },
    missing: { folder: "/nowhere", name: "x" },
  },
  nc_files_set_favorite: {
    async arguments({ alice }) {
      await written(alice, at("/sample-favorite.txt"))
      return { path: at("/sample-favorite.txt"), favorite: true }
    },
    missing: { ...missing, favorite: true },
  },
  nc_files_write_file: {
    arguments: () => ({ path: at(`/sample-${crypto.randomUUID()}.txt`), content: "new" }),
    missing: { ...missing, content: "new" },
    foreign: async (world) => ({ path: `${await fromBob(world)}/new.txt`, content: "new" }),
    async conflict({ alice }) {
      await written(alice, at("/sample-there.txt"))
      return { path: at("/sample-there.txt"), content: "new" }
    },
  },
  nc_files_append_file: {
    async arguments({ alice }) {
      await written(alice, at("/sample-append.txt"))
      return { path: at("/sample-append.txt"), content: "two" }
    },
    missing: { ...missing, content: "two" },
    foreign: async (world) => ({ path: `${await fromBob(world)}/a.txt`, content: "two" }),
  },
  nc_files_upload_chunk: {
    arguments: () => ({ path: at(`/sample-${crypto.randomUUID()}.bin`), content: "first", part: 1 }),
    missing: { path: "/sample.bin", content: "x", part: 2, upload_id: "no-such-upload" },
    foreign: async (world) => ({ path: `${await fromBob(world)}/new.bin`, content: "x", part: 1, last: true }),
    async conflict({ alice }) {
      await written(alice, at("/sample-there.txt"))
      return { path: at("/sample-there.txt"), content: "new", part: 1, last: true }
    },
  },
  nc_files_create_directory: {
    arguments: () => ({ path: at(`/sample-${crypto.randomUUID()}`) }),
    foreign: async (world) => ({ path: `${await fromBob(world)}/new` }),
    async conflict({ alice }) {
      await written(alice, at("/sample-there.txt"))
      return { path: at("/sample-there.txt") }
    },
  },
  nc_files_move_resource: {
    async arguments({ alice }) {
      await written(alice, at("/sample-move.txt"))
      return { source_path: at("/sample-move.txt"), destination_path: at(`/sample-${crypto.randomUUID()}.txt`) }
    },
    missing: { source_path: "/nowhere.txt", destination_path: "/somewhere.txt" },
    foreign: async (world) => ({ source_path: `${await fromBob(world)}/a.txt`, destination_path: at("/mine.txt") }),
    async conflict({ alice }) {
      await written(alice, at("/sample-move.txt"))
      await written(alice, at("/sample-there.txt"))
      return { source_path: at("/sample-move.txt"), destination_path: at("/sample-there.txt") }
    },
  },
  nc_files_copy_resource: {
    async arguments({ alice }) {
      await written(alice, at("/sample-copy.txt"))
      return { source_path: at("/sample-copy.txt"), destination_path: at(`/sample-${crypto.randomUUID()}.txt`) }
    },
    missing: { source_path: "/nowhere.txt", destination_path: "/somewhere.txt" },
    async foreign(world) {
      await written(world.alice, at("/sample-copy.txt"))
      return { source_path: at("/sample-copy.txt"), destination_path: `${await fromBob(world)}/new.txt` }
    },
    async conflict({ alice }) {
      await written(alice, at("/sample-copy.txt"))
      await written(alice, at("/sample-there.txt"))
      return { source_path: at("/sample-copy.txt"), destination_path: at("/sample-there.txt") }
    },
  },
  nc_files_delete_resource: {
    async arguments({ alice }) {
      await written(alice, at("/sample-delete.txt"))
      return { path: at("/sample-delete.txt") }
    },
    missing,
    foreign: async (world) => ({ path: `${await fromBob(world)}/a.txt` }),
  },
}
