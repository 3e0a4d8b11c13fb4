// What belongs to files but is not WebDAV: shares, direct links, previews, several files in one upload, and
// what a public link gives.

import { createHash } from "node:crypto"
import type { Area, Call, Reply } from "../area.ts"
import { basicOf } from "../auth.ts"
import { davError, htmlType, json, ocs, ocsFailure } from "../replies.ts"
import { createArea, fieldsOf, inOcs } from "../routes.ts"
import { random } from "../world.ts"
import { folderOf } from "./names.ts"
import { hasPreview } from "./node.ts"
import { picture } from "./picture.ts"
import { placeOf } from "./place.ts"
import { oneId, permissionsOf } from "./properties.ts"
import { content } from "./reading.ts"
import { sharees } from "./sharees.ts"
import { shareRoutes } from "./shares.ts"
import { isMissing, liveShares, type Share, spotById, stateOf, viewOf } from "./store.ts"
import { put } from "./writing.ts"

export const extrasArea: Area = createArea([
  ...shareRoutes,
  ["POST", inOcs("/apps/dav/api/v1/direct"), directLink],
  ["GET", /^\/remote\.php\/direct\/(?<token>\w+)$/, (call, { token = "" }) => direct(call, token)],
  ["POST", "/remote.php/dav/bulk", bulk],
  ["GET", "/core/preview", preview],
  ["GET", inOcs("/apps/files_sharing/api/v1/sharees"), sharees],
  ["GET", /^\/s\/(?<token>\w+)\/download$/, (call, { token = "" }) => download(call, token)],
])

function directLink(call: Call): Reply {
  const spot = spotById(call.world, call.user?.id ?? "", Number(fieldsOf(call).get("fileId")))
  if (spot === undefined) return ocsFailure(call, 404, "")
  if (spot.node.folder) return ocsFailure(call, 400, "Direct download only works for files")
  const token = random(60)
  stateOf(call.world).direct.set(token, spot.node)
  return ocs(call, { url: `${call.url}/remote.php/direct/${token}` })
}

function direct(call: Call, token: string): Reply {
  const node = stateOf(call.world).direct.get(token)
  return node === undefined ? davError(404, "Sabre\\DAV\\Exception\\NotFound", "") : content(call.headers, node)
}

/** Each part says its length, so that nothing in a file can be taken for the boundary. */
function bulk(call: Call): Reply {
  const answers: Record<string, object> = {}
  let rest = Buffer.from(call.body)
  for (let head = headOf(rest); head !== undefined; head = headOf(rest)) {
    const { fields, length } = head
    const path = fields.get("x-file-path") ?? ""
    const body = rest.subarray(length, length + Number(fields.get("content-length") ?? 0))
    rest = rest.subarray(length + body.byteLength)
    answers[path] = putOne(call, path, body, fields)
  }
  return { status: 200, headers: htmlType, body: JSON.stringify(answers) }
}

function headOf(bytes: Buffer): { readonly fields: Headers; readonly length: number } | undefined {
  const [all, lines] = /^\s*--[^\r\n]+\r?\n((?:[^\r\n]+\r?\n)+)\r?\n/.exec(bytes.toString("latin1", 0, 8_192)) ?? []
  if (all === undefined || lines === undefined) return undefined
  const pairs = Buffer.from(lines, "latin1")
    .toString()
    .trim()
    .split(/\r?\n/)
    .map((line): [string, string] => [
      line.slice(0, line.indexOf(":")),
      encodeURI(line.slice(line.indexOf(":") + 1).trim()),
    ])
  return { fields: new Headers(pairs), length: all.length }
}

function putOne(call: Call, encoded: string, body: Uint8Array, fields: Headers): object {
  const path = decodeURI(encoded)
  const sum = fields.get("x-file-md5")
  if (sum !== null && createHash("md5").update(body).digest("hex") !== sum) {
    return { error: true, message: "Computed md5 hash is incorrect." }
  }
  const headers = new Headers()
  const mtime = fields.get("x-oc-mtime")
  if (mtime !== null) headers.set("x-oc-mtime", mtime)
  const place = placeOf({ ...call, method: "PUT", headers, body }, call.user?.id ?? "", path)
  const reply = put(place)
  const spot = place.view.at(path)
  if (reply.status >= 300 || isMissing(spot)) return { error: true, message: `Not written to ${folderOf(path)}` }
  return { error: false, etag: spot.node.etag, fileid: oneId(spot.node.id), permissions: permissionsOf(spot) }
}

function preview(call: Call): Reply {
  const user = call.user?.id ?? ""
  const file = call.query.get("file")
  const byPath = file === null ? undefined : viewOf(call.world, user).at(file)
  const spot = byPath ?? spotById(call.world, user, Number(call.query.get("fileId")))
  if (spot === undefined || isMissing(spot)) return json(file === null ? 404 : 400, [])
  if (!hasPreview(spot.node)) return json(404, [])
  return { status: 200, headers: { "content-type": "image/png" }, body: picture(Number(call.query.get("x") ?? 32)) }
}

/** The link of this token, if what was presented opens it. */
export function openLink(call: Call, token: string): Share | "closed" | undefined {
  const share = liveShares(call.world).find((one) => one.token === token)
  if (share?.password === undefined) return share
  return basicOf(call.headers)?.secret === share.password ? share : "closed"
}

function download(call: Call, token: string): Reply {
  const share = openLink(call, token)
  if (share === undefined || share === "closed" || share.node.folder)
    return { status: 404, headers: htmlType, body: "" }
  return content(call.headers, share.node)
}
