// GET, HEAD and OPTIONS in a folder of files: whole and in part.

import type { Reply } from "../area.ts"
import { davError, htmlType } from "../replies.ts"
import * as answer from "./answers.ts"
import { findFailedCondition } from "./conditions.ts"
import type { Method } from "./dav-request.ts"
import { rawUrlEncode } from "./names.ts"
import { type FileNode, mimeOf } from "./node.ts"
import { httpDate } from "./properties.ts"
import { isMissing } from "./store.ts"

export const options: Method = () =>
  answer.emptyReply(200, {
    allow: answer.methodsAllowed,
    dav: answer.davHeader,
    "ms-author-via": "DAV",
    "accept-ranges": "bytes",
  })

export const readFile: Method = (request) => {
  const { view, path, call } = request
  const entry = view.entryAt(path)
  if (isMissing(entry)) return answer.notLocated(entry.missing)
  const refusal = findFailedCondition(request, entry)
  if (refusal !== undefined) return refusal
  return entry.node.folder ? { status: 200, headers: htmlType } : content(call.headers, entry.node)
}

/** The content of a file, or the part that Range requests. */
export function content(headers: Headers, node: FileNode): Reply {
  const type = mimeOf(node)
  const etag = `"${node.etag}"`
  const commonHeaders = { "last-modified": httpDate(node.mtime), etag }
  const fileHeaders = { "oc-etag": etag, "content-disposition": attachment(node.name) }
  const typeHeader = { "content-type": type.startsWith("text/") ? `${type};charset=UTF-8` : type }
  const size = node.content.byteLength
  const range = rangeOf(headers, node)
  if (range === undefined) {
    const length = { "content-length": String(size) }
    return { status: 200, headers: { ...typeHeader, ...length, ...commonHeaders, ...fileHeaders }, body: node.content }
  }
  if (range.start >= size || range.start > range.end) return unsatisfiable(range.start, size, commonHeaders)
  const body = node.content.subarray(range.start, range.end + 1)
  const rangeHeaders = {
    "content-length": String(body.length),
    "content-range": `bytes ${range.start}-${range.end}/${size}`,
  }
  return { status: 206, headers: { ...typeHeader, ...rangeHeaders, ...commonHeaders, ...fileHeaders }, body }
}

function unsatisfiable(start: number, size: number, headers: Readonly<Record<string, string>>): Reply {
  const message = `The start offset (${start}) exceeded the size of the entity (${size})`
  return davError(416, "Sabre\\DAV\\Exception\\RequestedRangeNotSatisfiable", message, { headers })
}

/** The requested bytes. Undefined for the whole file, also for several ranges and a stale If-Range. */
function rangeOf(headers: Headers, node: FileNode): { readonly start: number; readonly end: number } | undefined {
  const [, firstByte, lastByte] = /^bytes=(\d*)-(\d*)$/.exec(headers.get("range") ?? "") ?? []
  const ifRange = headers.get("if-range")
  if (firstByte === undefined || (firstByte === "" && lastByte === "")) return undefined
  const isStale = ifRange !== null && ifRange !== `"${node.etag}"` && ifRange !== httpDate(node.mtime)
  if (isStale) return undefined
  const size = node.content.byteLength
  if (firstByte === "") return { start: Math.max(0, size - Number(lastByte)), end: size - 1 }
  return { start: Number(firstByte), end: lastByte === "" ? size - 1 : Math.min(Number(lastByte), size - 1) }
}

export function attachment(name: string): string {
  return `attachment; filename*=UTF-8''${rawUrlEncode(name)}; filename="${rawUrlEncode(name)}"`
}
