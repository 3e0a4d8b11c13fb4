// Sends requests to one Nextcloud in one person's name, through a fetch that adds the credentials. Retries where that
// is safe, and turns failures into errors.

import { isHoldpointError } from "@holdpoint/sdk"
import { readBody } from "./body.ts"
import type { Capabilities } from "./capabilities.ts"
import type { ErrorKind, NextcloudError } from "./error.ts"
import { isNextcloudError, kindOf, nextcloudError } from "./error.ts"
import type { NcAnswer, NcRequest, Nextcloud, Query } from "./nextcloud.ts"

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

export interface ClientOptions {
  /** The base address of Nextcloud, with its path and without a trailing slash. */
  readonly url: string
  /** Adds the credentials to each request. */
  readonly fetch: Fetch
  /** The cache of facts about this account and server, shared by all calls of a connection. */
  readonly known: Known
  /** What to do about refused credentials, in modes where the person cannot be asked to connect again. */
  readonly unauthorizedAdvice?: string
  /** Waits between two tries. */
  readonly wait?: (ms: number) => Promise<void>
  /**
   * The time limit for reading a response body once the response has begun: 25 s by default. Together with the 30 s in
   * which the response must begin, this stays below the minute after which clients give up.
   */
  readonly bodyMs?: number
  readonly now?: () => number
}

/** Facts about a connection's account and server, discovered once and used by every call. */
export interface Known {
  userId?: Promise<string>
  capabilities?: Cached<Capabilities>
  apps?: Cached<ReadonlySet<string>>
  timeZone?: Cached<string | undefined>
  /** Whether the server's pages have addresses without /index.php. On such servers many pages are blank with it. */
  hasShortAddresses?: boolean
}

interface Cached<T> {
  readonly value: Promise<T>
  readonly until: number
}

export function createNextcloud(options: ClientOptions): Nextcloud {
  const { url, fetch, known, wait = pause, now = Date.now, bodyMs = 25_000, unauthorizedAdvice } = options
  const isOld = (kept: Cached<unknown> | undefined): boolean => kept === undefined || kept.until <= now()
  const keep = <T>(value: Promise<T>, name: keyof Known): Cached<T> => ({
    value: forgetIfFailed(value, () => delete known[name]),
    until: now() + keptMs,
  })
  const sending = { url, fetch, wait, bodyMs, unauthorizedAdvice }
  const plain = { send: (request: NcRequest): Promise<NcAnswer> => sendWithRetries(sending, request) }
  const send = async (request: NcRequest): Promise<NcAnswer> => {
    if (readMethods.has(request.method ?? "GET")) return plain.send(request)
    try {
      return await plain.send(request)
    } catch (error) {
      throw isNextcloudError(error) && error.kind === "failed" ? await explain(plain, request, error) : error
    }
  }
  const self: Nextcloud = {
    url,
    async send(request) {
      const answer = await send(request)
      // `link` needs to know this. Looked up only after the server has answered once.
      if (known.hasShortAddresses === undefined)
        await self.capabilities().catch(() => (known.hasShortAddresses = false))
      return answer
    },
    userId: () => (known.userId ??= forgetIfFailed(discoverUser(self), () => delete known.userId)),
    async capabilities() {
      if (isOld(known.capabilities)) known.capabilities = keep(learn({ ...self, send }, known), "capabilities")
      return known.capabilities!.value
    },
    async timeZone() {
      if (isOld(known.timeZone)) known.timeZone = keep(zoneOf(self), "timeZone")
      // An unknown time zone is not an error here: the tools that need one say so. Refused credentials are an error.
      return known.timeZone!.value.catch((error: unknown) => {
        if (isNextcloudError(error) && error.kind !== "unauthorized") return undefined
        throw error
      })
    },
    async apps() {
      if (isOld(known.apps)) known.apps = keep(appsOf(self), "apps")
      return known.apps!.value
    },
    link: (path) => `${url}${known.hasShortAddresses === true ? "" : "/index.php"}${path}`,
  }
  return self
}

/** Facts are read again after this time, so that newly installed apps appear. */
const keptMs = 60_000

function forgetIfFailed<T>(value: Promise<T>, forget: () => void): Promise<T> {
  value.catch(forget)
  return value
}

// These modules are imported lazily: a client that only connects needs neither the facts nor the XML parser.

async function learn(nextcloud: Nextcloud, known: Known): Promise<Capabilities> {
  const { hasShortAddresses, readCapabilities } = await import("./capabilities.ts")
  const capabilities = await readCapabilities(nextcloud)
  known.hasShortAddresses = hasShortAddresses(capabilities)
  return capabilities
}

async function appsOf(nextcloud: Nextcloud): Promise<ReadonlySet<string>> {
  const { readApps } = await import("./capabilities.ts")
  return readApps(nextcloud)
}

async function zoneOf(nextcloud: Nextcloud): Promise<string | undefined> {
  const { readTimeZone } = await import("./time-zone.ts")
  return readTimeZone(nextcloud)
}

async function explain(nextcloud: Pick<Nextcloud, "send">, request: NcRequest, error: NextcloudError): Promise<Error> {
  const { explainFailure } = await import("./no-space.ts")
  return explainFailure(nextcloud, request, error)
}

async function discoverUser(nextcloud: Nextcloud): Promise<string> {
  const [{ propfind }, { childOf, dav, textOf, xml }] = await Promise.all([import("./dav.ts"), import("../xml.ts")])
  const doing = "reading which user this is"
  const props = xml`<d:current-user-principal/>`
  const [found] = await propfind(nextcloud, { path: "/remote.php/dav/", props, doing })
  const href = textOf(childOf(found?.props, dav, "current-user-principal"), dav, "href") ?? ""
  const id = /\/principals\/users\/([^/]+)\/?$/.exec(href)?.[1]
  if (id === undefined) throw nextcloudError("malformed", { doing, said: "no principal" })
  try {
    return decodeURIComponent(id)
  } catch {
    throw nextcloudError("malformed", { doing, said: "a principal that cannot be read" })
  }
}

interface SendOptions {
  readonly url: string
  readonly fetch: Fetch
  readonly wait: (ms: number) => Promise<void>
  readonly bodyMs: number
  readonly unauthorizedAdvice: string | undefined
}

/** Methods that change nothing. */
export const readMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "PROPFIND", "REPORT", "SEARCH", "OPTIONS"])

/** Sends a request with retries. Reads are retried; writes only when the server certainly did nothing. */
async function sendWithRetries(sending: SendOptions, request: NcRequest): Promise<NcAnswer> {
  const isRepeatable = request.repeatable ?? readMethods.has(request.method ?? "GET")
  assertSendable(request)
  for (let tries = 0; ; tries++) {
    const sent = await trySending(sending, request, isRepeatable ? {} : { advice: unknownOutcome })
    if ("answer" in sent) return sent.answer
    const again = sent.isUndone || (isRepeatable && sent.isPassing)
    const pauseMs = pauses[tries]
    if (!again || pauseMs === undefined || request.signal?.aborted) throw sent.error
    await sending.wait(pauseMs)
  }
}

const pauses: readonly number[] = [250, 1_000]

/** The advice for a write whose outcome is unknown. */
const unknownOutcome = "The change may have been made anyway: check before trying again, so that it is not made twice."

interface OutcomeAdvice {
  readonly advice?: string
}

/**
 * Refuses values from arguments that would break out of their place: line breaks in a header, dot segments in a path.
 */
function assertSendable({ path, headers = {}, doing }: NcRequest): void {
  if (path.split(/[/?]/).some((part) => /^(\.|%2e){1,2}$/i.test(part)))
    throw nextcloudError("invalid", { doing, because: "a name that is only dots cannot be part of an address" })
  const wrong = Object.entries(headers).find(([, value]) => !/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
  if (wrong === undefined) return
  const because = `the value for ${wrong[0]} contains characters that are not allowed`
  throw nextcloudError("invalid", { doing, because, advice: "Give it exactly as it was read." })
}

type SendResult =
  | { readonly answer: NcAnswer }
  | {
      readonly error: Error
      /** Whether the failure may be temporary. */
      readonly isPassing: boolean
      /** Whether the server certainly did nothing. */
      readonly isUndone: boolean
    }

async function trySending(sending: SendOptions, request: NcRequest, fate: OutcomeAdvice): Promise<SendResult> {
  const { url, fetch, bodyMs, unauthorizedAdvice } = sending
  const { doing, accept = [] } = request
  let response: Response
  try {
    response = await fetch(addressOf(url, request), initOf(request))
  } catch (error) {
    return unreachable(error, doing, fate)
  }
  try {
    const bytes = await readBody(response, request, bodyMs)
    const { status, headers } = response
    const answer = toAnswer(status, headers, bytes, doing)
    if ((status >= 200 && status < 300) || accept.includes(status)) return { answer }
    return await refused(answer, doing, { unauthorizedAdvice, fate })
  } catch (error) {
    if (isNextcloudError(error)) return { error, isPassing: false, isUndone: false }
    if (error instanceof Error && error.name === "AbortError") throw error
    if (isTimeout(error)) return unreachable(error, doing, fate)
    const because = "the response of Nextcloud was cut off"
    return { error: nextcloudError("unavailable", { doing, because, ...fate }), isPassing: true, isUndone: false }
  }
}

/** The full address of a request. App APIs answer below /index.php on every server, with or without short addresses. */
function addressOf(url: string, { path, query = {} }: NcRequest): string {
  const whole = path.startsWith("/apps/") ? `/index.php${path}` : path
  const parameters = new URLSearchParams(Object.entries(query).flatMap(([name, value]) => toPairs(name, value)))
  const text = parameters.toString()
  return `${url}${whole}${text === "" ? "" : `?${text}`}`
}

function toPairs(name: string, value: Query): readonly [string, string][] {
  if (value === undefined) return []
  if (typeof value === "object") return value.map((one) => [`${name}[]`, one])
  return [[name, String(value)]]
}

function initOf({ method = "GET", headers = {}, body, json, signal }: NcRequest): RequestInit {
  const kind = json === undefined ? {} : { "content-type": "application/json" }
  const content = json === undefined ? body : JSON.stringify(json)
  return {
    method,
    // Without `ocs-apirequest`, apps treat the call as a forged request from a browser and refuse the token.
    headers: {
      "ocs-apirequest": "true",
      accept: "application/json, application/xml;q=0.9, */*;q=0.8",
      ...kind,
      ...headers,
    },
    ...(content === undefined ? {} : { body: content as string }),
    ...(signal === undefined ? {} : { signal }),
    redirect: "manual",
  }
}

function toAnswer(status: number, headers: Headers, bytes: Uint8Array, doing: string): NcAnswer {
  const text = (): string => decoder.decode(bytes)
  return {
    status,
    headers,
    bytes,
    text,
    json() {
      try {
        return JSON.parse(text()) as unknown
      } catch {
        // Nextcloud shows some error pages with status 200, and a proxy in front of it may show a sign-in page.
        const said = isPage(headers) ? "a web page instead of data" : "invalid JSON"
        throw nextcloudError("malformed", { doing, status, said })
      }
    },
  }
}

const decoder = new TextDecoder()

const isPage = (headers: Headers): boolean => /html/i.test(headers.get("content-type") ?? "")

interface Advices {
  readonly unauthorizedAdvice: string | undefined
  readonly fate: OutcomeAdvice
}

async function refused(answer: NcAnswer, doing: string, { unauthorizedAdvice, fate }: Advices): Promise<SendResult> {
  const { status, headers } = answer
  const said = await messageOf(answer)
  const facts = { status, doing, ...(said === undefined ? {} : { said }) }
  const isMaintenance = headers.get("x-nextcloud-maintenance-mode") === "1"
  if (isMaintenance) {
    const advice = "Nextcloud is in maintenance mode. Try again in a few minutes."
    return { error: nextcloudError("unavailable", { ...facts, advice }), isPassing: false, isUndone: false }
  }
  if (status >= 300 && status < 400) {
    const advice = "The server redirects elsewhere: its address may be wrong. Tell the user to check it."
    return { error: nextcloudError("malformed", { ...facts, advice }), isPassing: false, isUndone: false }
  }
  if ((status === 503 || status === 401) && /Account disabled$/.test(said ?? ""))
    return { error: nextcloudError("forbidden", { ...facts, ...disabled }), isPassing: false, isUndone: false }
  const kind: ErrorKind = kindOf(status)
  // 502, 503 and 504 are worth a retry. So is a lock (`isUndone`): nothing was written, and it is usually released
  // soon. A 401 is not: Nextcloud counts failed sign-ins against the client for half an hour.
  const isPassing = status === 502 || status === 503 || status === 504
  const advice = kind === "unauthorized" && unauthorizedAdvice !== undefined ? { advice: unauthorizedAdvice } : {}
  // A proxy in front of Nextcloud gave up waiting or lost the response.
  const lost = status === 502 || status === 504 ? fate : {}
  return { error: nextcloudError(kind, { ...facts, ...advice, ...lost }), isPassing, isUndone: kind === "locked" }
}

const disabled = {
  because: "this account is disabled",
  advice: "Do not try again: an administrator has to enable it. Tell the user.",
}

/** The server's error message, from an OCS envelope, an app's JSON or WebDAV's XML. */
async function messageOf(answer: NcAnswer): Promise<string | undefined> {
  const body = answer.text()
  if (isPage(answer.headers) || body.trim() === "") return undefined
  if (body.trimStart().startsWith("<")) return (await import("./dav.ts")).davMessage(body)
  try {
    return wordsIn(JSON.parse(body) as unknown)
  } catch {
    return undefined
  }
}

function wordsIn(value: unknown): string | undefined {
  if (typeof value === "string") return value
  if (typeof value !== "object" || value === null) return undefined
  const members = value as Readonly<Record<string, unknown>>
  if (members.ocs !== undefined) return wordsIn(members.ocs)
  // Some apps put the message into `data` and leave that of `meta` empty.
  if (members.meta !== undefined) return wordsIn(members.meta) ?? wordsIn(members.data)
  const found = [members.message, members.msg, members.error, members.errorMessage, members.hint]
  return found.find((one): one is string => typeof one === "string" && one !== "")
}

function unreachable(error: unknown, doing: string, fate: OutcomeAdvice): SendResult {
  // Errors about a lost account or a refused address already explain themselves.
  if (isNextcloudError(error) || (isHoldpointError(error) && error.code !== "provider_unavailable")) throw error
  if (error instanceof Error && error.name === "AbortError") throw error
  const code = codeIn(error)
  if (isCertificate(code)) {
    const because = `the certificate of Nextcloud is not accepted (${code})`
    const advice = "Do not try again; tell the user: `holdpoint nextcloud doctor` says what to do about it."
    return { error: nextcloudError("unavailable", { doing, because, advice }), isPassing: false, isUndone: false }
  }
  const isUndone = code === "ECONNREFUSED" || code === "ENOTFOUND" || code === "EAI_AGAIN"
  const isSlow = isTimeout(error)
  const because = isSlow
    ? "Nextcloud took too long to answer"
    : `Nextcloud cannot be reached${code === undefined ? "" : ` (${code})`}`
  const lost = isUndone ? {} : fate
  // A timeout is not retried: the caller has already waited long enough.
  return { error: nextcloudError("unavailable", { doing, because, ...lost }), isPassing: !isSlow, isUndone }
}

const isCertificate = (code = ""): boolean => /CERT|_LEAF_SIGNATURE/.test(code)

function isTimeout(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { cause } = error
  const kind = typeof cause === "object" && cause !== null && "kind" in cause ? cause.kind : undefined
  return error.name === "TimeoutError" || kind === "timeout"
}

function codeIn(error: unknown): string | undefined {
  for (
    let one: unknown = error;
    typeof one === "object" && one !== null;
    one = "cause" in one ? one.cause : undefined
  ) {
    if ("code" in one && typeof one.code === "string" && /^[A-Z][A-Z_]+$/.test(one.code)) return one.code
  }
  return undefined
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
