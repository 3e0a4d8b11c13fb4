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
import { understood } from "./api.ts"

const most = 1000

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
    throw understood(error, request)
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
    const doing = `reading the comments of the card ${card_id}`
    const offset = offsetIn(cursor)
    const { data } = await comments(nextcloud, card_id, { path: "", query: { limit, offset }, doing })
    const listed = objectsOf(data, doing).map(toComment)
    return { comments: listed, ...(listed.length < limit ? {} : { next_cursor: toCursor(offset + limit) }) }
  },
})

const createComment = defineTool({
  name: "nc_deck_create_comment",
  title: "Comment on a Deck card",
  description:
    "Writes a comment; @name notifies. Deck allows 1000 characters; with split, more become several comments.",
  scopes: ["deck.write"],
  effect: "add",
  reachesOthers: true,
  input: object({
    card_id: integer(),
    message: text(undefined, { least: 1 }),
    reply_to: optional(integer("A comment's id")),
    split: optional(flag()),
  }),
  output: object({ comments: list(comment) }),
  requestsNote: "One for every 1000 characters, with split.",
  notRecorded: "answers to comments",
  async run({ card_id, message, reply_to, split = false }, nextcloud) {
    const doing = `commenting on the card ${card_id}`
    assertFits(message, split, doing)
    const written: ReturnType<typeof toComment>[] = []
    const parts = toParts(message)
    for (const part of parts) {
      const json = { message: part, ...(reply_to === undefined ? {} : { parentId: reply_to }) }
      const { data } = await comments(nextcloud, card_id, { method: "POST", path: "", json, doing }).catch(
        (error: unknown) => Promise.reject(halfway(error, written, parts.length, doing)),
      )
      written.push(toComment(fieldsOf(data, doing)))
    }
    return { comments: written }
  },
})

/** The error after some parts of a comment were written: those must not be sent again. */
function halfway(error: unknown, written: readonly object[], all: number, doing: string): unknown {
  if (!isNextcloudError(error) || written.length === 0) return error
  const because = `only ${written.length} of ${all} parts were written for certain. ${error.message.replace(/\.$/, "")}`
  const advice = "Look at the comments of the card, and write only what is missing."
  return nextcloudError(error.kind, { doing, because, advice, current: { comments: written } })
}

function assertFits(message: string, split: boolean, doing: string): void {
  const length = [...message].length
  if (length <= most || split) return
  const advice = "Shorten it, or set `split: true` to write several comments."
  throw nextcloudError("too_large", {
    doing,
    because: `it has ${length} characters, and at most ${most} are allowed`,
    advice,
  })
}

/** Splits a message between paragraphs if possible, else between lines or words, never inside a character. */
export function toParts(message: string): readonly string[] {
  const characters = [...message]
  if (characters.length <= most) return [message]
  const head = characters.slice(0, most).join("")
  const at = ["\n\n", "\n", " "].map((gap) => head.lastIndexOf(gap)).find((index) => index > most / 2) ?? head.length
  const remaining = message.slice(at).trim()
  return remaining === "" ? [message.slice(0, at)] : [message.slice(0, at), ...toParts(remaining)]
}

const updateComment = defineTool({
  name: "nc_deck_update_comment",
  title: "Change a comment on a Deck card",
  description: "Replaces the text of the user's own comment.",
  scopes: ["deck.write"],
  effect: "change",
  reachesOthers: true,
  input: object({ card_id: integer(), comment_id: integer(), message: text(undefined, { least: 1, most }) }),
  output: comment,
  source: "documented",
  notRecorded: "changing a comment",
  async run({ card_id, comment_id, message }, nextcloud) {
    const doing = `changing the comment ${comment_id}`
    const request = { method: "PUT", path: `/${comment_id}`, json: { message }, doing }
    return toComment(fieldsOf((await comments(nextcloud, card_id, request)).data, doing))
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
  requestsNote: "One more for every 200 comments that are newer, and as many to ask.",
  source: "documented",
  notRecorded: "deleting a comment",
  confirm: {
    verb: "Delete",
    async readLoss({ card_id, comment_id }, nextcloud) {
      const { author_name, written, message } = await findComment(nextcloud, card_id, comment_id)
      const what = `the comment “${toExcerpt(message, 120)}”`
      return { what, details: [`By ${author_name}, ${written}`, "It cannot be undone."], guard: message }
    },
  },
  async run({ card_id, comment_id }, nextcloud, { loss }) {
    const doing = `deleting the comment ${comment_id}`
    const comment = await findComment(nextcloud, card_id, comment_id)
    if (loss?.guard !== undefined && loss.guard !== comment.message)
      throw nextcloudError("conflict", { doing, current: comment })
    await comments(nextcloud, card_id, { method: "DELETE", path: `/${comment_id}`, doing })
    return { deleted: comment_id }
  },
})

/** Searches the comments, newest first, because the API cannot return a single one. */
async function findComment(nextcloud: Nextcloud, card: number, id: number) {
  const doing = `finding the comment ${id}`
  const limit = 200
  for (let offset = 0; ; offset += limit) {
    const { data } = await comments(nextcloud, card, { path: "", query: { limit, offset }, doing })
    const all = objectsOf(data, doing)
    const comment = all.find((one) => one.number("id") === id)
    if (comment !== undefined) return toComment(comment)
    if (all.length < limit) throw nextcloudError("not_found", { doing })
  }
}

export const commentTools = [listComments, createComment, updateComment, deleteComment]
