// Earlier versions of a file: listed with the current one, read, and restored. The list is as recorded; reading,
// restoring and labels follow the documented API. The current version is listed but cannot be read.

import type { Call, Reply } from "../area.ts"
import { nc, oc } from "../xml.ts"
import * as answer from "./answers.ts"
import { bodyOf, rootOf } from "./dav-request.ts"
import { collection, davName, type Item, listing, value } from "./listing.ts"
import { type FileNode, hasPreview, mimeOf, type Version, write } from "./node.ts"
import { httpDate } from "./properties.ts"
import { changesIn, outcome } from "./propfind.ts"
import { content } from "./reading.ts"
import { type Entry, entryById, markChanged, rights, seconds } from "./store.ts"

/** `path` is below the versions of a person: `/versions/139/1794726365`. */
export function versionsReply(call: Call, user: string, path: string): Reply {
  const [top, id, stamp] = path.slice(1).split("/")
  const entry = top === "versions" ? entryById(call.world, user, Number(id)) : undefined
  if (entry === undefined || entry.node.folder) return answer.notFound("")
  const self = `/remote.php/dav/versions/${user}/versions/${id}`
  if (stamp === undefined) {
    if (call.method !== "PROPFIND") return answer.notImplemented(call.method)
    return listing(call, collection(`${self}/`), () => versionsOf(entry.node).map((one) => item(entry.node, one, self)))
  }
  const version = versionsOf(entry.node).find((one) => String(one.stamp) === stamp)
  return version === undefined ? answer.notFound("") : answerForVersion(call, entry, version, self)
}

/** All versions of a file. The current version is the last. */
function versionsOf(node: FileNode): readonly Version[] {
  const { mtime, content: bytes, etag, author } = node
  return [...node.versions, { stamp: mtime, content: bytes, etag, author, label: "" }]
}

function answerForVersion(call: Call, entry: Entry, version: Version, self: string): Reply {
  switch (call.method) {
    case "PROPFIND":
      return listing(call, item(entry.node, version, self), () => [])
    case "GET":
    case "HEAD":
      return entry.node.versions.includes(version) ? readVersion(call, entry.node, version) : answer.notFound("")
    case "MOVE":
    case "COPY":
      return restore(call, entry, version)
    case "DELETE":
      entry.node.versions = entry.node.versions.filter((listedVersion) => listedVersion !== version)
      return answer.emptyReply(204)
    case "PROPPATCH":
      return label(call, version, self)
    default:
      return answer.notImplemented(call.method)
  }
}

/** Returns a version's content. Its etag is its name, without quotes. */
function readVersion(call: Call, node: FileNode, { content: bytes, stamp }: Version): Reply {
  const reply = content(call.headers, { ...node, content: bytes, mtime: stamp })
  return { ...reply, headers: { ...reply.headers, etag: String(stamp) } }
}

function restore(call: Call, { node, permissions }: Entry, version: Version): Reply {
  if (!call.headers.get("destination")?.includes("/restore/")) return answer.forbidden()
  if ((permissions & rights.update) === 0) return answer.forbidden()
  if (!node.versions.includes(version)) return answer.emptyReply(201)
  // The restored version leaves the list, and the file gets its time.
  node.versions = node.versions.filter((listedVersion) => listedVersion !== version)
  const author = call.user?.id ?? node.owner
  write(node, version.content, { now: seconds(call.world), author, mtime: version.stamp })
  markChanged(call.world, node)
  return answer.emptyReply(201)
}

function label(call: Call, version: Version, self: string): Reply {
  const body = bodyOf(call)
  if (answer.isReply(body)) return body
  const changes = changesIn(body.xml)
  const refusedChanges = changes.filter(([name]) => name !== `{${nc}}version-label`)
  if (refusedChanges.length === 0) version.label = changes[0]?.[1] ?? ""
  const href = `${rootOf(call)}${self}/${version.stamp}`
  return answer.multistatus([{ href, propstats: outcome(changes, refusedChanges) }])
}

function item(node: FileNode, { stamp, content: bytes, author, label: text }: Version, self: string): Item {
  const defaultProperties = ["getlastmodified", "getcontentlength", "resourcetype", "getetag", "getcontenttype"].map(
    davName,
  )
  return {
    path: `${self}/${stamp}`,
    defaultProperties,
    properties: {
      [davName("getlastmodified")]: value(httpDate(stamp)),
      [davName("getcontentlength")]: value(bytes.byteLength),
      [davName("resourcetype")]: value(""),
      [davName("getetag")]: value(stamp),
      [davName("getcontenttype")]: value(mimeOf(node)),
      [davName("displayname")]: value(stamp),
      [`{${oc}}size` as const]: value(bytes.byteLength),
      [`{${nc}}version-label` as const]: value(text),
      [`{${nc}}version-author` as const]: value(author),
      [`{${nc}}has-preview` as const]: value(hasPreview(node)),
    },
  }
}
