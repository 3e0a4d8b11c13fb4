// Chunked uploads: a folder of numbered parts, which becomes a file when its `.file` is moved to the destination.

import type { Call, Reply } from "../area.ts"
import * as answer from "./answers.ts"
import { davRequestOf, destinationOf } from "./dav-request.ts"
import { collection, davName, type Item, listing, value } from "./listing.ts"
import { folderOf } from "./names.ts"
import { longEtag } from "./node.ts"
import { httpDate } from "./properties.ts"
import { isMissing, seconds, stateOf, type Upload } from "./store.ts"
import { createFile, replaceFile } from "./writing.ts"

/** `path` is the folder's name, optionally followed by the name of a part. */
export function uploadsReply(call: Call, user: string, path: string): Reply {
  const [id = "", chunkName] = path.slice(1).split("/")
  const key = `${user}/${id}`
  const { uploads } = stateOf(call.world)
  const upload = uploads.get(key)
  if (call.method === "MKCOL") return startUpload(call, key)
  if (upload === undefined) return answer.notLocated(`//${id}`)
  if (chunkName === undefined && call.method === "PROPFIND") return list(call, `/remote.php/dav/uploads/${key}`, upload)
  if (chunkName === undefined && call.method === "DELETE") {
    uploads.delete(key)
    return answer.emptyReply(204)
  }
  if (chunkName === ".file" && call.method === "MOVE") return assemble(call, user, key, upload)
  if (chunkName !== undefined && call.method === "PUT") return putChunk(call, upload, chunkName)
  if (chunkName !== undefined && call.method === "DELETE")
    return answer.emptyReply(upload.chunks.delete(chunkName) ? 204 : 404)
  return answer.notImplemented(call.method)
}

function startUpload(call: Call, key: string): Reply {
  const { uploads } = stateOf(call.world)
  if (uploads.has(key)) return answer.notAllowed("The resource you tried to create already exists")
  uploads.set(key, { since: seconds(call.world), chunks: new Map() })
  return answer.emptyReply(201)
}

function putChunk(call: Call, upload: Upload, chunkName: string): Reply {
  const isReplaced = upload.chunks.has(chunkName)
  upload.chunks.set(chunkName, { content: call.body, at: seconds(call.world), etag: longEtag() })
  return answer.emptyReply(isReplaced ? 204 : 201)
}

/** The content of all parts, in the numeric order of their names. */
function contentOf(upload: Upload): Uint8Array {
  const parts = [...upload.chunks].toSorted(([a], [b]) => a.localeCompare(b, "en", { numeric: true }))
  return Buffer.concat(parts.map(([, { content }]) => content))
}

function assemble(call: Call, user: string, key: string, upload: Upload): Reply {
  const destination = destinationOf(call)
  if (destination === undefined) return answer.badRequest("The Destination header is missing.")
  if (destination.user !== user) return answer.forbidden()
  const content = contentOf(upload)
  const total = call.headers.get("oc-total-length")
  if (total !== null && Number(total) !== content.byteLength) {
    return answer.badRequest(`Chunks on server do not sum up to ${total} but to ${content.byteLength} bytes`)
  }
  const request = davRequestOf(call, user, destination.path)
  const parent = request.view.entryAt(folderOf(destination.path))
  if (isMissing(parent)) return answer.conflict("The destination node is not found")
  const entry = request.view.entryAt(destination.path)
  if (!isMissing(entry) && call.headers.get("overwrite")?.toUpperCase() === "F") return answer.destinationExists()
  const reply = isMissing(entry) ? createFile(request, parent, content) : replaceFile(request, entry, content)
  if (reply.status < 300) stateOf(call.world).uploads.delete(key)
  return reply
}

function list(call: Call, path: string, upload: Upload): Reply {
  const self = collection(`${path}/`, { [davName("getlastmodified")]: value(httpDate(upload.since)) })
  const wholeFile = chunk(`${path}/.file`, contentOf(upload).byteLength, upload.since, longEtag())
  const parts = [...upload.chunks].map(([name, { content, at, etag }]) =>
    chunk(`${path}/${name}`, content.byteLength, at, etag),
  )
  return listing(call, self, () => [wholeFile, ...parts])
}

function chunk(path: string, size: number, timestamp: number, etag: string): Item {
  return {
    path,
    properties: {
      [davName("getlastmodified")]: value(httpDate(timestamp)),
      [davName("getcontentlength")]: value(size),
      [davName("resourcetype")]: value(""),
      [davName("getetag")]: value(`"${etag}"`),
      [davName("getcontenttype")]: value("application/octet-stream"),
    },
  }
}
