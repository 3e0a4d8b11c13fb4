// The API of the Collectives app, for the metadata of collectives and pages. A page's text is a file, over WebDAV.

import type { Capabilities } from "../../api/capabilities.ts"
import { filesPath } from "../../api/dav.ts"
import { nextcloudError } from "../../api/error.ts"
import type { NcRequest, Nextcloud } from "../../api/nextcloud.ts"
import { ocs } from "../../api/ocs.ts"
import type { Fields } from "../../api/read.ts"
import { fieldsOf } from "../../api/read.ts"
import { toBareEtag } from "../../etag.ts"
import { flag, integer, list, object, optional, text } from "../../schema.ts"
import { fromSeconds } from "../../time.ts"

/** Whether Collectives may be installed: it reports no capability, but needs the Teams app (circles), which does. */
export const isOffered = (capabilities: Capabilities): boolean => capabilities.has("circles")

/** Sends a request. `path` is relative to the API: `/collectives/5/pages`. */
export async function collectives(nextcloud: Nextcloud, request: NcRequest): Promise<Fields> {
  const { data } = await ocs(nextcloud, { ...request, path: `/apps/collectives/api/v1.0${request.path}` })
  return fieldsOf(data, request.activity)
}

export const collective = object({
  id: integer(),
  name: text(),
  emoji: optional(text()),
  can_edit: flag(),
  trashed: optional(text()),
  url: text(),
})

export function toCollective(nextcloud: Nextcloud, fields: Fields) {
  const emoji = fields.maybeText("emoji")
  const trashedAt = fields.maybeNumber("trashTimestamp")
  const name = fields.text("name")
  return {
    id: fields.number("id"),
    name,
    ...(emoji === undefined ? {} : { emoji }),
    can_edit: fields.maybeFlag("canEdit") ?? false,
    ...(trashedAt === undefined ? {} : { trashed: fromSeconds(trashedAt) }),
    url: nextcloud.link(`/apps/collectives/${addressPart(fields, name, fields.number("id"))}`),
  }
}

/**
 * The part of a web address that names a collective or a page. Servers with slugs use only the number at its end; other
 * servers use the name.
 */
const addressPart = (fields: Fields, name: string, id: number): string =>
  encodeURIComponent(hasSlugs(fields) ? `${fields.maybeText("slug") ?? name}-${id}` : name)

const hasSlugs = ({ raw }: Fields): boolean => Object.hasOwn(raw, "slug")

export const page = {
  id: integer(),
  title: text(),
  emoji: optional(text()),
  parent_id: integer(),
  modified: text(),
  changed_by: optional(text()),
  size: integer(),
  tags: optional(list(integer())),
  trashed: optional(text()),
  url: text(),
}

export function toPageInfo(nextcloud: Nextcloud, collective: number, fields: Fields) {
  const emoji = fields.maybeText("emoji")
  const author = fields.maybeText("lastUserDisplayName") ?? fields.maybeText("lastUserId")
  const trashedAt = fields.maybeNumber("trashTimestamp")
  const tags = fields.list("tags").map(Number)
  return {
    id: fields.number("id"),
    title: fields.text("title"),
    ...(emoji === undefined ? {} : { emoji }),
    parent_id: fields.number("parentId"),
    modified: fromSeconds(fields.number("timestamp")),
    ...(author === undefined ? {} : { changed_by: author }),
    size: fields.maybeNumber("size") ?? 0,
    ...(tags.length === 0 ? {} : { tags }),
    ...(trashedAt === undefined ? {} : { trashed: fromSeconds(trashedAt) }),
    url: nextcloud.link(`/apps/collectives/${pagePath(collective, fields)}`),
  }
}

function pagePath(collective: number, fields: Fields): string {
  const id = fields.number("id")
  // A page in the trash has no path and no page in the web interface.
  const name = fields.maybeText("collectivePath")?.split("/").at(-1)
  if (!hasSlugs(fields)) return name === undefined ? "" : `${namedPath(name, fields)}?fileId=${id}`
  const collectiveSlug = `${encodeURIComponent(name ?? "collective")}-${collective}`
  const isAlone = name === undefined || fields.number("parentId") === 0
  return isAlone ? collectiveSlug : `${collectiveSlug}/${addressPart(fields, fields.text("title"), id)}`
}

/**
 * The path of a page on servers without slugs: the names of the pages above it. A page with subpages is the Readme.md
 * of a folder.
 */
function namedPath(name: string, fields: Fields): string {
  const isFolder = fields.text("fileName") === "Readme.md"
  const parts = [name, ...(fields.maybeText("filePath")?.split("/") ?? []), ...(isFolder ? [] : [fields.text("title")])]
  return parts.map(encodeURIComponent).join("/")
}

export async function readPage(nextcloud: Nextcloud, collective: number, id: number): Promise<Fields> {
  const activity = `reading the page ${id}`
  const response = await collectives(nextcloud, { path: `/collectives/${collective}/pages/${id}`, activity })
  return response.object("page")
}

/** Tells Collectives who changed a page, which writing the file does not. Returns the updated page. */
export async function touchPage(nextcloud: Nextcloud, collective: number, id: number): Promise<Fields> {
  const activity = `marking the page ${id} as changed`
  const response = await collectives(nextcloud, { path: `/collectives/${collective}/pages/${id}/touch`, activity })
  return response.object("page")
}

/** The WebDAV path of a page's text. */
export async function textPath(nextcloud: Nextcloud, page: Fields): Promise<string> {
  const parts = [page.text("collectivePath"), page.maybeText("filePath") ?? "", page.text("fileName")]
  return filesPath(await nextcloud.userId(), parts.join("/"))
}

export interface PageText {
  readonly content: string
  readonly etag: string
}

export async function readText(nextcloud: Nextcloud, page: Fields): Promise<PageText> {
  const activity = `reading the text of the page “${page.text("title")}”`
  const answer = await nextcloud.send({ path: await textPath(nextcloud, page), activity })
  const etag = answer.headers.get("etag")
  if (etag === null) throw nextcloudError("malformed", { activity, detail: "no etag" })
  return { content: answer.text(), etag: toBareEtag(etag) }
}
