// Chunked uploads: a folder of numbered parts, which becomes a file when its `.file` is moved to the destination.

import type { Call, Reply } from "../area.ts"
import * as answer from "./answers.ts"
import { davRequestOf, destinationOf } from "./dav-request.ts"
import { collection, d, type Item, listing, value } from "./listing.ts"
import { folderOf } from "./names.ts"
import { longEtag } from "./node.ts"
import { httpDate } from "./properties.ts"
import { isMissing, seconds, stateOf, type Upload } from "./store.ts"
import { create, replace } from "./writing.ts"

/** `path` is the folder's name, optionally followed by the name of a part. */
export function uploadsReply(call: Call, user: string, path: string): Reply {
  const [id = "", part] = path.slice(1).split("/")
  const key = `${user}/${id}`
  const { uploads } = stateOf(call.world)
  const upload = uploads.get(key)
  if (call.method === "MKCOL") return begin(call, key)
  if (upload === undefined) return answer.notLocated(`//${id}`)
  if (part === undefined && call.method === "PROPFIND") return list(call, `/remote.php/dav/uploads/${key}`, upload)
  if (part === undefined && call.method === "DELETE") {
    uploads.delete(key)
    return answer.done(204)
  }
  if (part === ".file" && call.method === "MOVE") return assemble(call, user, key, upload)
  if (part !== undefined && call.method === "PUT") return putChunk(call, upload, part)
  if (part !== undefined && call.method === "DELETE") return answer.done(upload.chunks.delete(part) ? 204 : 404)
  return answer.notImplemented(call.method)
}

function begin(call: Call, key: string): Reply {
  const { uploads } = stateOf(call.world)
  if (uploads.has(key)) return answer.notAllowed("The resource you tried to create already exists")
  uploads.set(key, { since: seconds(call.world), chunks: new Map() })
  return answer.done(201)
}

function putChunk(call: Call, upload: Upload, part: string): Reply {
  const existed = upload.chunks.has(part)
  upload.chunks.set(part, { content: call.body, at: seconds(call.world), etag: longEtag() })
  return answer.done(existed ? 204 : 201)
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
  const parent = request.view.at(folderOf(destination.path))
  if (isMissing(parent)) return answer.conflict("The destination node is not found")
  const entry = request.view.at(destination.path)
  if (!isMissing(entry) && call.headers.get("overwrite")?.toUpperCase() === "F") return answer.destinationExists()
  const reply = isMissing(entry) ? create(request, parent, content) : replace(request, entry, content)
  if (reply.status < 300) stateOf(call.world).uploads.delete(key)
  return reply
}

function list(call: Call, path: string, upload: Upload): Reply {
  const self = collection(`${path}/`, { [d("getlastmodified")]: value(httpDate(upload.since)) })
  const whole = chunk(`${path}/.file`, contentOf(upload).byteLength, upload.since, longEtag())
  const parts = [...upload.chunks].map(([name, { content, at, etag }]) =>
    chunk(`${path}/${name}`, content.byteLength, at, etag),
  )
  return listing(call, self, () => [whole, ...parts])
}

function chunk(path: string, size: number, at: number, etag: string): Item {
  return {
    path,
    properties: {
      [d("getlastmodified")]: value(httpDate(at)),
      [d("getcontentlength")]: value(size),
      [d("resourcetype")]: value(""),
      [d("getetag")]: value(`"${etag}"`),
      [d("getcontenttype")]: value("application/octet-stream"),
    },
  }
}
