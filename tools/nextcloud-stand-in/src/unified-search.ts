// Unified search. The list of providers and one file search were recorded; the other providers follow the documented
// API. Only files, notes and what areas add to `searchersOf` are searched; other providers find nothing.

import { createHash } from "node:crypto"
import type { Area, Call, Reply } from "./area.ts"
import { everyEntry, isMissing, viewOf } from "./files/store.ts"
import { notesOf } from "./notes/store.ts"
import { recordedData } from "./recordings.ts"
import { ocs, ocsFailure } from "./replies.ts"
import { createArea, inOcs } from "./routes.ts"
import type { World } from "./world.ts"

export interface Hit {
  readonly title: string
  readonly subline: string
  /** The path below the server's address. */
  readonly path: string
  readonly icon?: string
  readonly thumbnail?: string
  readonly attributes?: Readonly<Record<string, string>>
}

/** Finds this user's items that contain the lower-case term. */
export type Searcher = (world: World, user: string, term: string) => readonly Hit[]

/** The search functions by provider id. Areas may add their own. */
export const searchersOf = (world: World): Map<string, Searcher> =>
  world.derived(
    "search",
    () =>
      new Map([
        ["files", searchFiles],
        ["notes", searchNotes],
      ]),
  )

function searchFiles(world: World, user: string, term: string): readonly Hit[] {
  const view = viewOf(world, user)
  const root = view.entryAt("/")
  if (isMissing(root)) return []
  const matches = everyEntry(view, root).filter(
    ({ path, node }) => path !== "/" && node.name.toLowerCase().includes(term),
  )
  return matches.map(({ path, node }) => ({
    title: path.slice(path.lastIndexOf("/") + 1),
    subline: path.lastIndexOf("/") === 0 ? "" : `in ${path.slice(1, path.lastIndexOf("/"))}`,
    path: `/f/${node.id}`,
    icon: `/apps/theming/img/core/filetypes/${node.folder ? "folder" : "file"}.svg?v=8924fe71`,
    thumbnail: `/core/preview?x=32&y=32&fileId=${node.id}`,
    attributes: { fileId: String(node.id), path },
  }))
}

function searchNotes(world: World, user: string, term: string): readonly Hit[] {
  const matches = notesOf(world)
    .list(user)
    .filter(({ title, content }) => `${title}\n${content}`.toLowerCase().includes(term))
  return matches.map(({ id, title, category }) => ({
    title,
    subline: category,
    path: `/apps/notes/note/${id}`,
    icon: "icon-notes-trans",
  }))
}

interface Provider {
  readonly id: string
  readonly appId: string
  readonly name: string
}

function providersOf(call: Call): readonly Provider[] {
  const all = recordedData("unified search providers", call.url) as readonly Provider[]
  return all.filter(({ appId }) => call.world.isInstalled(appId))
}

function listProviders(call: Call): Reply {
  const providers = providersOf(call)
  const etag = `"${createHash("md5").update(JSON.stringify(providers)).digest("hex")}"`
  return ocs(call, providers, { etag })
}

function search(call: Call, id: string): Reply {
  const provider = providersOf(call).find((one) => one.id === id)
  const term = (call.query.get("term") ?? "").trim().toLowerCase()
  if (term === "") return ocsFailure(call, 400, "", { data: "No valid filters provided" })
  // Recorded: a missing provider is an internal error.
  if (provider === undefined) return ocsFailure(call, 500, "Internal Server Error", { code: 996 })
  const limit = Math.min(Math.max(Number(call.query.get("limit") ?? 5), 1), 25)
  const offset = Number(call.query.get("cursor") ?? 0)
  const hits = searchersOf(call.world).get(id)?.(call.world, call.user?.id ?? "", term) ?? []
  const entries = hits.slice(offset, offset + limit).map((hit) => toEntry(hit, call.pages))
  return ocs(call, { name: provider.name, isPaginated: true, entries, cursor: offset + limit })
}

function toEntry({ title, subline, path, icon = "", thumbnail, attributes = {} }: Hit, pages: string) {
  const thumbnailUrl = thumbnail === undefined ? "" : `${pages}${thumbnail}`
  const details = { icon, rounded: false, attributes: Object.keys(attributes).length === 0 ? [] : attributes }
  return { thumbnailUrl, title, subline, resourceUrl: `${pages}${path}`, ...details }
}

export const searchArea: Area = createArea([
  ["GET", inOcs("/search/providers"), listProviders],
  ["GET", inOcs("/search/providers/(?<id>[^/]+)/search"), (call, { id = "" }) => search(call, id)],
])
