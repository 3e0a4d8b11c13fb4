// System tags, and which files have them. Only the empty list was recorded; the rest follows the documented API.

import type { Call, Reply } from "../area.ts"
import { davError, htmlType } from "../replies.ts"
import { jsonOf } from "../routes.ts"
import { nc, oc } from "../xml.ts"
import * as answer from "./answers.ts"
import { bodyOf, rootOf } from "./dav-request.ts"
import { collection, davName, type Item, listing, value } from "./listing.ts"
import { everyNode, type FileNode } from "./node.ts"
import { changesIn, outcome } from "./propfind.ts"
import { entryById, homeOf, rights, stateOf, type Tag } from "./store.ts"

/** Answers for a path below the tags: "/" is their list, `/5` is the tag with this id. */
export function tagsReply(call: Call, path: string): Reply {
  const { tags } = stateOf(call.world)
  const base = "/remote.php/dav/systemtags/"
  if (path === "/") {
    if (call.method === "POST") return create(call, base)
    if (call.method !== "PROPFIND") return answer.notImplemented(call.method)
    const visibleTags = tags.filter(({ visible }) => visible || isAdmin(call))
    return listing(call, collection(base), () => visibleTags.map((tag) => item(call, tag, base)))
  }
  const tag = tags.find(({ id }) => String(id) === path.slice(1))
  if (tag === undefined) return answer.notFound(`Tag with id ${path.slice(1)} not found`)
  if (call.method === "PROPFIND") return listing(call, item(call, tag, base), () => [])
  if (call.method === "PROPPATCH") return change(call, tag, base)
  if (call.method !== "DELETE") return answer.notImplemented(call.method)
  if (!isAdmin(call)) return answer.forbidden(`No permission to delete tag ${tag.id}`)
  tags.splice(tags.indexOf(tag), 1)
  for (const node of allNodes(call)) node.tags.delete(tag.id)
  return answer.emptyReply(204)
}

/** `path` is below the relations of files: `/139` or `/139/5`. */
export function tagsOfFileReply(call: Call, user: string, path: string): Reply {
  const [fileId = "", tagId] = path.slice(1).split("/")
  const entry = entryById(call.world, user, Number(fileId))
  if (entry === undefined) return answer.notFound("")
  const { tags } = stateOf(call.world)
  const base = `/remote.php/dav/systemtags-relations/files/${fileId}/`
  if (tagId === undefined) {
    if (call.method !== "PROPFIND") return answer.notImplemented(call.method)
    const fileTags = tags.filter(({ id }) => entry.node.tags.has(id))
    return listing(call, collection(base), () => fileTags.map((tag) => item(call, tag, base)))
  }
  const id = Number(tagId)
  const tag = tags.find((one) => one.id === id && (one.visible || isAdmin(call)))
  const isOn = entry.node.tags.has(id)
  if (call.method === "PUT") {
    if (isOn) return answer.conflict("PUT is not allowed on non-files.")
    const message = `Tag with id ${tagId} does not exist, cannot assign`
    if (tag === undefined) return davError(412, "Sabre\\DAV\\Exception\\PreconditionFailed", message)
    if (!isAssignable(call, tag)) return answer.forbidden(`No permission to assign tag ${tagId}`)
    if ((entry.permissions & rights.update) === 0) return answer.forbidden(`No permission to assign tag to ${fileId}`)
    entry.node.tags.add(id)
    return answer.emptyReply(201)
  }
  if (!isOn || tag === undefined) return answer.notFound(`Tag with id ${tagId} not present for object ${fileId}`)
  if (call.method !== "DELETE") return answer.notImplemented(call.method)
  if (!isAssignable(call, tag)) return answer.forbidden(`No permission to unassign tag ${tagId}`)
  if ((entry.permissions & rights.update) === 0) return answer.forbidden(`No permission to unassign tag to ${fileId}`)
  entry.node.tags.delete(id)
  return answer.emptyReply(204)
}

function create(call: Call, base: string): Reply {
  const { name, userVisible = true, userAssignable = true } = Object(jsonOf(call)) as Readonly<Record<string, unknown>>
  if (typeof name !== "string") return answer.badRequest('Missing "name" attribute')
  const { tags } = stateOf(call.world)
  if (tags.some((tag) => tag.name.toLowerCase() === name.toLowerCase())) return answer.conflict("Tag already exists")
  if ((userVisible !== true || userAssignable !== true) && !isAdmin(call)) {
    return answer.badRequest("Not sufficient permissions")
  }
  const tag = {
    id: call.world.nextId(),
    // The database column for names is 64 bytes wide.
    name: Buffer.from(name).subarray(0, 64).toString(),
    visible: userVisible === true,
    assignable: userAssignable === true,
  }
  tags.push(tag)
  return { status: 201, headers: { ...htmlType, "content-location": `${rootOf(call)}${base}${tag.id}` } }
}

function change(call: Call, tag: Tag, base: string): Reply {
  const body = bodyOf(call)
  if (answer.isReply(body)) return body
  const changes = changesIn(body.xml)
  const refusedChanges = changes.filter(([name, text]) => name !== `{${oc}}display-name` || !text)
  if (refusedChanges.length === 0) tag.name = changes[0]?.[1] ?? tag.name
  return answer.multistatus([{ href: `${rootOf(call)}${base}${tag.id}`, propstats: outcome(changes, refusedChanges) }])
}

function item(call: Call, tag: Tag, base: string): Item {
  const assigned = allNodes(call).filter((node) => node.tags.has(tag.id)).length
  return {
    path: `${base}${tag.id}`,
    defaultProperties: [davName("resourcetype")],
    properties: {
      [davName("resourcetype")]: value(""),
      [davName("displayname")]: value(tag.id),
      [`{${oc}}id` as const]: value(tag.id),
      [`{${oc}}display-name` as const]: value(tag.name),
      [`{${oc}}user-visible` as const]: value(tag.visible),
      [`{${oc}}user-assignable` as const]: value(tag.assignable),
      [`{${oc}}can-assign` as const]: value(tag.assignable || isAdmin(call)),
      [`{${nc}}files-assigned` as const]: value(assigned),
      [`{${nc}}color` as const]: value(""),
    },
  }
}

function allNodes({ world, user }: Call): readonly FileNode[] {
  return user === undefined ? [] : [...everyNode(homeOf(world, user.id))]
}

/** Whether the user may assign and remove the tag. */
const isAssignable = (call: Call, { visible, assignable }: Tag): boolean => (visible && assignable) || isAdmin(call)

const isAdmin = ({ user }: Call): boolean => user?.groups.includes("admin") ?? false
