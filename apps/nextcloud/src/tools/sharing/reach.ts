// The recipients of a share, and of a change of a share, for the policy of what reaches others.

import type { Reached, ReachKind } from "../../reach.ts"
import { type Right, type readShare, toNumber, toWords } from "./share.ts"

/** The kinds of recipients, with Nextcloud's number for each. */
export const kinds = { user: 0, group: 1, email: 4, remote: 6, team: 7, conversation: 10 } as const

/** Teams can have members outside this Nextcloud, and conversations guests. */
const reachOfKinds = {
  user: "inside",
  group: "inside",
  email: "email",
  remote: "outside",
  team: "outside",
  conversation: "outside",
} as const satisfies Record<keyof typeof kinds, ReachKind>

interface NewShare {
  readonly fileId: number
  readonly kind: keyof typeof kinds
  readonly recipient: string
  readonly rightNames: readonly Right[]
}

/** The recipient of a new share. A Yes is about the file's id: another file may get its path. */
export function reachOfNew({ fileId, kind, recipient, rightNames }: NewShare): readonly Reached[] {
  const access = toWords(toNumber(rightNames)).join()
  const reached = { to: `${kind} ${recipient}`, object: String(fileId), access }
  return withPassingOn({ kind: reachOfKinds[kind], ...reached }, rightNames)
}

/** The recipient, and once more if they can pass on the access. */
const withPassingOn = (reached: Reached, rightNames: readonly Right[]): readonly Reached[] =>
  rightNames.includes("share") ? [reached, { ...reached, kind: "manage" }] : [reached]

interface AccessChange {
  readonly can?: readonly Right[] | undefined
  readonly expires?: string | undefined
  readonly password?: "new" | "none" | undefined
  readonly hide_download?: boolean | undefined
  readonly note?: string | undefined
}

/**
 * `weakened` when the change takes a protection away or adds a permission, else the recipient, who reads a note, loses
 * a permission or needs another password.
 */
export function reachOfChange(share: Awaited<ReturnType<typeof readShare>>, change: AccessChange): readonly Reached[] {
  const { can: rightNames = [], expires: expiryDate, password, hide_download } = change
  const addedRights = rightNames.filter((right) => !share.can.includes(right))
  const isLater = expiryDate !== undefined && (expiryDate === "" || expiryDate > (share.expires ?? ""))
  const isWeakened =
    addedRights.length > 0 ||
    password === "none" ||
    hide_download === false ||
    (isLater && (share.expires !== undefined || expiryDate === ""))
  const reached = {
    to: `${share.kind} ${share.with ?? ""}`,
    object: `share ${share.id}`,
    access: JSON.stringify(change),
  }
  const kind = isWeakened ? "weakened" : (reachOfShares[share.kind] ?? "outside")
  return withPassingOn({ kind, ...reached }, addedRights)
}

const reachOfShares: Readonly<Record<string, ReachKind>> = {
  user: "inside",
  group: "inside",
  link: "public",
  email: "email",
}
