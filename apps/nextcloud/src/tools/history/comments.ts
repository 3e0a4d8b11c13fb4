// Tools for comments on files and folders, which all who can see the file can read.

import type { Capabilities } from "../../api/capabilities.ts"
import type { DavItem } from "../../api/dav.ts"
import { davSend, multistatus, propfind } from "../../api/dav.ts"
import { nextcloudError } from "../../api/error.ts"
import type { Nextcloud } from "../../api/nextcloud.ts"
import { offsetIn, pageFields, paging, toCursor, toExcerpt } from "../../page.ts"
import { integer, list, object, text } from "../../schema.ts"
import { defineTool, withOfferTest } from "../../tool.ts"
import { oc, textOf, toDocument, xml } from "../../xml.ts"
import { sendDavWrite } from "../files/dav-write.ts"
import { fileOf, find, normalizePath, path, readerOf } from "../files/item.ts"

const hasComments = (capabilities: Capabilities): boolean => capabilities.of("files")?.maybeFlag("comments") ?? false

const comment = { id: integer(), message: text(), author: text(), author_id: text(), created: text() }

async function commentsOf(nextcloud: Nextcloud, filePath: string, activity: string) {
  const item = await find(nextcloud, filePath, activity, xml`<oc:comments-count/>`)
  const { id, url } = fileOf(nextcloud, item, activity)
  const count = Number(textOf(item.props, oc, "comments-count") ?? Number.NaN)
  return { address: `/remote.php/dav/comments/files/${id}`, url, count }
}

function commentOf(item: DavItem, activity: string) {
  const { need, number, time } = readerOf(item, activity)
  const authorId = need(oc, "actorId")
  return {
    id: number(oc, "id"),
    message: need(oc, "message"),
    author: textOf(item.props, oc, "actorDisplayName") || authorId,
    author_id: authorId,
    created: time(oc, "creationDateTime"),
  }
}

const listComments = defineTool({
  name: "nc_files_list_comments",
  title: "List comments on a file",
  description: "The comments on a file or folder, newest first.",
  scopes: ["files.read"],
  effect: "read",
  input: object({ path, ...paging }),
  output: object({ comments: list(object(comment)), ...pageFields, url: text() }),
  requests: 2,
  source: "documented",
  async run({ path: filePath, limit = 50, cursor }, nextcloud) {
    const activity = `listing the comments on ${normalizePath(filePath)}`
    const { address, url, count } = await commentsOf(nextcloud, filePath, activity)
    const offset = offsetIn(cursor)
    const pageXml = xml`<oc:limit>${limit}</oc:limit><oc:offset>${offset}</oc:offset>`
    const body = toDocument("oc:filter-comments", pageXml)
    const items = multistatus(await davSend(nextcloud, { method: "REPORT", path: address, body, activity }), activity)
    const comments = items.map((item) => commentOf(item, activity))
    const total = Number.isNaN(count) ? offset + comments.length : count
    const cursorFields =
      comments.length > 0 && offset + comments.length < total ? { next_cursor: toCursor(offset + comments.length) } : {}
    return { comments, total, ...cursorFields, url }
  },
})

const createComment = defineTool({
  name: "nc_files_create_comment",
  title: "Comment on a file",
  description: "Adds a comment for all who can see the file. @name notifies a person.",
  scopes: ["files.write"],
  effect: "add",
  reach: "shown",
  input: object({ path, message: text(undefined, { least: 1, most: 1_000 }) }),
  output: object({ id: integer(), url: text() }),
  requests: 2,
  async run({ path: filePath, message }, nextcloud) {
    const activity = `commenting on ${normalizePath(filePath)}`
    const { address, url } = await commentsOf(nextcloud, filePath, activity)
    const json = { actorType: "users", verb: "comment", message }
    const answer = await nextcloud.send({ method: "POST", path: address, json, activity })
    const id = Number(/\/(\d+)\/?$/.exec(answer.headers.get("content-location") ?? "")?.[1] ?? Number.NaN)
    if (Number.isNaN(id)) throw nextcloudError("malformed", { status: answer.status, activity, detail: "no id" })
    return { id, url }
  },
})

const deleteComment = defineTool({
  name: "nc_files_delete_comment",
  title: "Delete a comment",
  description: "Deletes the user's own comment on a file, for good.",
  scopes: ["files.write"],
  effect: "remove",
  input: object({ path, comment_id: integer() }),
  output: object({ deleted: text("Its message") }),
  requests: 3,
  source: "documented",
  confirm: {
    requests: 2,
    verb: "Delete",
    async readLoss({ path: filePath, comment_id }, nextcloud) {
      const activity = `reading a comment on ${normalizePath(filePath)}`
      const { message, author, created } = await findComment(nextcloud, filePath, comment_id, activity)
      return {
        what: `the comment “${toExcerpt(message, 120)}” on “${normalizePath(filePath)}”`,
        details: [`By ${author}, ${created}`, "It cannot be undone."],
        guard: message,
      }
    },
  },
  async run({ path: filePath, comment_id }, nextcloud, { loss }) {
    const activity = `deleting a comment on ${normalizePath(filePath)}`
    const { address, ...comment } = await findComment(nextcloud, filePath, comment_id, activity)
    if (loss?.guard !== undefined && loss.guard !== comment.message)
      throw nextcloudError("conflict", { activity, current: comment })
    await sendDavWrite(nextcloud, { method: "DELETE", path: address, activity })
    return { deleted: comment.message }
  },
})

const commentProps = xml`<oc:id/><oc:message/><oc:actorId/><oc:actorDisplayName/><oc:creationDateTime/>`

async function findComment(nextcloud: Nextcloud, filePath: string, id: number, activity: string) {
  const { address: all } = await commentsOf(nextcloud, filePath, activity)
  const address = `${all}/${id}`
  const [item] = await propfind(nextcloud, { path: address, props: commentProps, activity })
  if (item === undefined) throw nextcloudError("malformed", { activity, detail: "an empty multistatus" })
  return { address, ...commentOf(item, activity) }
}

export const commentTools = withOfferTest(hasComments, [listComments, createComment, deleteComment])
