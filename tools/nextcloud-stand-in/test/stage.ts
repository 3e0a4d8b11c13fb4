// The setup that some recordings need, and the order in which recordings are replayed.

import { type Recording, recordingsOf } from "../src/recordings.ts"
import type { ReplaySession } from "./replay.ts"

type Arrange = (session: ReplaySession) => void | Promise<void>

/** The changes that were made outside of the recorded requests, by file and request number. */
const before: Readonly<Record<string, Arrange>> = {
  "status 8": (session) => {
    session.origin = "http://untrusted.example"
  },
  "ocs 40": (session) => send(session, "PUT", "/remote.php/dav/files/wanda/banana.jpg", "yellow"),
  "oauth2 1": (session) =>
    send(session, "POST", "/index.php/apps/notes/api/v1/notes", JSON.stringify({ title: "First" })),
  "oidc 1": async (session) => {
    registerClients(session)
    await send(session, "POST", "/index.php/apps/notes/api/v1/notes", JSON.stringify({ title: "First" }))
  },
  "oidc 90": ({ standIn }) => {
    standIn.switches.oidc.expiresIn = 10
  },
  "errors 1": ({ standIn }) => void standIn.switches.disabled.add("petra"),
  "errors 4": ({ standIn }) => {
    standIn.switches.disabled.clear()
    standIn.switches.without.add("notes")
  },
  "errors 6": ({ standIn }) => {
    standIn.switches.without.clear()
    standIn.switches.maintenance = true
  },
  "errors 11": ({ standIn }) => {
    standIn.switches.maintenance = false
  },
}

/** The seconds that passed before a request, by file and request number. */
const waits: Readonly<Record<string, number>> = {
  "apppasswords 31": 12,
  "oauth2 31": 12,
  "oidc 95": 6.3,
  "oidc 96": 3.3,
  "oidc 97": 3.3,
  "oidc 98": 2.3,
  "oidc 99": 2.3,
  "oidc 100": 3.3,
  "oidc 101": 13.3,
  "oidc 109": 25,
  "oidc 118": 40,
}

export async function arrange(file: string, { seq, label }: Recording, session: ReplaySession): Promise<void> {
  // Each file begins some time later, without failed logins.
  if (seq === 1) session.pass(600)
  if (seq === 1 || label.includes("bruteforce:reset")) session.standIn.forgive()
  session.pass(waits[`${file} ${seq}`] ?? 0)
  await before[`${file} ${seq}`]?.(session)
}

/** The three clients that an administrator had created: without a secret, with one, and one with JWTs. */
function registerClients({ standIn, dictionary }: ReplaySession): void {
  const redirectUris = ["http://127.0.0.1:9999/callback"]
  for (const label of ["public: token", "confidential: token", "jwt: token"]) {
    const body = recordingsOf("oidc").find((one) => one.label === label)?.request.body ?? ""
    const recorded = new URLSearchParams(body)
    const kind = { isPublic: !recorded.has("client_secret"), isJwt: label.startsWith("jwt") }
    const { id, secret } = standIn.registerOidcClient({ name: label, redirectUris, ...kind })
    dictionary.learn(recorded.get("client_id") ?? "", id)
    dictionary.learn(recorded.get("client_secret") ?? "none", secret)
  }
}

/** Creates content, so that there is something to list. */
async function send({ standIn, origin }: ReplaySession, method: string, path: string, body: string): Promise<void> {
  const authorization = `Basic ${Buffer.from("wanda:wanda-Pass-2026").toString("base64")}`
  const headers = { authorization, "content-type": "application/json" }
  await standIn.fetch(new Request(`${origin}${path}`, { method, headers, body }))
}

interface Loaded {
  readonly file: string
  readonly recordings: readonly Recording[]
}

interface Step {
  readonly file: string
  readonly recording: Recording
}

/** Files that were recorded during another file, with the number of the request before which they were recorded. */
const inserted: Readonly<Record<string, readonly [file: string, before: number]>> = {
  shares: ["webdav", 109],
  locks: ["webdav", 112],
}

/** All steps in the recorded order, with independent neighbours swapped. */
export function inOrder(files: readonly Loaded[]): readonly Step[] {
  const steps: Step[] = []
  for (const { file, recordings } of files) {
    const own = swapped(recordings).map((recording) => ({ file, recording }))
    const [host, seq] = inserted[file] ?? []
    const at = steps.findIndex((step) => step.file === host && step.recording.seq >= (seq ?? Infinity))
    steps.splice(at < 0 ? steps.length : at, 0, ...own)
  }
  return steps
}

const reads = new Set(["GET", "HEAD", "PROPFIND", "REPORT", "SEARCH"])
/** Files in which reads also write, or time matters. */
const inSequence = new Set(["loginflow_v2", "apppasswords", "oauth2", "throttle", "errors", "oidc"])

function swapped(recordings: readonly Recording[]): readonly Recording[] {
  const order = [...recordings]
  if (inSequence.has(recordings[0]?.api ?? "")) return order
  for (let index = 0; index + 1 < order.length; index++) {
    const [first, second] = [order[index], order[index + 1]]
    if (first === undefined || second === undefined || !isFree(first, second)) continue
    order[index] = second
    order[index + 1] = first
    index++
  }
  return order
}

function isFree(first: Recording, second: Recording): boolean {
  if (!reads.has(first.request.method) || !reads.has(second.request.method)) return false
  const learned = JSON.stringify(first.response)
  const needed = JSON.stringify(second.request).match(/[A-Za-z0-9]*\d[A-Za-z0-9]*/g) ?? []
  return !needed.some((token) => token.length > 1 && learned.includes(token))
}
