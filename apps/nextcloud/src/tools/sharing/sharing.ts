// Tools for sharing files. The password of a link is generated here and returned once, beside its link: a password that
// a person uses elsewhere must not pass through a model, its client and their logs.

import { randomInt } from "node:crypto"
import { nextcloudError } from "../../api/error.ts"
import type { Nextcloud } from "../../api/nextcloud.ts"
import type { Fields } from "../../api/read.ts"
import { fieldsOf, objectsOf } from "../../api/read.ts"
import { pageFields, paging, toExcerpt, toPage } from "../../page.ts"
import { pluralize } from "../../pluralize.ts"
import { flag, integer, list, object, oneOf, optional, text } from "../../schema.ts"
import { defineTool, withOfferTest } from "../../tool.ts"
import { normalizePath, path, readFileId } from "../files/item.ts"
import { kinds, reachOfChange, reachOfNew } from "./reach.ts"
import {
  briefOf,
  briefShare,
  canArgument,
  expires,
  hasSharing,
  isLinkOrEmail,
  type Right,
  readFields,
  readShare,
  share,
  shareOf,
  shares,
  toNumber,
  toRecipientWords,
} from "./share.ts"
import { searchSharees } from "./sharees.ts"

const kindNames = Object.keys(kinds) as readonly (keyof typeof kinds)[]

const createShare = defineTool({
  name: "nc_sharing_create_share",
  title: "Share with someone",
  description: "Shares a file or folder with someone and notifies them. An existing share stays as it is.",
  scopes: ["sharing.write"],
  effect: "add",
  reach: {
    kinds: ["inside", "email", "outside", "manage"],
    requests: 1,
    async find({ path: filePath, with: recipient, kind = "user", can: rightNames = [] }, nextcloud) {
      const fileId = await readFileId(nextcloud, filePath, `sharing ${normalizePath(filePath)}`)
      return reachOfNew({ fileId, kind, recipient, rightNames })
    },
  },
  input: object({
    path,
    with: text("Id from nc_sharing_search_sharees, or address", { least: 1 }),
    kind: optional(oneOf(kindNames, "default: user")),
    can: canArgument,
    note: optional(text("Shown to them")),
    expires,
  }),
  output: briefShare,
  notRecorded: "Groups, e-mail, other servers, teams and conversations.",
  confirm: {
    requests: 0,
    verb: "Share",
    readLoss: async ({ path: filePath, with: recipient, kind = "user", can: rightNames, note = "" }) => ({
      what: `“${normalizePath(filePath)}” with ${kind === "user" ? "" : `the ${kind} `}“${recipient}”`,
      details: [mayWords(rightNames), ...(note === "" ? [] : [noteWords(note)])],
    }),
  },
  run: (
    { path: filePath, with: shareWith, kind = "user", can: rightNames = [], note, expires: expireDate },
    nextcloud,
  ) =>
    create(nextcloud, filePath, {
      shareType: kinds[kind],
      shareWith,
      permissions: toNumber(rightNames),
      note,
      expireDate,
    }),
})

const mayWords = (rightNames: readonly Right[] | undefined): string =>
  `They may ${[...new Set<string>(["read", ...(rightNames ?? [])])].join(", ")}.`

const createLink = defineTool({
  name: "nc_sharing_create_public_link",
  title: "Create a public link",
  description: "Creates a public link. A requested password is generated and returned only once.",
  scopes: ["sharing.write"],
  effect: "add",
  reach: {
    kinds: ["public"],
    find: ({ path: filePath }) => [{ kind: "public", to: "link", object: normalizePath(filePath) }],
  },
  input: object({
    path,
    expires,
    can: canArgument,
    label: optional(text("Its name in the list of links")),
    hide_download: optional(flag()),
    password: optional(flag()),
  }),
  output: object({ ...briefShare.properties, password: optional(text("Returned only now")) }),
  requestsNote: "One more to hide the download.",
  notRecorded: "Options of links other than a label: rights to write, hidden download.",
  offered: (capabilities) =>
    hasSharing(capabilities) &&
    (capabilities.of("files_sharing")?.maybeObject("public")?.maybeFlag("enabled") ?? false),
  confirm: {
    requests: 0,
    verb: "Share",
    readLoss: async ({ path: filePath, can: rightNames, expires: expiryDate, password }, nextcloud) => ({
      what: `“${normalizePath(filePath)}” with everyone who has the link${password === true ? " and its password" : ""}`,
      details: [
        mayWords(rightNames),
        expiryDate === undefined ? await readDefaultExpiry(nextcloud) : `The link expires on ${expiryDate}.`,
      ],
    }),
  },
  async run(
    { path: filePath, can: rightNames = [], label, hide_download, password: wantsPassword, expires: expireDate },
    nextcloud,
  ) {
    const password = wantsPassword === true || (await needsPassword(nextcloud)) ? newPassword() : undefined
    const members = { shareType: 3, permissions: toNumber(rightNames), label, expireDate, password }
    const createdLink = await create(nextcloud, filePath, members)
    const link = hide_download === true ? await hideDownload(nextcloud, filePath, createdLink.id) : createdLink
    return { ...link, ...(password === undefined ? {} : { password }) }
  },
})

const readLinkCapabilities = async (nextcloud: Nextcloud): Promise<Fields | undefined> =>
  (await nextcloud.capabilities()).of("files_sharing")?.maybeObject("public")

/** Describes when a link without a given date expires, by the server's default. */
async function readDefaultExpiry(nextcloud: Nextcloud): Promise<string> {
  const limit = (await readLinkCapabilities(nextcloud))?.maybeObject("expire_date")
  return limit?.maybeFlag("enabled") === true
    ? `The link expires after ${limit.maybeNumber("days") ?? "some"} days.`
    : "The link does not expire."
}

/**
 * Hides the download of a new link, which needs a second request. If that fails, the link is removed again, because it
 * would allow too much.
 */
async function hideDownload(nextcloud: Nextcloud, filePath: string, id: number) {
  const activity = `hiding the download of the link to ${normalizePath(filePath)}`
  const path = `/shares/${id}`
  try {
    const { data } = await shares(nextcloud, { method: "PUT", path, json: { hideDownload: "true" }, activity })
    return briefOf(nextcloud, fieldsOf(data, activity))
  } catch (error) {
    await shares(nextcloud, { method: "DELETE", path, activity }).catch(() => {})
    throw error
  }
}

const needsPassword = async (nextcloud: Nextcloud): Promise<boolean> =>
  (await readLinkCapabilities(nextcloud))?.maybeObject("password")?.maybeFlag("enforced") === true

/** Generates a password of 116 bits with every kind of character that a server may require, without lookalikes. */
function newPassword(): string {
  const letters = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789"
  const part = (): string => Array.from({ length: 5 }, () => letters[randomInt(letters.length)]).join("")
  const password = [part(), part(), part(), part()].join("-")
  return [/[a-z]/, /[A-Z]/, /\d/].every((kind) => kind.test(password)) ? password : newPassword()
}

async function create(nextcloud: Nextcloud, filePath: string, members: object) {
  const activity = `sharing ${normalizePath(filePath)}`
  const json = { path: normalizePath(filePath), ...members }
  const { data } = await shares(nextcloud, { method: "POST", path: "/shares", json, activity })
  return briefOf(nextcloud, fieldsOf(data, activity))
}

const listShares = defineTool({
  name: "nc_sharing_list_shares",
  title: "List shares",
  description: "Shares by the user, or with them; with path, only those of that file or folder.",
  scopes: ["sharing.read"],
  effect: "read",
  input: object({
    path: optional(text()),
    inside: optional(flag("Shares of the folder's items instead")),
    shared_with_me: optional(flag()),
    ...paging,
  }),
  output: object({ shares: list(share), ...pageFields }),
  notRecorded: "`inside`.",
  async run({ path: filePath, inside, shared_with_me, ...page }, nextcloud) {
    const activity = filePath === undefined ? "listing the shares" : `listing the shares of ${normalizePath(filePath)}`
    if (inside === true && (filePath === undefined || shared_with_me === true))
      throw nextcloudError("invalid", {
        activity,
        because: "`inside` needs a `path`, and lists only what the user shares",
      })
    const query = {
      ...(filePath === undefined ? {} : { path: normalizePath(filePath), reshares: true, subfiles: inside ?? false }),
      ...(shared_with_me === true ? { shared_with_me: true } : {}),
    }
    const { data } = await shares(nextcloud, { path: "/shares", query, activity })
    const { items, facts } = toPage(objectsOf(data, activity), page)
    return { shares: items.map((fields) => shareOf(nextcloud, fields)), ...facts }
  },
})

const id = integer("Of the share")

const getShare = defineTool({
  name: "nc_sharing_get_share",
  title: "Look at a share",
  description: "One share: its recipient, permissions and expiry.",
  scopes: ["sharing.read"],
  effect: "read",
  input: object({ share_id: id }),
  output: share,
  run: ({ share_id }, nextcloud) => readShare(nextcloud, share_id, `reading the share ${share_id}`),
})

const updateShare = defineTool({
  name: "nc_sharing_update_share",
  title: "Change a share",
  description: "Changes only the given fields of a share or link.",
  scopes: ["sharing.write"],
  effect: "change",
  reach: {
    kinds: ["weakened", "manage", "public", "email", "outside", "inside"],
    requests: 1,
    async find({ share_id, label: _label, hide_download, ...changes }, nextcloud) {
      const isChanged = [hide_download === false, ...Object.values(changes).map((value) => value !== undefined)]
      if (!isChanged.includes(true)) return []
      return reachOfChange(await readShare(nextcloud, share_id, "reading the share"), { hide_download, ...changes })
    },
  },
  input: object({
    share_id: id,
    can: optional({ ...canArgument, json: { ...canArgument.json, description: "All that they may do" } }),
    expires: optional(text("YYYY-MM-DD; empty: never", { pattern: "^(\\d{4}-\\d{2}-\\d{2})?$" })),
    note: optional(text()),
    label: optional(text("Links only")),
    hide_download: optional(flag("Links only")),
    password: optional(oneOf(["new", "none"], "Links only; a new one is returned only now")),
  }),
  output: object({ ...briefShare.properties, password: optional(text("Returned only now")) }),
  requests: 2,
  requestsNote: "One without a confirmation.",
  notRecorded: "Labels and hidden download.",
  confirm: {
    verb: "Change",
    async readLoss({ share_id, can: rightNames, expires: expiryDate, password, hide_download, note }, nextcloud) {
      const share = await readShare(nextcloud, share_id, "reading the share")
      const rights =
        rightNames === undefined
          ? []
          : [`Now they may ${share.can.join(", ")}.`, `Then ${toLowerFirst(mayWords(rightNames))}`]
      const times =
        expiryDate === undefined ? [] : [`Now it ${expiryWords(share.expires)}.`, `Then it ${expiryWords(expiryDate)}.`]
      return {
        what: `the share of “${share.path}” ${toRecipientWords(share)}`,
        details: [
          ...rights,
          ...times,
          ...(password === undefined ? [] : [passwordWords[password]]),
          ...(hide_download === false ? ["Its download is no longer hidden."] : []),
          ...(note === undefined ? [] : [noteWords(note)]),
        ],
        guard: guardOf(share),
      }
    },
  },
  async run({ share_id, can: rightNames, expires: expireDate, note, label, ...link }, nextcloud, { loss }) {
    const activity = `changing the share ${share_id}`
    const permissions = rightNames === undefined ? undefined : toNumber(rightNames)
    const hideDownload = link.hide_download === undefined ? undefined : String(link.hide_download)
    const password = link.password === "new" ? newPassword() : link.password === "none" ? "" : undefined
    const json = { permissions, expireDate, note, label, hideDownload, password }
    if (Object.values(json).every((value) => value === undefined))
      throw nextcloudError("invalid", { activity, because: "there is nothing to change" })
    if (loss?.guard !== undefined) {
      const share = await readShare(nextcloud, share_id, activity)
      if (guardOf(share) !== loss.guard) throw nextcloudError("conflict", { activity, current: share })
    }
    const { data } = await shares(nextcloud, { method: "PUT", path: `/shares/${share_id}`, json, activity })
    const changed = fieldsOf(data, activity)
    if (!isLinkOrEmail(changed) && (label ?? hideDownload ?? password) !== undefined) {
      const because = "only links have a label and a password, and can hide the download"
      throw nextcloudError("invalid", { activity, because, advice: "The other given fields were changed." })
    }
    return {
      ...briefOf(nextcloud, changed),
      ...(link.password === "new" && password !== undefined ? { password } : {}),
    }
  },
})

const noteWords = (note: string): string =>
  note === "" ? "Its note is removed." : `With a note of ${pluralize(note.length, "character")}: “${toExcerpt(note)}”`

const passwordWords = { new: "It gets a new password: an old one stops working.", none: "Its password is removed." }

const toLowerFirst = (words: string): string => words.slice(0, 1).toLowerCase() + words.slice(1)

const expiryWords = (expiryDate: string | undefined): string =>
  expiryDate === undefined || expiryDate === "" ? "does not expire" : `expires on ${expiryDate}`

const guardOf = (share: Awaited<ReturnType<typeof readShare>>): string =>
  [share.path, toRecipientWords(share), share.can.join(), share.expires ?? ""].join("|")

const deleteShare = defineTool({
  name: "nc_sharing_delete_share",
  title: "Stop sharing",
  description: "Ends a share: a link stops working, others lose access. The file stays.",
  scopes: ["sharing.write"],
  effect: "remove",
  reach: "ended",
  input: object({ share_id: id }),
  output: object({ deleted: text("What was shared, with whom") }),
  requests: 2,
  source: "documented",
  notRecorded: "The deletion itself.",
  confirm: {
    verb: "End",
    async readLoss({ share_id }, nextcloud) {
      const fields = await readFields(nextcloud, share_id, "reading the share")
      const share = shareOf(nextcloud, fields)
      // A person who can delete but not change the share is its recipient.
      const accessLoss =
        fields.maybeFlag("can_edit") === false ? "You lose access immediately." : "They lose access immediately."
      const loss = share.kind === "link" ? "The link stops working for everyone." : accessLoss
      return {
        what: `the share of “${share.path}” ${toRecipientWords(share)}`,
        details: [`Shared by ${share.owner}, they may ${share.can.join(", ")}.`, loss, "The file itself stays."],
        guard: `${share.path} ${toRecipientWords(share)}`,
      }
    },
  },
  async run({ share_id }, nextcloud, { loss }) {
    const activity = `ending the share ${share_id}`
    const share = await readShare(nextcloud, share_id, activity)
    const deletedText = `${share.path} ${toRecipientWords(share)}`
    if (loss?.guard !== undefined && loss.guard !== deletedText)
      throw nextcloudError("conflict", { activity, current: share })
    await shares(nextcloud, { method: "DELETE", path: `/shares/${share_id}`, activity })
    return { deleted: deletedText }
  },
})

export const sharingTools = withOfferTest(hasSharing, [
  createShare,
  createLink,
  listShares,
  getShare,
  updateShare,
  deleteShare,
  searchSharees,
])
