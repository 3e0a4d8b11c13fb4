// Tools for sharing a Deck board, and for what each participant may do.

import { nextcloudError } from "../../api/error.ts"
import type { Fields } from "../../api/read.ts"
import { fieldsOf } from "../../api/read.ts"
import { integer, object, oneOf, optional, text } from "../../schema.ts"
import { defineTool } from "../../tool.ts"
import { deck, participantId, readBoard } from "./api.ts"

/** Deck's codes for kinds of participants. */
const kinds = { user: 0, group: 1, email: 4, remote: 6, team: 7 } as const

type Kind = keyof typeof kinds

const kind = optional(oneOf(["user", "group", "team"]))

const accesses = ["read", "edit", "share", "manage"] as const

const shareFields = { board_id: integer(), id: text("Of the person, group or team", { least: 1 }), kind }

const access = object({ id: text(), kind: text(), access: text() })

export function toAccess(acl: Fields) {
  const type = acl.number("type")
  return {
    id: participantId(acl, "participant"),
    kind: Object.entries(kinds).find(([, number]) => number === type)?.[0] ?? "other",
    access: accessOf(acl),
  }
}

function accessOf(acl: Fields): (typeof accesses)[number] {
  if (acl.flag("permissionManage")) return "manage"
  if (acl.flag("permissionShare")) return "share"
  return acl.flag("permissionEdit") ? "edit" : "read"
}

/** What each level of access allows, in words. */
const accessWords: Readonly<Record<(typeof accesses)[number], string>> = {
  read: "They may read everything on it.",
  edit: "They may read and change everything on it.",
  share: "They may read and change everything on it, and share it with others.",
  manage: "They may do everything: share it with others, remove others, and change or archive the board.",
}

const shareBoard = defineTool({
  name: "nc_deck_share_board",
  title: "Share a Deck board",
  description: "Shares a board, or changes someone's access. Each level of access includes those before it.",
  scopes: ["deck.write"],
  effect: "set",
  reach: {
    kinds: ["inside", "outside", "manage"],
    find({ board_id, id, kind: recipientKind = "user", access: level = "read" }) {
      const recipient = { to: `${recipientKind} ${id}`, object: String(board_id), access: level }
      const canPassOn = level === "share" || level === "manage"
      // A team can have members outside this Nextcloud.
      const kind = recipientKind === "team" ? "outside" : "inside"
      return [{ kind, ...recipient }, ...(canPassOn ? [{ kind: "manage", ...recipient } as const] : [])]
    },
  },
  input: object({ ...shareFields, access: optional(oneOf(accesses, "default: read")) }),
  output: access,
  requests: 2,
  notRecorded: "changing existing access; sharing with groups and teams",
  confirm: {
    verb: "Share",
    async readLoss({ board_id, id, kind: recipientKind = "user", access: level = "read" }, nextcloud) {
      const board = await readBoard(nextcloud, board_id)
      const existing = findAcl(board, id, recipientKind)
      const before = existing === undefined ? [] : [`Now they may ${accessOf(existing)} there.`]
      return {
        what: `the board “${board.text("title")}” with ${recipientKind === "user" ? "" : `the ${recipientKind} `}“${id}”`,
        details: [...before, accessWords[level]],
      }
    },
  },
  async run({ board_id, id, kind: recipientKind = "user", access: requestedAccess = "read" }, nextcloud) {
    const activity = `sharing the board ${board_id} with ${id}`
    const existing = findAcl(await readBoard(nextcloud, board_id), id, recipientKind)
    const accessLevel = accesses.indexOf(requestedAccess)
    const json = {
      permissionEdit: accessLevel >= 1,
      permissionShare: accessLevel >= 2,
      permissionManage: accessLevel >= 3,
    }
    const path = `/boards/${board_id}/acl`
    const answer =
      existing === undefined
        ? await deck(nextcloud, {
            method: "POST",
            path,
            json: { type: kinds[recipientKind], participant: id, ...json },
            activity,
          })
        : await deck(nextcloud, { method: "PUT", path: `${path}/${existing.number("id")}`, json, activity })
    return toAccess(fieldsOf(answer.json(), activity))
  },
})

const unshareBoard = defineTool({
  name: "nc_deck_unshare_board",
  title: "Stop sharing a Deck board",
  description: "Stops sharing a board with someone.",
  scopes: ["deck.write"],
  effect: "remove",
  reach: "ended",
  input: object(shareFields),
  output: object({ removed: text() }),
  requests: 2,
  source: "documented",
  notRecorded: "ending the share of a board",
  confirm: {
    verb: "Stop sharing",
    async readLoss({ board_id, id, kind: recipientKind = "user" }, nextcloud) {
      const board = await readBoard(nextcloud, board_id)
      const acl = aclOf(board, id, recipientKind)
      const name = acl.maybeObject("participant")?.maybeText("displayname") ?? id
      return {
        what: `the board “${board.text("title")}” with ${name}`,
        details: [`They could ${accessOf(acl)} there.`],
        guard: String(acl.number("id")),
      }
    },
  },
  async run({ board_id, id, kind: recipientKind = "user" }, nextcloud, { loss }) {
    const activity = `ending the share of the board ${board_id} with ${id}`
    const acl = aclOf(await readBoard(nextcloud, board_id), id, recipientKind).number("id")
    if (loss?.guard !== undefined && loss.guard !== String(acl)) throw nextcloudError("conflict", { activity })
    await deck(nextcloud, { method: "DELETE", path: `/boards/${board_id}/acl/${acl}`, activity })
    return { removed: id }
  },
})

const findAcl = (board: Fields, id: string, recipientKind: Kind): Fields | undefined =>
  board
    .objects("acl")
    .find((acl) => participantId(acl, "participant") === id && acl.number("type") === kinds[recipientKind])

function aclOf(board: Fields, id: string, recipientKind: Kind): Fields {
  const acl = findAcl(board, id, recipientKind)
  if (acl !== undefined) return acl
  const activity = `finding ${id} among those who share the board “${board.text("title")}”`
  throw nextcloudError("not_found", { activity })
}

export const boardSharingTools = [shareBoard, unshareBoard]
