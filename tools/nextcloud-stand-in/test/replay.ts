// Replays recordings against a fresh stand-in under other names, and reports whether each response matches.

import { deserialize, serialize } from "node:v8"
import { createStandIn, person, type StandIn, type StandInOptions } from "../src/index.ts"
import { recordingsFor } from "../src/recorded-area.ts"
import { headerOf, type Message, type Recording, recordedAddress, recordingsOf } from "../src/recordings.ts"
import { createDictionary, type Dictionary } from "./dictionary.ts"
import { leftOut } from "./differences.ts"
import { type Answer, compare, type Problem } from "./shape.ts"
import { arrange, inOrder } from "./stage.ts"

export interface Result {
  readonly file: string
  readonly seq: number
  readonly label: string
  readonly problem: Problem
}

export interface ReplaySession {
  standIn: StandIn
  readonly dictionary: Dictionary
  readonly browser: { cookie: string; requestToken: string; stateToken: string }
  /** Addresses that were written to so far. */
  readonly written: Set<string>
  /** The origin of the requests. */
  origin: string
  /** Advances the clock. */
  pass(seconds: number): void
}

export interface Replaying {
  /** Whether people have other names than in the recordings. Only for apps that the stand-in models. */
  readonly isRenamed: boolean
  /** Whether the server is restarted after this request was answered, with the saved state. Default: never. */
  readonly isRestartedAfter?: (method: string) => boolean
}

/** Files that build on each other are replayed on one server. */
export async function replay(files: readonly string[], replaying: Replaying): Promise<readonly Result[]> {
  const { isRenamed, isRestartedAfter } = replaying
  let now = 1_800_000_000_000
  const dictionary = createDictionary(isRenamed)
  const users = [
    person("admin", { displayName: "admin", email: "", groups: ["admin"] }),
    person(dictionary.toText("alice")),
    person(dictionary.toText("bob"), { quota: 1_048_576 }),
    person(dictionary.toText("carol")),
  ]
  const options = { users, now: () => now, trusted: ["cloud.example"] }
  const session: ReplaySession = {
    standIn: createStandIn(options),
    dictionary,
    browser: { cookie: "", requestToken: "", stateToken: "" },
    written: new Set(),
    origin: "http://cloud.example",
    pass(seconds) {
      now += seconds * 1000
    },
  }
  session.dictionary.learn(recordedAddress, session.origin)
  const results: Result[] = []
  const isMeant = (file: string, { seq, request }: Recording): boolean =>
    leftOut[file]?.[seq] === undefined && (recordingsFor(new URL(request.url).pathname) === undefined) === isRenamed
  const chosen = files.map((file) => ({ file, recordings: recordingsOf(file).filter((one) => isMeant(file, one)) }))
  for (const { file, recording } of inOrder(chosen)) {
    session.pass(0.7)
    await arrange(file, recording, session)
    const problem = await replayOne(recording, session)
    if (isRestartedAfter?.(recording.request.method)) session.standIn = restarted(session.standIn, options)
    session.origin = "http://cloud.example"
    results.push({ file, seq: recording.seq, label: recording.label, problem })
  }
  return results
}

function restarted({ world, switches }: StandIn, options: StandInOptions): StandIn {
  const next = createStandIn({ ...options, from: deserialize(serialize(world.stateToSave())) })
  Object.assign(next.switches, switches)
  return next
}

async function replayOne(recording: Recording, session: ReplaySession): Promise<Problem> {
  const { request, response } = recording
  const isPage =
    /^(?:\w+ )*(browser|web|flow1):/.test(recording.label) || /\/oidc\/(authorize|consent|api)/.test(request.url)
  if (recording.label.endsWith("web: login page")) session.browser.cookie = ""
  const sent = new Request(`${session.origin}${addressIn(request.url, session)}`, {
    method: request.method,
    headers: headersIn(request, session, isPage),
    redirect: "manual",
    ...bodyIn(request, session),
  })
  const reply = await session.standIn.fetch(sent)
  if (writes.has(request.method) && reply.ok) session.written.add(new URL(sent.url).pathname.replace(/\/$/, ""))
  const body = await reply.text()
  if (isPage) readPage(reply, body, session)
  const answer: Answer = { status: reply.status, header: (name) => reply.headers.get(name) ?? undefined, body }
  learnIds(recording, body, session.dictionary)
  const recorded: Answer = {
    status: response.status,
    header: (name) => headerOf(response, name),
    body: response.body ?? "",
  }
  const problem = compare(recorded, answer, session.dictionary)
  return problem ?? missingIn(recorded, answer, session)
}

const writes = new Set(["PUT", "MKCOL", "MKCALENDAR"])

/** Items that the replay created must be in lists where the real server had them. */
function missingIn(recorded: Answer, replayed: Answer, { dictionary, written }: ReplaySession): Problem {
  const listed = new Set(hrefsIn(replayed.body))
  const missing = hrefsIn(recorded.body).map((href) => dictionary.toAddress(href))
  return missing.find((href) => written.has(href.replace(/\/$/, "")) && !listed.has(href))
}

const hrefsIn = (body: string): readonly string[] =>
  [...body.matchAll(/<d:response><d:href>([^<]+)/g)].map(([, href = ""]) => href)

const addressIn = (url: string, session: ReplaySession): string =>
  withPageTokens(session.dictionary.toAddress(url.slice(recordedAddress.length)), session)

function withPageTokens(text: string, { browser }: ReplaySession): string {
  return text
    .replace(/(?<=requesttoken=)[^&]{20,}/, encodeURIComponent(browser.requestToken))
    .replace(/(?<=stateToken(?:=|%3D))\w{20,}/, browser.stateToken)
}

function headersIn(request: Message, session: ReplaySession, isPage: boolean): Headers {
  const headers = new Headers()
  for (const [name, value] of request.headers) {
    const key = name.toLowerCase()
    if (key === "content-length") continue
    if (key === "authorization") headers.set(key, authorizationIn(value, session))
    else if (key === "requesttoken") headers.set(key, session.browser.requestToken)
    else if (key === "destination") headers.set(key, session.dictionary.toAddress(value))
    else headers.set(key, Buffer.from(session.dictionary.toText(value)).toString("latin1"))
  }
  if (isPage && session.browser.cookie !== "") headers.set("cookie", session.browser.cookie)
  return headers
}

/** App passwords of other recordings are issued when they first occur. */
function authorizationIn(value: string, { dictionary, standIn }: ReplaySession): string {
  const [scheme = "", credentials = ""] = value.split(" ")
  if (scheme === "Bearer") return `Bearer ${secretIn(credentials, dictionary.toText("alice"))}`
  const [name = "", secret = ""] = Buffer.from(credentials, "base64").toString().split(/:(.*)/s)
  if (secret === "") return value
  const user = dictionary.toText(name)
  return `Basic ${Buffer.from(`${user}:${secretIn(secret, user)}`).toString("base64")}`

  function secretIn(recorded: string, owner: string): string {
    if (/^\w{72}$/.test(recorded) && !dictionary.knows(recorded))
      dictionary.learn(recorded, standIn.world.issue(owner, "replay").secret)
    return dictionary.toText(recorded)
  }
}

function bodyIn(request: Message, session: ReplaySession): { body?: string | Uint8Array<ArrayBuffer> } {
  if (request.body_base64 !== undefined) return { body: whole(request, Buffer.from(request.body_base64, "base64")) }
  if (request.body === undefined || request.body === null || request.body === "") return {}
  const isForm = headerOf(request, "content-type")?.startsWith("application/x-www-form-urlencoded") ?? false
  const { toAddress, toText } = session.dictionary
  const body = isForm ? toAddress(`?${request.body}`).slice(1) : toText(request.body)
  return { body: withPageTokens(body, session) }
}

/** Completes a large body, of which only the beginning was recorded. */
function whole(request: Message, beginning: Buffer): Uint8Array<ArrayBuffer> {
  const length = request.body_length ?? beginning.length
  const type = headerOf(request, "content-type") ?? ""
  if (type.startsWith("application/json")) return bytes(`${beginning.toString("latin1")}${"x".repeat(length)}"}`)
  if (type.startsWith("text/calendar"))
    return bytes(`${beginning.toString("latin1")}${"x".repeat(length)}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`)
  const filled = new Uint8Array(length)
  filled.set(beginning.subarray(0, length))
  return filled
}

const bytes = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text, "latin1"))

function readPage(response: Response, body: string, { browser }: ReplaySession): void {
  browser.cookie = response.headers.get("set-cookie")?.split(";")[0] ?? browser.cookie
  browser.requestToken = /name="requesttoken" value="([^"]+)"/.exec(body)?.[1] ?? browser.requestToken
  browser.stateToken = /stateToken=(\w{20,})/.exec(body)?.[1] ?? browser.stateToken
}

/** Learns the ids of created items, which later requests contain. */
function learnIds({ request, response }: Recording, body: string, dictionary: Dictionary): void {
  if (request.method !== "POST") return
  const list = new URL(request.url).pathname.split("/").at(-1) ?? ""
  const [was, is] = [idIn(response.body ?? ""), idIn(body)]
  if (was !== undefined && is !== undefined) dictionary.learnId(list, was, is)
}

const idIn = (body: string): string | undefined => /"id":\s*"?(\d+)"?/.exec(body)?.[1]
