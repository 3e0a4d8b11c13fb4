// Tools for the trash: list it, restore from it, and delete permanently.

import { createHash } from "node:crypto"
import type { Capabilities } from "../../api/capabilities.ts"
import type { DavItem } from "../../api/dav.ts"
import { propfind } from "../../api/dav.ts"
import { nextcloudError } from "../../api/error.ts"
import type { Nextcloud } from "../../api/nextcloud.ts"
import { pageFields, paging, toPage } from "../../page.ts"
import { pluralize } from "../../pluralize.ts"
import { integer, list, object, optional, text } from "../../schema.ts"
import { fromSeconds } from "../../time.ts"
import { defineTool, offeredIf } from "../../tool.ts"
import { dav, nc, oc, textOf, xml } from "../../xml.ts"
import { change } from "../files/change.ts"
import { bytesInWords, decode, isFolder, normalizePath, readerOf } from "../files/item.ts"

const hasTrash = (capabilities: Capabilities): boolean => capabilities.of("files")?.maybeFlag("undelete") ?? false

/** Whether items may be deleted from the trash: some servers keep them until they expire. */
const mayDelete = (capabilities: Capabilities): boolean =>
  hasTrash(capabilities) && capabilities.of("files")?.maybeFlag("delete_from_trash") !== false

const trashed = {
  id: text(),
  path: text("Where it was"),
  kind: text(),
  size: optional(integer()),
  deleted: text(),
}

interface Trashed {
  readonly id: string
  readonly path: string
  readonly kind: "file" | "folder"
  readonly size?: number
  readonly deleted: string
}

const id = text("As listed in the trash", { least: 1 })

const props = xml`${[
  xml`<d:resourcetype/><d:getcontentlength/><oc:size/>`,
  xml`<nc:trashbin-original-location/><nc:trashbin-deletion-time/>`,
]}`

const trashPath = async (nextcloud: Nextcloud): Promise<string> =>
  `/remote.php/dav/trashbin/${encodeURIComponent(await nextcloud.userId())}`

async function listAll(nextcloud: Nextcloud, doing: string): Promise<readonly Trashed[]> {
  const path = `${await trashPath(nextcloud)}/trash`
  const [, ...items] = await propfind(nextcloud, { path, props, depth: 1, doing })
  return items.map((item) => trashedOf(item, doing)).toSorted((a, b) => b.deleted.localeCompare(a.deleted))
}

/** Reads one item of the trash; for a folder, with its direct content. */
async function findOne(nextcloud: Nextcloud, name: string, doing: string): Promise<Trashed & Inside> {
  const path = await addressOf(nextcloud, name)
  const [item, ...inside] = await propfind(nextcloud, { path, props, depth: 1, doing })
  if (item === undefined) throw nextcloudError("malformed", { doing, detail: "an empty multistatus" })
  const folders = inside.filter(isFolder).length
  return { ...trashedOf(item, doing), folders, files: inside.length - folders }
}

interface Inside {
  readonly files: number
  readonly folders: number
}

const insideWords = ({ files, folders }: Inside): string =>
  `${files} ${files === 1 ? "file" : "files"} and ${folders} ${folders === 1 ? "folder" : "folders"} directly in it`

async function addressOf(nextcloud: Nextcloud, name: string): Promise<string> {
  // Dot segments would lead out of the trash.
  if (/^\.{0,2}$|\//.test(name)) throw nextcloudError("not_found", { doing: "reading the trash" })
  return `${await trashPath(nextcloud)}/trash/${encodeURIComponent(name)}`
}

function trashedOf(item: DavItem, doing: string): Trashed {
  const { need, number } = readerOf(item, doing)
  const size = Number(textOf(item.props, oc, "size") ?? textOf(item.props, dav, "getcontentlength") ?? Number.NaN)
  return {
    id: decode(/([^/]+)\/?$/.exec(item.href)?.[1] ?? "", doing),
    path: normalizePath(need(nc, "trashbin-original-location")),
    kind: isFolder(item) ? "folder" : "file",
    ...(Number.isFinite(size) ? { size } : {}),
    deleted: fromSeconds(number(nc, "trashbin-deletion-time")),
  }
}

const listTrash = defineTool({
  name: "nc_files_list_trash",
  title: "List the trash",
  description: "Deleted files and folders, the last deleted first.",
  scopes: ["files.read"],
  effect: "read",
  input: object(paging),
  output: object({ items: list(object(trashed)), ...pageFields }),
  async run(page, nextcloud) {
    const { items, facts } = toPage(await listAll(nextcloud, "listing the trash"), page)
    return { items, ...facts }
  },
})

const restore = defineTool({
  name: "nc_files_restore_from_trash",
  title: "Restore from the trash",
  description: "Puts a deleted file or folder back where it was; under another name if its own is taken.",
  scopes: ["files.write"],
  effect: "set",
  input: object({ id }),
  output: object({ restored: text("Where it was") }),
  requests: 2,
  notRecorded: "When its name is taken, or its folder is gone.",
  async run({ id: name }, nextcloud) {
    const doing = `restoring ${name}`
    const item = await findOne(nextcloud, name, doing)
    const target = `${await trashPath(nextcloud)}/restore/${encodeURIComponent(name)}`
    const headers = { destination: `${nextcloud.url}${target}` }
    await change(nextcloud, { method: "MOVE", path: await addressOf(nextcloud, name), headers, doing })
    return { restored: item.path }
  },
})

const goneForGood = "It cannot be undone."

const deleteOne = defineTool({
  name: "nc_files_delete_from_trash",
  title: "Delete from the trash",
  description: "Deletes one item of the trash for good.",
  scopes: ["files.write"],
  effect: "remove",
  input: object({ id }),
  output: object({ deleted: text("Where it was") }),
  requests: 2,
  source: "documented",
  notRecorded: "The deletion itself.",
  offered: mayDelete,
  confirm: {
    verb: "Delete for good",
    async readLoss({ id: name }, nextcloud) {
      const item = await findOne(nextcloud, name, "reading the trash")
      const { kind, path, deleted, size } = item
      const much = size === undefined ? "" : `, ${bytesInWords(size)}`
      return {
        what: `the ${kind} “${path}”`,
        details: [`Deleted ${deleted}${much}`, ...(kind === "folder" ? [insideWords(item)] : []), goneForGood],
        guard: `${path} ${deleted}`,
      }
    },
  },
  async run({ id: name }, nextcloud, { loss }) {
    const doing = `deleting ${name} from the trash`
    const item = await findOne(nextcloud, name, doing)
    if (loss?.guard !== undefined && loss.guard !== `${item.path} ${item.deleted}`)
      throw nextcloudError("conflict", { doing, current: item })
    await change(nextcloud, { method: "DELETE", path: await addressOf(nextcloud, name), doing })
    return { deleted: item.path }
  },
})

const emptyTrash = defineTool({
  name: "nc_files_empty_trash",
  title: "Empty the trash",
  description: "Deletes everything in the trash for good.",
  scopes: ["files.write"],
  effect: "remove",
  input: object({}),
  output: object({ deleted: integer("How many files and folders") }),
  requests: 2,
  source: "documented",
  notRecorded: "The deletion itself.",
  offered: mayDelete,
  confirm: {
    verb: "Delete for good",
    async readLoss(_, nextcloud) {
      const all = await listAll(nextcloud, "reading the trash")
      const size = all.reduce((sum, one) => sum + (one.size ?? 0), 0)
      const folders = all.filter(({ kind }) => kind === "folder").length
      const firstPaths = all.slice(0, 10).map(({ path }) => `“${path}”`)
      const more = all.length > firstPaths.length ? [`and ${all.length - firstPaths.length} more`] : []
      return {
        what: `everything in the trash: ${pluralize(all.length - folders, "file")} and ${pluralize(folders, "folder")}, ${bytesInWords(size)}`,
        details: [...(all.length === 0 ? [] : [[...firstPaths, ...more].join(", ")]), goneForGood],
        guard: guardOf(all),
      }
    },
  },
  async run(_, nextcloud, { loss }) {
    const doing = "emptying the trash"
    const all = await listAll(nextcloud, doing)
    if (loss?.guard !== undefined && loss.guard !== guardOf(all)) {
      const advice = "The trash has changed. Call again: the user will be shown its current content."
      throw nextcloudError("conflict", { doing, current: { items: all.slice(0, 20), total: all.length }, advice })
    }
    if (all.length > 0)
      await change(nextcloud, { method: "DELETE", path: `${await trashPath(nextcloud)}/trash`, doing })
    return { deleted: all.length }
  },
})

/** A guard that changes whenever an item enters or leaves the trash. */
const guardOf = (all: readonly Trashed[]): string =>
  createHash("sha256")
    .update(JSON.stringify(all.map(({ id: one, path }) => [one, path]).sort()))
    .digest("hex")

export const trashTools = offeredIf(hasTrash, [listTrash, restore, deleteOne, emptyTrash])
