// Tools that list a folder, and describe one file or folder.

import type { DavItem } from "../../api/dav.ts"
import { filesPath, propfind } from "../../api/dav.ts"
import { nextcloudError } from "../../api/error.ts"
import { pageFields, paging, toPage } from "../../page.ts"
import { integer, list, object, optional, text } from "../../schema.ts"
import { defineTool } from "../../tool.ts"
import { childOf, childrenOf, dav, nc, oc, textOf, xml } from "../../xml.ts"
import {
  fileFields,
  fileOf,
  fileProps,
  find,
  isFolder,
  normalizePath,
  path,
  sharedFields,
  sharedProps,
  sharingOf,
} from "./item.ts"

const listDirectory = defineTool({
  name: "nc_files_list_directory",
  title: "List a folder",
  description: "A folder's content: folders first, by name.",
  scopes: ["files.read"],
  effect: "read",
  input: object({ path: optional(text("“/Photos”; default: the top folder")), ...paging }),
  output: object({ items: list(object({ ...fileFields, ...sharedFields })), ...pageFields }),
  async run({ path: filePath = "/", ...page }, nextcloud) {
    const activity = `listing the folder ${normalizePath(filePath)}`
    const props = { xml: fileProps.xml + sharedProps.xml }
    const address = filesPath(await nextcloud.userId(), filePath)
    const [folder, ...children] = await propfind(nextcloud, { path: address, props, depth: 1, activity })
    if (folder === undefined || !isFolder(folder)) {
      const advice = "Read it with nc_files_read_file, or list the folder that contains it."
      throw nextcloudError("invalid", { activity, because: "it is a file", advice })
    }
    const all = children.map((item) => ({ ...fileOf(nextcloud, item, activity), ...sharingOf(item) }))
    const { items, facts } = toPage(all.toSorted(foldersFirst), page)
    return { items, ...facts }
  },
})

interface NamedItem {
  readonly kind: string
  readonly path: string
}

function foldersFirst(a: NamedItem, b: NamedItem): number {
  if (a.kind !== b.kind) return a.kind === "folder" ? -1 : 1
  return nameOrder.compare(a.path, b.path)
}

const nameOrder = new Intl.Collator("en", { numeric: true })

const infoProps = xml`${[
  sharedProps,
  xml`<oc:permissions/><oc:comments-count/><nc:system-tags/>`,
  xml`<nc:contained-file-count/><nc:contained-folder-count/><d:quota-available-bytes/>`,
]}`

const getInfo = defineTool({
  name: "nc_files_get_info",
  title: "Describe a file or folder",
  description: "One file or folder, with sharing, permissions, tags, and the free space of a folder.",
  scopes: ["files.read"],
  effect: "read",
  input: object({ path }),
  output: object({
    ...fileFields,
    ...sharedFields,
    may: list(text()),
    tags: list(text()),
    comments: integer(),
    files: optional(integer("Directly in it")),
    folders: optional(integer()),
    free_bytes: optional(integer()),
  }),
  notRecorded: "Tags of a file.",
  async run({ path: filePath }, nextcloud) {
    const activity = `looking at ${normalizePath(filePath)}`
    const item = await find(nextcloud, filePath, activity, infoProps)
    return { ...fileOf(nextcloud, item, activity), ...sharingOf(item), ...moreOf(item) }
  },
})

function moreOf({ props }: DavItem) {
  const count = (space: string, name: string): number | undefined => {
    const value = Number(textOf(props, space, name) || Number.NaN)
    // A negative number means unlimited or unknown.
    return value >= 0 ? value : undefined
  }
  const members = {
    files: count(nc, "contained-file-count"),
    folders: count(nc, "contained-folder-count"),
    free_bytes: count(dav, "quota-available-bytes"),
  }
  return {
    may: mayIn(textOf(props, oc, "permissions") ?? ""),
    tags: childrenOf(childOf(props, nc, "system-tags"), nc, "system-tag").map((tag) => tag.text),
    comments: count(oc, "comments-count") ?? 0,
    ...Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)),
  }
}

/**
 * Decodes Nextcloud's permission letters: G read, W write, C or K create, D delete, N or V move (and rename), R share.
 */
const mayIn = (letters: string): readonly string[] =>
  Object.entries({ G: "read", W: "write", CK: "create", D: "delete", NV: "move", R: "share" })
    .filter(([permissionLetters]) => [...permissionLetters].some((letter) => letters.includes(letter)))
    .map(([, word]) => word)

export const listingTools = [listDirectory, getInfo]
