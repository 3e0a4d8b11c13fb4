// Tools for comments on Deck cards, each of at most 1000 characters.

import { isNextcloudError, nextcloudError } from "../../api/error.ts"
import type { NcRequest, Nextcloud } from "../../api/nextcloud.ts"
import type { OcsAnswer } from "../../api/ocs.ts"
import { ocs } from "../../api/ocs.ts"
import type { Fields } from "../../api/read.ts"
import { fieldsOf, objectsOf } from "../../api/read.ts"
import { offsetIn, paging, toCursor, toExcerpt } from "../../page.ts"
import { flag, integer, list, object, optional, text } from "../../schema.ts"
import { defineTool } from "../../tool.ts"
import { toUnderstoodError } from "./api.ts"

const maxLength = 1000

const comment = object({
  id: integer(),
  author: text(),
  author_name: text(),
  written: text(),
  message: text(),
  reply_to: optional(integer()),
})

function toComment(fields: Fields) {
  const parent = fields.maybeObject("replyTo")?.maybeNumber("id")
  return {
    id: fields.number("id"),
    author: fields.text("actorId"),
    author_name: fields.maybeText("actorDisplayName") ?? fields.text("actorId"),
    written: fields.text("creationDateTime"),
    message: fields.text("message"),
    ...(parent === undefined ? {} : { reply_to: parent }),
  }
}

async function comments(nextcloud: Nextcloud, card: number, request: NcRequest): Promise<OcsAnswer> {
  const path = `/apps/deck/api/v1.0/cards/${card}/comments${request.path}`
  try {
    return await ocs(nextcloud, { ...request, path })
  } catch (error) {
    throw toUnderstoodError(error, request)
  }
}

const listComments = defineTool({
  name: "nc_deck_list_comments",
  title: "Read the comments of a Deck card",
  description: "Comments of a card, newest first. Continue with next_cursor while there is one.",
  scopes: ["deck.read"],
  effect: "read",
  input: object({ card_id: integer(), ...paging }),
  output: object({ comments: list(comment), next_cursor: optional(text()) }),
  notRecorded: "the total is not reported",
  async run({ card_id, limit = 50, cursor }, nextcloud) {
    const activity = `reading the comments of the card ${card_id}`
    const offset = offsetIn(cursor)
    const { data } = await comments(nextcloud, card_id, { path: "", query: { limit, offset }, activity })
    const listedComments = objectsOf(data, activity).map(toComment)
    return {
      comments: listedComments,
      ...(listedComments.length < limit ? {} : { next_cursor: toCursor(offset + limit) }),
    }
  },
})

const createComment = defineTool({
  name: "nc_deck_create_comment",
  title: "Comment on a Deck card",
  description:
    "Writes a comment; @name notifies. Deck allows 1000 characters; with split, a longer text becomes several comments.",
  scopes: ["deck.write"],
  effect: "add",
  reach: "shown",
  input: object({
    card_id: integer(),
    message: text(undefined, { least: 1 }),
    reply_to: optional(integer("A comment's id")),
    split: optional(flag()),
  }),
  output: object({ comments: list(comment) }),
  requestsNote: "One for every 1000 characters, with split.",
  notRecorded: "replies to comments",
  async run({ card_id, message, reply_to, split: isSplit = false }, nextcloud) {
    const activity = `commenting on the card ${card_id}`
    assertFits(message, isSplit, activity)
    const writtenComments: ReturnType<typeof toComment>[] = []
    const parts = toParts(message)
    for (const part of parts) {
      const json = { message: part, ...(reply_to === undefined ? {} : { parentId: reply_to }) }
      const { data } = await comments(nextcloud, card_id, { method: "POST", path: "", json, activity }).catch(
        (error: unknown) => Promise.reject(toPartialError(error, writtenComments, parts.length, activity)),
      )
      writtenComments.push(toComment(fieldsOf(data, activity)))
    }
    return { comments: writtenComments }
  },
})

/** The error for a comment of which only some parts were written. It says that those must not be sent again. */
function toPartialError(
  error: unknown,
  writtenComments: readonly object[],
  partCount: number,
  activity: string,
): unknown {
  if (!isNextcloudError(error) || writtenComments.length === 0) return error
  const because = `only ${writtenComments.length} of ${partCount} parts were certainly written. ${error.message.replace(/\.$/, "")}`
  const advice = "Look at the comments of the card, and write only what is missing."
  return nextcloudError(error.kind, { activity, because, advice, current: { comments: writtenComments } })
}

function assertFits(message: string, isSplit: boolean, activity: string): void {
  const length = [...message].length
  if (length <= maxLength || isSplit) return
  const advice = "Shorten it, or set `split: true` to write several comments."
  throw nextcloudError("too_large", {
    activity,
    because: `it has ${length} characters, and at most ${maxLength} are allowed`,
    advice,
  })
}

/** Splits a message between paragraphs if possible, else between lines or words, never inside a character. */
export function toParts(message: string): readonly string[] {
  const parts: string[] = []
  let remaining = message
  while (remaining !== "") {
    // A character has at most two UTF-16 units, so this text contains the first part, and the character after it.
    const characters = [...remaining.slice(0, 2 * maxLength + 2)]
    if (characters.length <= maxLength) return [...parts, parts.length === 0 ? remaining : remaining.trimEnd()]
    const firstPart = characters.slice(0, maxLength).join("")
    const cutIndex =
      ["\n\n", "\n", " "].map((separator) => firstPart.lastIndexOf(separator)).find((index) => index > maxLength / 2) ??
      firstPart.length
    parts.push(remaining.slice(0, cutIndex))
    remaining = remaining.slice(cutIndex).trimStart()
  }
  return parts
}

const updateComment = defineTool({
  name: "nc_deck_update_comment",
  title: "Change a comment on a Deck card",
  description: "Replaces the text of the user's own comment.",
  scopes: ["deck.write"],
  effect: "change",
  reach: "shown",
  input: object({ card_id: integer(), comment_id: integer(), message: text(undefined, { least: 1, most: maxLength }) }),
  output: comment,
  source: "documented",
  notRecorded: "changing a comment",
  async run({ card_id, comment_id, message }, nextcloud) {
    const activity = `changing the comment ${comment_id}`
    const request = { method: "PUT", path: `/${comment_id}`, json: { message }, activity }
    return toComment(fieldsOf((await comments(nextcloud, card_id, request)).data, activity))
  },
})

const deleteComment = defineTool({
  name: "nc_deck_delete_comment",
  title: "Delete a comment on a Deck card",
  description: "Deletes the user's own comment.",
  scopes: ["deck.write"],
  effect: "remove",
  input: object({ card_id: integer(), comment_id: integer() }),
  output: object({ deleted: integer() }),
  requests: 2,
  requestsNote: "One more for every 200 newer comments, and as many again to ask.",
  source: "documented",
  notRecorded: "deleting a comment",
  confirm: {
    verb: "Delete",
    async readLoss({ card_id, comment_id }, nextcloud) {
      const { author_name, written, message } = await findComment(nextcloud, card_id, comment_id)
      const commentText = `the comment “${toExcerpt(message, 120)}”`
      return { what: commentText, details: [`By ${author_name}, ${written}`, "It cannot be undone."], guard: message }
    },
  },
  async run({ card_id, comment_id }, nextcloud, { loss }) {
    const activity = `deleting the comment ${comment_id}`
    const comment = await findComment(nextcloud, card_id, comment_id)
    if (loss?.guard !== undefined && loss.guard !== comment.message)
      throw nextcloudError("conflict", { activity, current: comment })
    await comments(nextcloud, card_id, { method: "DELETE", path: `/${comment_id}`, activity })
    return { deleted: comment_id }
  },
})

/** Searches the comments, newest first, because the API cannot return a single one. */
async function findComment(nextcloud: Nextcloud, card: number, id: number) {
  const activity = `finding the comment ${id}`
  const limit = 200
  for (let offset = 0; ; offset += limit) {
    const { data } = await comments(nextcloud, card, { path: "", query: { limit, offset }, activity })
    const all = objectsOf(data, activity)
    const comment = all.find((fields) => fields.number("id") === id)
    if (comment !== undefined) return toComment(comment)
    if (all.length < limit) throw nextcloudError("not_found", { activity })
  }
}

export const commentTools = [listComments, createComment, updateComment, deleteComment]
