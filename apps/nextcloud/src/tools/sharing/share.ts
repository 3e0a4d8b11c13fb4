// A share: from OCS to tool outputs, with words for numbers and never a password hash.

import type { Capabilities } from "../../api/capabilities.ts"
import { nextcloudError } from "../../api/error.ts"
import type { NcRequest, Nextcloud } from "../../api/nextcloud.ts"
import { ocs } from "../../api/ocs.ts"
import type { Fields } from "../../api/read.ts"
import { fieldsOf } from "../../api/read.ts"
import { flag, integer, list, object, oneOf, optional, text } from "../../schema.ts"
import { fromSeconds } from "../../time.ts"
import { shareKinds } from "../files/item.ts"

export const hasSharing = (capabilities: Capabilities): boolean =>
  capabilities.of("files_sharing")?.maybeFlag("api_enabled") ?? false

/** The permissions of a share, with Nextcloud's bit for each. Reading is always included. */
export const rights = { read: 1, edit: 2, create: 4, delete: 8, share: 16 } as const

export type Right = keyof typeof rights

const allRights = Object.keys(rights) as readonly Right[]

export const canArgument = optional(list(oneOf(allRights), "Default: only read. create, delete: folders"))

export const toNumber = (rightNames: readonly Right[]): number =>
  rightNames.reduce<number>((sum, right) => sum | rights[right], rights.read)

export const toWords = (number: number): readonly Right[] => allRights.filter((word) => (number & rights[word]) !== 0)

export const expires = optional(text("YYYY-MM-DD", { pattern: "^\\d{4}-\\d{2}-\\d{2}$" }))

export const shareFields = {
  id: integer(),
  path: text(),
  kind: text(),
  with: optional(text()),
  with_name: optional(text()),
  can: list(text()),
  owner: text(),
  created: text(),
  expires: optional(text()),
  note: optional(text()),
  label: optional(text()),
  public_url: optional(text()),
  has_password: optional(flag()),
  url: text(),
}

export const share = object(shareFields)

/** The output after a share was created or changed, without the fields that the caller has given. */
export const briefShare = object({
  id: integer(),
  can: list(text()),
  expires: optional(text()),
  public_url: optional(text()),
  url: text(),
})

export function briefOf(nextcloud: Nextcloud, fields: Fields) {
  const { id, can: rightNames, expires: expiryDate, public_url, url } = shareOf(nextcloud, fields)
  return {
    id,
    can: rightNames,
    ...(expiryDate === undefined ? {} : { expires: expiryDate }),
    ...(public_url === undefined ? {} : { public_url }),
    url,
  }
}

/** The output for a share. For links, `share_with` is omitted, because the server puts the password hash there. */
export function shareOf(nextcloud: Nextcloud, fields: Fields) {
  const type = fields.number("share_type")
  const kind = shareKinds[type] ?? "other"
  const isLink = type === 3
  const members = {
    with: isLink ? undefined : fields.maybeText("share_with"),
    with_name: isLink ? undefined : fields.maybeText("share_with_displayname"),
    expires: fields.maybeText("expiration")?.slice(0, 10),
    note: fields.maybeText("note"),
    label: fields.maybeText("label"),
    public_url: fields.maybeText("url"),
    has_password: isLink || type === 4 ? fields.maybeText("password") !== undefined : undefined,
  }
  return {
    id: fields.number("id"),
    path: fields.text("path"),
    kind,
    can: toWords(fields.number("permissions")),
    owner: fields.maybeText("displayname_owner") ?? fields.text("uid_owner"),
    created: fromSeconds(fields.number("stime")),
    ...(Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Partial<Members>),
    url: nextcloud.link(`/f/${fields.number("file_source")}`),
  }
}

interface Members {
  readonly with: string
  readonly with_name: string
  readonly expires: string
  readonly note: string
  readonly label: string
  readonly public_url: string
  readonly has_password: boolean
}

/** Sends a request. `path` is relative to the API: `/shares/5`. */
export const shares = (nextcloud: Nextcloud, request: NcRequest) =>
  ocs(nextcloud, { ...request, path: `/apps/files_sharing/api/v1${request.path}` })

/** Reads one share, which the server sends as an object or as a list of one. */
export async function readFields(nextcloud: Nextcloud, id: number, activity: string): Promise<Fields> {
  const { data } = await shares(nextcloud, { path: `/shares/${id}`, activity })
  const firstShare: unknown = Array.isArray(data) ? data[0] : data
  if (firstShare === undefined) throw nextcloudError("not_found", { activity })
  return fieldsOf(firstShare, activity)
}

export const readShare = async (nextcloud: Nextcloud, id: number, activity: string) =>
  shareOf(nextcloud, await readFields(nextcloud, id, activity))

/**
 * Whether a share is a link or a mail, open to all who have the address: only these have a label and can hide the
 * download.
 */
export const isLinkOrEmail = (fields: Fields): boolean => [3, 4].includes(fields.number("share_type"))

/** The target of a share in words: “with Bob Example”, “by a public link”. */
export function toRecipientWords({
  kind,
  with: id,
  with_name: name,
}: {
  kind: string
  with?: string
  with_name?: string
}): string {
  if (kind === "link") return "by a public link"
  return `with ${name ?? id ?? "others"}${kind === "user" ? "" : ` (${kind})`}`
}
