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
import { defineTool, withOfferTest } from "../../tool.ts"
import { dav, nc, oc, textOf, xml } from "../../xml.ts"
import { sendDavWrite } from "../files/dav-write.ts"
import { bytesInWords, decode, isFolder, normalizePath, readerOf } from "../files/item.ts"

const hasTrash = (capabilities: Capabilities): boolean => capabilities.of("files")?.maybeFlag("undelete") ?? false

/** Whether items may be deleted from the trash: some servers keep them until they expire. */
const mayDelete = (capabilities: Capabilities): boolean =>
  hasTrash(capabilities) && capabilities.of("files")?.maybeFlag("delete_from_trash") !== false

const trashedFields = {
  id: text(),
  path: text("Where it was"),
  kind: text(),
  size: optional(integer()),
  deleted: text(),
}

interface TrashedItem {
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

async function listAll(nextcloud: Nextcloud, activity: string): Promise<readonly TrashedItem[]> {
  const path = `${await trashPath(nextcloud)}/trash`
  const [, ...items] = await propfind(nextcloud, { path, props, depth: 1, activity })
  return items.map((item) => trashedOf(item, activity)).toSorted((a, b) => b.deleted.localeCompare(a.deleted))
}

/** Reads one item of the trash. For a folder, counts the files and folders directly in it. */
async function findOne(nextcloud: Nextcloud, name: string, activity: string): Promise<TrashedItem & FolderContents> {
  const path = await addressOf(nextcloud, name)
  const [item, ...items] = await propfind(nextcloud, { path, props, depth: 1, activity })
  if (item === undefined) throw nextcloudError("malformed", { activity, detail: "an empty multistatus" })
  const folders = items.filter(isFolder).length
  return { ...trashedOf(item, activity), folders, files: items.length - folders }
}

interface FolderContents {
  readonly files: number
  readonly folders: number
}

const contentsInWords = ({ files, folders }: FolderContents): string =>
  `${files} ${files === 1 ? "file" : "files"} and ${folders} ${folders === 1 ? "folder" : "folders"} directly in it`

async function addressOf(nextcloud: Nextcloud, name: string): Promise<string> {
  // Slashes and dot segments would lead out of the trash.
  if (/^\.{0,2}$|\//.test(name)) throw nextcloudError("not_found", { activity: "reading the trash" })
  return `${await trashPath(nextcloud)}/trash/${encodeURIComponent(name)}`
}

function trashedOf(item: DavItem, activity: string): TrashedItem {
  const { need, number } = readerOf(item, activity)
  const size = Number(textOf(item.props, oc, "size") ?? textOf(item.props, dav, "getcontentlength") ?? Number.NaN)
  return {
    id: decode(/([^/]+)\/?$/.exec(item.href)?.[1] ?? "", activity),
    path: normalizePath(need(nc, "trashbin-original-location")),
    kind: isFolder(item) ? "folder" : "file",
    ...(Number.isFinite(size) ? { size } : {}),
    deleted: fromSeconds(number(nc, "trashbin-deletion-time")),
  }
}

const listTrash = defineTool({
  name: "nc_files_list_trash",
  title: "List the trash",
  description: "Deleted files and folders, last deleted first.",
  scopes: ["files.read"],
  effect: "read",
  input: object(paging),
  output: object({ items: list(object(trashedFields)), ...pageFields }),
  async run(page, nextcloud) {
    const { items, facts } = toPage(await listAll(nextcloud, "listing the trash"), page)
    return { items, ...facts }
  },
})

const restore = defineTool({
  name: "nc_files_restore_from_trash",
  title: "Restore from the trash",
  description: "Restores a deleted file or folder; under another name if its own is taken.",
  scopes: ["files.write"],
  effect: "set",
  input: object({ id }),
  output: object({ restored: text("Where it was") }),
  requests: 2,
  notRecorded: "When its name is taken, or its folder is gone.",
  async run({ id: name }, nextcloud) {
    const activity = `restoring ${name}`
    const item = await findOne(nextcloud, name, activity)
    const target = `${await trashPath(nextcloud)}/restore/${encodeURIComponent(name)}`
    const headers = { destination: `${nextcloud.url}${target}` }
    await sendDavWrite(nextcloud, { method: "MOVE", path: await addressOf(nextcloud, name), headers, activity })
    return { restored: item.path }
  },
})

const permanentNote = "It cannot be undone."

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
      const sizeText = size === undefined ? "" : `, ${bytesInWords(size)}`
      return {
        what: `the ${kind} “${path}”`,
        details: [
          `Deleted ${deleted}${sizeText}`,
          ...(kind === "folder" ? [contentsInWords(item)] : []),
          permanentNote,
        ],
        guard: `${path} ${deleted}`,
      }
    },
  },
  async run({ id: name }, nextcloud, { loss }) {
    const activity = `deleting ${name} from the trash`
    const item = await findOne(nextcloud, name, activity)
    if (loss?.guard !== undefined && loss.guard !== `${item.path} ${item.deleted}`)
      throw nextcloudError("conflict", { activity, current: item })
    await sendDavWrite(nextcloud, { method: "DELETE", path: await addressOf(nextcloud, name), activity })
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
      const size = all.reduce((sum, item) => sum + (item.size ?? 0), 0)
      const folders = all.filter(({ kind }) => kind === "folder").length
      const firstPaths = all.slice(0, 10).map(({ path }) => `“${path}”`)
      const moreText = all.length > firstPaths.length ? [`and ${all.length - firstPaths.length} more`] : []
      return {
        what: `everything in the trash: ${pluralize(all.length - folders, "file")} and ${pluralize(folders, "folder")}, ${bytesInWords(size)}`,
        details: [...(all.length === 0 ? [] : [[...firstPaths, ...moreText].join(", ")]), permanentNote],
        guard: guardOf(all),
      }
    },
  },
  async run(_, nextcloud, { loss }) {
    const activity = "emptying the trash"
    const all = await listAll(nextcloud, activity)
    if (loss?.guard !== undefined && loss.guard !== guardOf(all)) {
      const advice = "The trash has changed. Call again: the user will be shown its current content."
      throw nextcloudError("conflict", { activity, current: { items: all.slice(0, 20), total: all.length }, advice })
    }
    if (all.length > 0)
      await sendDavWrite(nextcloud, { method: "DELETE", path: `${await trashPath(nextcloud)}/trash`, activity })
    return { deleted: all.length }
  },
})

/** A guard that changes whenever an item enters or leaves the trash. */
const guardOf = (all: readonly TrashedItem[]): string =>
  createHash("sha256")
    .update(JSON.stringify(all.map(({ id: itemId, path }) => [itemId, path]).sort()))
    .digest("hex")

export const trashTools = withOfferTest(hasTrash, [listTrash, restore, deleteOne, emptyTrash])
