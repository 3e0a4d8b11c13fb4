// Comments on files. An empty list and the writing of a comment are as recorded; the rest (the report with paging, the
// properties, changing and deleting) is from the documented API, not from recordings.

import type { Call, Reply } from "../area.ts"
import { htmlType, xmlType } from "../replies.ts"
import { jsonOf } from "../routes.ts"
import type { World } from "../world.ts"
import { childOf, dav, oc } from "../xml.ts"
import * as answer from "./answers.ts"
import { bodyOf, rootOf } from "./dav-request.ts"
import { collection, davName, type Item, itemResponse, listing, value } from "./listing.ts"
import { displayName, requestedNamesIn } from "./properties.ts"
import { changesIn, outcome } from "./propfind.ts"
import { type Comment, entryById, seconds, stateOf } from "./store.ts"

const maxLength = 1000

/** `path` is below the comments on files: `/139/70`. */
export function commentsReply(call: Call, user: string, path: string): Reply {
  const [fileId = "", commentId] = path.slice(1).split("/")
  const entry = entryById(call.world, user, Number(fileId))
  if (entry === undefined) return answer.notFound("")
  const self = `/remote.php/dav/comments/files/${fileId}`
  if (commentId === undefined) return answerForFile(call, user, { fileId: entry.node.id, self })
  const comment = commentsOn(call.world, entry.node.id).find(({ id }) => String(id) === commentId)
  return comment === undefined ? answer.notFound("") : answerForComment(call, user, comment, self)
}

/** The comments on a file, newest first. */
function commentsOn(world: World, fileId: number): readonly Comment[] {
  return stateOf(world)
    .comments.filter((comment) => comment.fileId === fileId)
    .toReversed()
}

interface CommentedFile {
  readonly fileId: number
  readonly self: string
}

function answerForFile(call: Call, user: string, { fileId, self }: CommentedFile): Reply {
  const comments = commentsOn(call.world, fileId)
  const items = (listedComments: readonly Comment[]): readonly Item[] =>
    listedComments.map((comment) => item(call.world, comment, self))
  if (call.method === "PROPFIND") {
    return listing(call, collection(`${self}/`, { [`{${oc}}readMarker`]: value("") }), () => items(comments))
  }
  if (call.method === "POST") return create(call, user, { fileId, self })
  if (call.method === "PROPPATCH") return answer.multistatus([{ href: `${rootOf(call)}${self}`, propstats: [] }])
  if (call.method !== "REPORT") return answer.notImplemented(call.method)
  const body = bodyOf(call)
  if (answer.isReply(body)) return body
  if (body.xml?.name !== "filter-comments") return answer.badRequest("This report is not known here.")
  const number = (name: string): number => Number(childOf(body.xml, oc, name)?.text ?? Number.NaN)
  const sinceText = childOf(body.xml, oc, "datetime")?.text
  const laterComments =
    sinceText === undefined ? comments : comments.filter(({ at }) => at * 1000 > Date.parse(sinceText))
  const offset = number("offset") || 0
  const page = laterComments.slice(offset, offset + (number("limit") || laterComments.length))
  const requestedNames = requestedNamesIn(childOf(body.xml, dav, "prop") === undefined ? undefined : body.xml)
  return answer.multistatus(
    items(page).map((one) => itemResponse(call, one, requestedNames)),
    xmlType,
  )
}

function create(call: Call, user: string, { fileId, self }: CommentedFile): Reply {
  const { actorType, verb, message } = Object(jsonOf(call)) as Readonly<Record<string, unknown>>
  if (actorType !== "users" || typeof verb !== "string" || typeof message !== "string" || message === "") {
    return answer.badRequest("Invalid input values")
  }
  if (message.length > maxLength) return answer.badRequest(`Message exceeds allowed character limit of ${maxLength}`)
  const id = call.world.nextId()
  stateOf(call.world).comments.push({ id, fileId, actor: user, at: seconds(call.world), message })
  return { status: 201, headers: { ...htmlType, "content-location": `${rootOf(call)}${self}/${id}` } }
}

function answerForComment(call: Call, user: string, comment: Comment, self: string): Reply {
  if (call.method === "PROPFIND") return listing(call, item(call.world, comment, self), () => [])
  if (call.method !== "DELETE" && call.method !== "PROPPATCH") return answer.notImplemented(call.method)
  if (comment.actor !== user) return answer.forbidden("Only authors are allowed to edit their comment.")
  if (call.method === "DELETE") {
    const { comments } = stateOf(call.world)
    comments.splice(comments.indexOf(comment), 1)
    return answer.emptyReply(204)
  }
  const body = bodyOf(call)
  if (answer.isReply(body)) return body
  const changes = changesIn(body.xml)
  const refusedChanges = changes.filter(([name, text]) => name !== `{${oc}}message` || !text)
  if (refusedChanges.length === 0) comment.message = changes[0]?.[1] ?? comment.message
  const href = `${rootOf(call)}${self}/${comment.id}`
  return answer.multistatus([{ href, propstats: outcome(changes, refusedChanges) }])
}

function item(world: World, { id, fileId, actor, at, message }: Comment, self: string): Item {
  const values = {
    id,
    parentId: 0,
    topmostParentId: 0,
    childrenCount: 0,
    message,
    verb: "comment",
    actorType: "users",
    actorId: actor,
    creationDateTime: new Date(at * 1000).toUTCString(),
    latestChildDateTime: "",
    objectType: "files",
    objectId: fileId,
    referenceId: "",
    reactions: "",
    metaData: "",
    expireDate: "",
    actorDisplayName: displayName(world, actor),
    mentions: "",
    isUnread: false,
  }
  const entries = Object.entries(values).map(([name, content]) => [`{${oc}}${name}`, value(content)] as const)
  return { path: `${self}/${id}`, properties: { [davName("resourcetype")]: value(""), ...Object.fromEntries(entries) } }
}
