// Answers from recordings what the stand-in does not model. Reads are the same whatever was written before; a write
// gets the response of the recorded write with the same or the most similar body, and a repeated write gets the
// response of the next recorded one.

import type { Area, Call, Reply } from "./area.ts"
import { errorPage } from "./pages.ts"
import { headerOf, type Recording, recordedAddress, recordingsOf } from "./recordings.ts"
import { parseJson } from "./routes.ts"

/** Which recording file answers for which paths. The paths are without /index.php and the OCS version. */
const files: readonly (readonly [path: RegExp, file: string])[] = [
  [/^(\/ocs)?\/apps\/deck\//, "deck"],
  [/^(\/ocs)?\/apps\/tables\//, "tables"],
  [/^\/apps\/cookbook\//, "cookbook"],
  [/^\/apps\/news\//, "news"],
  [/^\/ocs\/apps\/spreed\//, "talk"],
  [/^\/ocs\/(apps\/(activity|serverinfo)|cloud\/(users|groups|user\/fields)|core\/autocomplete)(\/|$)/, "ocs"],
  [/^\/\.well-known\/(webfinger|nodeinfo)$/, "status"],
  [/^\/avatar\//, "webdav"],
  [/^(\/core\/wipe\/check|\/ocs\/apps\/files\/api\/v1\/openlocaleditor)$/, "throttle"],
]

/** The recording file that answers for this path; undefined when none does. */
export function recordingsFor(path: string): string | undefined {
  const plainPath = toPlainPath(path)
  return files.find(([pattern]) => pattern.test(plainPath))?.[1]
}

export const recordedArea: Area = (call) => {
  const path = toPlainPath(call.path)
  const file = recordingsFor(path)
  if (file === undefined) return undefined
  const recordings = recordingsOf(file).filter(isAboutTheApp)
  const method = call.method === "HEAD" ? "GET" : call.method
  const candidates = recordings.filter((one) => one.request.method === method && isAt(pathOf(one), path))
  const recording = choose(call, candidates)
  if (recording === undefined) return undefined
  return isRead(method)
    ? toNotModified(toReply(recording, call), call)
    : toReply(nextOf(call, recording, candidates), call)
}

const isRead = (method: string): boolean => ["GET", "HEAD", "OPTIONS"].includes(method)

function toNotModified(reply: Reply, { headers }: Call): Reply {
  const etag = reply.headers?.etag
  const isUnchanged = reply.status === 200 && etag !== undefined && headers.get("if-none-match") === etag
  return isUnchanged ? { status: 304, headers: { etag } } : reply
}

/** Returns identical recorded writes one after the other, and then the last one again. */
function nextOf(call: Call, recording: Recording, candidates: readonly Recording[]): Recording {
  const sentBody = new TextDecoder().decode(call.body)
  const sameRequests = candidates.filter(
    (one) =>
      pathOf(one) === toPlainPath(call.path) &&
      isSameBody(one.request.body ?? "", sentBody) &&
      recordedUser(one) === recordedUser(recording) &&
      conditionOf(one.request.headers) === conditionOf(recording.request.headers),
  )
  const uses = call.world.state("recorded", () => new Map<string, number>())
  const key = `${call.method} ${call.path} ${call.user?.id} ${sentBody}`
  const useCount = uses.get(key) ?? 0
  uses.set(key, useCount + 1)
  return sameRequests[Math.min(useCount, sameRequests.length - 1)] ?? recording
}

/** Whether the recording is about the app, and not about authentication, which the stand-in handles itself. */
function isAboutTheApp({ request, response }: Recording): boolean {
  const isPublic = request.method === "OPTIONS" || /\/(avatar|wipe|\.well-known)\//.test(request.url)
  const isKnown = response.status !== 401 || headerOf(response, "x-user-id") !== undefined
  return isPublic || (headerOf(request, "authorization") !== undefined && isKnown)
}

/** The path without /index.php and the OCS version. Deck's API 1.1 is answered as 1.0, which omits some attachments. */
const toPlainPath = (path: string): string =>
  path
    .replace(/^\/index\.php(?=\/)/, "")
    .replace(/^\/ocs\/v[12]\.php/, "/ocs")
    .replace("/apps/deck/api/v1.1/", "/apps/deck/api/v1.0/")

const pathOf = ({ request }: Recording): string => toPlainPath(new URL(request.url).pathname)

/** Whether a recorded path matches: ids and tokens may differ, other segments may not. */
function isAt(recordedPath: string, path: string): boolean {
  const [recordedParts, parts] = [recordedPath.split("/"), path.split("/")]
  return (
    recordedParts.length === parts.length &&
    recordedParts.every((part, index) => part === parts[index] || isId(part, parts[index] ?? ""))
  )
}

const isId = (recordedPart: string, part: string): boolean =>
  (/^\d+$/.test(recordedPart) && /^\d+$/.test(part)) ||
  (/^[a-z0-9]{8}$/.test(recordedPart) && /^[a-z0-9]{8}$/.test(part) && /\d/.test(recordedPart))

/** The candidate with the best marks. An earlier mark outweighs all later ones. */
function choose(call: Call, candidates: readonly Recording[]): Recording | undefined {
  const rankedCandidates = candidates.map((recording) => ({ recording, marks: marksOf(call, recording) }))
  rankedCandidates.sort((a, b) => {
    const markIndex = a.marks.findIndex((mark, index) => mark !== b.marks[index])
    return markIndex < 0 ? 0 : (b.marks[markIndex] ?? 0) - (a.marks[markIndex] ?? 0)
  })
  return rankedCandidates[0]?.recording
}

function marksOf(call: Call, recording: Recording): readonly number[] {
  const { request, response } = recording
  const hasSamePath = pathOf(recording) === toPlainPath(call.path)
  const succeeds = response.status < 300
  const isReadRequest = isRead(request.method)
  const sentBody = new TextDecoder().decode(call.body)
  const length = response.body?.length ?? response.body_length ?? 0
  // An id of five digits or more that was not recorded is treated as missing: it gets a recorded failure.
  const hasLikelyStatus = hasSamePath || succeeds !== /\/\d{5,}(\/|$)/.test(call.path)
  return [
    Number(hasLikelyStatus),
    Number(hasSamePath),
    Number(recordedUser(recording) === recordedUserFor(call)),
    similarity(queryOf(new URL(request.url).searchParams), queryOf(call.query)),
    // The OCS versions use different statuses for a failure.
    Number(new URL(request.url).pathname.endsWith(call.path)),
    Number(conditionOf(request.headers) === conditionOf([...call.headers])),
    Number(isReadRequest || isSameBody(request.body ?? "", sentBody)),
    Number(succeeds),
    isReadRequest ? 0 : similarityOfBodies(request.body ?? "", sentBody),
    isReadRequest ? length : -recording.seq,
  ]
}

/** Whitespace in JSON does not matter. */
function isSameBody(recordedBody: string, sentBody: string): boolean {
  if (recordedBody === sentBody) return true
  const [recordedValue, sentValue] = [parseJson(recordedBody), parseJson(sentBody)]
  return recordedValue !== undefined && JSON.stringify(recordedValue) === JSON.stringify(sentValue)
}

const queryOf = (query: URLSearchParams): ReadonlyMap<string, string> =>
  new Map([...query].filter(([name]) => name !== "format"))

/** The sum over all names: 2 for equal values, 0 for different ones, -1 for a name that only one side has. */
function similarity(recordedEntries: ReadonlyMap<string, string>, sentEntries: ReadonlyMap<string, string>): number {
  const names = new Set([...recordedEntries.keys(), ...sentEntries.keys()])
  let sum = 0
  for (const name of names)
    sum +=
      recordedEntries.get(name) === sentEntries.get(name)
        ? 2
        : recordedEntries.has(name) && sentEntries.has(name)
          ? 0
          : -1
  return sum
}

/** The similarity of the fields of two bodies, which are JSON or forms; -1000 when only one body has fields. */
function similarityOfBodies(recordedBody: string, sentBody: string): number {
  const [recordedMembers, sentMembers] = [membersOf(recordedBody), membersOf(sentBody)]
  if (recordedMembers === undefined || sentMembers === undefined) return recordedMembers === sentMembers ? 0 : -1000
  return similarity(recordedMembers, sentMembers)
}

function membersOf(body: string): ReadonlyMap<string, string> | undefined {
  if (body === "") return new Map()
  const value = parseJson(body)
  if (typeof value === "object" && value !== null)
    return new Map(Object.entries(value).map(([name, one]) => [name, JSON.stringify(one)]))
  return value === undefined && body.includes("=") ? new Map(new URLSearchParams(body)) : undefined
}

/** The conditional headers of a request as one text; "" when it has none. */
function conditionOf(headers: readonly (readonly [string, string])[]): string {
  const conditions = ["if-none-match", "if-match", "if-modified-since"]
  return headers
    .filter(([name]) => conditions.includes(name.toLowerCase()))
    .map(([name, value]) => `${name.toLowerCase()} ${value}`)
    .join()
}

function recordedUser({ request }: Recording): string | undefined {
  const basic = /^Basic (.+)$/.exec(headerOf(request, "authorization") ?? "")?.[1]
  return basic === undefined ? undefined : Buffer.from(basic, "base64").toString().split(":")[0]
}

/** The recorded user for this caller: most was recorded as alice, restricted access as bob, administration as admin. */
const recordedUserFor = ({ user }: Call): string => {
  if (user?.groups.includes("admin")) return "admin"
  return user?.id === "bob" ? "bob" : "alice"
}

const replayedHeaders =
  /^(content-type|content-disposition|cache-control|etag|last-modified|location|link|x-(?!user-id)|access-control-)/i

function toReply(recording: Recording, call: Call): Reply {
  const { status, headers, body, body_base64 } = recording.response
  const toOwn = (text: string): string => toCaller(text, recording, call)
  const replyHeaders = headers
    .filter(([name]) => replayedHeaders.test(name))
    .map(([name, value]) => [name.toLowerCase(), toOwn(value)])
  if ((body === "" || body === undefined) && body_base64 === undefined && status !== 304 && isPage(recording)) {
    return errorPage(status)
  }
  const content = body_base64 === undefined ? toOwn(body ?? "") : new Uint8Array(Buffer.from(body_base64, "base64"))
  return { status, headers: Object.fromEntries(replyHeaders), body: content }
}

/** Whether the response is a page: of those a note was recorded, and not the body. */
const isPage = ({ response }: Recording): boolean => "body_note" in response

/** Replaces the recorded address by this server's, and a recorded user who has no account on it by the caller. */
function toCaller(text: string, recording: Recording, { url, user, world }: Call): string {
  const localText = text.replaceAll(recordedAddress, url).replaceAll(recordedAddress.replaceAll("/", "\\/"), url)
  const recordedId = recordedUser(recording) ?? "alice"
  const keepsName = world.users.has(recordedId) || user === undefined || user.id === recordedId
  if (keepsName || user === undefined) return localText
  return localText.replaceAll(new RegExp(`(?<=["/@{])${recordedId}(?=["/@}\\\\])`, "g"), user.id)
}
