// Sends requests to one Nextcloud in one person's name, through a fetch that adds the credentials. Retries where that
// is safe, and turns failures into errors.

import { isHoldpointError } from "@holdpoint/hub"
import { readBody } from "./body.ts"
import type { Capabilities } from "./capabilities.ts"
import type { ErrorKind, NextcloudError } from "./error.ts"
import { isNextcloudError, kindOf, nextcloudError } from "./error.ts"
import type { NcAnswer, NcRequest, Nextcloud, Query } from "./nextcloud.ts"

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

export interface ClientOptions {
  /** The base address of Nextcloud, with its path and without a trailing slash. */
  readonly url: string
  /** The fetch that adds the credentials to each request. */
  readonly fetch: Fetch
  /** The cache of facts about this account and server, shared by all calls of a connection. */
  readonly facts: AccountFacts
  /** The advice of the error for refused credentials, in modes where the person cannot be asked to connect again. */
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
export interface AccountFacts {
  userId?: Promise<string>
  capabilities?: CachedValue<Capabilities>
  apps?: CachedValue<ReadonlySet<string>>
  timeZone?: CachedValue<string | undefined>
  /** Whether page addresses work without /index.php. If they do, many pages are blank with /index.php. */
  hasShortAddresses?: boolean
}

interface CachedValue<T> {
  readonly value: Promise<T>
  readonly until: number
}

export function createNextcloud(options: ClientOptions): Nextcloud {
  const { url, fetch, facts, wait = pause, now = Date.now, bodyMs = 25_000, unauthorizedAdvice } = options
  const isExpired = (entry: CachedValue<unknown> | undefined): boolean => entry === undefined || entry.until <= now()
  const toCached = <T>(value: Promise<T>, name: keyof AccountFacts): CachedValue<T> => ({
    value: dropIfFailed(value, () => delete facts[name]),
    until: now() + factsLifetimeMs,
  })
  const sendOptions = { url, fetch, wait, bodyMs, unauthorizedAdvice }
  const sender = { send: (request: NcRequest): Promise<NcAnswer> => sendWithRetries(sendOptions, request) }
  const send = async (request: NcRequest): Promise<NcAnswer> => {
    if (readMethods.has(request.method ?? "GET")) return sender.send(request)
    try {
      return await sender.send(request)
    } catch (error) {
      throw isNextcloudError(error) && error.kind === "failed" ? await explain(sender, request, error) : error
    }
  }
  const self: Nextcloud = {
    url,
    async send(request) {
      const answer = await send(request)
      // After the first answer, finds out whether page addresses contain /index.php, which `link` has to know.
      if (facts.hasShortAddresses === undefined)
        await self.capabilities().catch(() => (facts.hasShortAddresses = false))
      return answer
    },
    userId: () => (facts.userId ??= dropIfFailed(discoverUser(self), () => delete facts.userId)),
    async capabilities() {
      if (isExpired(facts.capabilities))
        facts.capabilities = toCached(loadCapabilities({ ...self, send }, facts), "capabilities")
      return facts.capabilities!.value
    },
    async timeZone() {
      if (isExpired(facts.timeZone)) facts.timeZone = toCached(zoneOf(self), "timeZone")
      // An unknown time zone is not an error here: the tools that need one say so. Refused credentials are an error.
      return facts.timeZone!.value.catch((error: unknown) => {
        if (isNextcloudError(error) && error.kind !== "unauthorized") return undefined
        throw error
      })
    },
    async apps() {
      if (isExpired(facts.apps)) facts.apps = toCached(appsOf(self), "apps")
      return facts.apps!.value
    },
    link: (path) => `${url}${facts.hasShortAddresses === true ? "" : "/index.php"}${path}`,
  }
  return self
}

/** Facts are read again after this time, so that newly installed apps appear. */
const factsLifetimeMs = 60_000

function dropIfFailed<T>(value: Promise<T>, forget: () => void): Promise<T> {
  value.catch(forget)
  return value
}

// These modules are imported lazily: a client that only connects needs neither the facts nor the XML parser.

async function loadCapabilities(nextcloud: Nextcloud, facts: AccountFacts): Promise<Capabilities> {
  const { hasShortAddresses, readCapabilities } = await import("./capabilities.ts")
  const capabilities = await readCapabilities(nextcloud)
  facts.hasShortAddresses = hasShortAddresses(capabilities)
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
  const activity = "looking up the current user"
  const props = xml`<d:current-user-principal/>`
  const [principal] = await propfind(nextcloud, { path: "/remote.php/dav/", props, activity })
  const href = textOf(childOf(principal?.props, dav, "current-user-principal"), dav, "href") ?? ""
  const id = /\/principals\/users\/([^/]+)\/?$/.exec(href)?.[1]
  if (id === undefined) throw nextcloudError("malformed", { activity, detail: "no principal" })
  try {
    return decodeURIComponent(id)
  } catch {
    throw nextcloudError("malformed", { activity, detail: "a principal that cannot be read" })
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
async function sendWithRetries(sendOptions: SendOptions, request: NcRequest): Promise<NcAnswer> {
  const isRepeatable = request.repeatable ?? readMethods.has(request.method ?? "GET")
  assertSendable(request)
  for (let tries = 0; ; tries++) {
    const result = await trySending(sendOptions, request, isRepeatable ? {} : { advice: unknownOutcome })
    if ("answer" in result) return result.answer
    const shouldRetry = result.hadNoEffect || (isRepeatable && result.isTemporary)
    const pauseMs = pauses[tries]
    if (!shouldRetry || pauseMs === undefined || request.signal?.aborted) throw result.error
    await sendOptions.wait(pauseMs)
  }
}

const pauses: readonly number[] = [250, 1_000]

/** The advice for a write whose outcome is unknown. */
const unknownOutcome = "The change may have been made anyway: check before trying again, so that it is not made twice."

interface OutcomeAdvice {
  readonly advice?: string
}

/** Throws for a path with dot segments and for a header with line breaks: they would change the request itself. */
function assertSendable({ path, headers = {}, activity }: NcRequest): void {
  if (path.split(/[/?]/).some((part) => /^(\.|%2e){1,2}$/i.test(part)))
    throw nextcloudError("invalid", { activity, because: "a name that is only dots cannot be part of an address" })
  const invalidHeader = Object.entries(headers).find(([, value]) => !/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
  if (invalidHeader === undefined) return
  const because = `the value for ${invalidHeader[0]} contains characters that are not allowed`
  throw nextcloudError("invalid", { activity, because, advice: "Give it exactly as it was read." })
}

type SendResult =
  | { readonly answer: NcAnswer }
  | {
      readonly error: Error
      /** Whether the failure may be temporary. */
      readonly isTemporary: boolean
      /** Whether the server certainly did nothing. */
      readonly hadNoEffect: boolean
    }

async function trySending(
  sendOptions: SendOptions,
  request: NcRequest,
  outcomeAdvice: OutcomeAdvice,
): Promise<SendResult> {
  const { url, fetch, bodyMs, unauthorizedAdvice } = sendOptions
  const { activity, accept = [] } = request
  let response: Response
  try {
    response = await fetch(addressOf(url, request), initOf(request))
  } catch (error) {
    return toUnreachableResult(error, activity, outcomeAdvice)
  }
  try {
    const bytes = await readBody(response, request, bodyMs)
    const { status, headers } = response
    const answer = toAnswer(status, headers, bytes, activity)
    if ((status >= 200 && status < 300) || accept.includes(status)) return { answer }
    return await toRefusedResult(answer, activity, { unauthorizedAdvice, outcomeAdvice })
  } catch (error) {
    if (isNextcloudError(error)) return { error, isTemporary: false, hadNoEffect: false }
    if (error instanceof Error && error.name === "AbortError") throw error
    if (isTimeout(error)) return toUnreachableResult(error, activity, outcomeAdvice)
    const because = "Nextcloud's response was cut off"
    return {
      error: nextcloudError("unavailable", { activity, because, ...outcomeAdvice }),
      isTemporary: true,
      hadNoEffect: false,
    }
  }
}

/** The full address of a request. App APIs answer below /index.php on every server, with or without short addresses. */
function addressOf(url: string, { path, query = {} }: NcRequest): string {
  const fullPath = path.startsWith("/apps/") ? `/index.php${path}` : path
  const parameters = new URLSearchParams(Object.entries(query).flatMap(([name, value]) => toPairs(name, value)))
  const text = parameters.toString()
  return `${url}${fullPath}${text === "" ? "" : `?${text}`}`
}

function toPairs(name: string, value: Query): readonly [string, string][] {
  if (value === undefined) return []
  if (typeof value === "object") return value.map((item) => [`${name}[]`, item])
  return [[name, String(value)]]
}

function initOf({ method = "GET", headers = {}, body, json, signal }: NcRequest): RequestInit {
  const contentTypeHeader = json === undefined ? {} : { "content-type": "application/json" }
  const content = json === undefined ? body : JSON.stringify(json)
  return {
    method,
    // Without `ocs-apirequest`, apps treat the call as a forged request from a browser and refuse the token.
    headers: {
      "ocs-apirequest": "true",
      accept: "application/json, application/xml;q=0.9, */*;q=0.8",
      ...contentTypeHeader,
      ...headers,
    },
    ...(content === undefined ? {} : { body: content as string }),
    ...(signal === undefined ? {} : { signal }),
    redirect: "manual",
  }
}

function toAnswer(status: number, headers: Headers, bytes: Uint8Array, activity: string): NcAnswer {
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
        const detail = isPage(headers) ? "a web page instead of data" : "invalid JSON"
        throw nextcloudError("malformed", { activity, status, detail })
      }
    },
  }
}

const decoder = new TextDecoder()

const isPage = (headers: Headers): boolean => /html/i.test(headers.get("content-type") ?? "")

interface AdviceOptions {
  readonly unauthorizedAdvice: string | undefined
  readonly outcomeAdvice: OutcomeAdvice
}

async function toRefusedResult(
  answer: NcAnswer,
  activity: string,
  { unauthorizedAdvice, outcomeAdvice }: AdviceOptions,
): Promise<SendResult> {
  const { status, headers } = answer
  const detail = await messageOf(answer)
  const facts = { status, activity, ...(detail === undefined ? {} : { detail }) }
  const isMaintenance = headers.get("x-nextcloud-maintenance-mode") === "1"
  if (isMaintenance) {
    const advice = "Nextcloud is in maintenance mode. Try again in a few minutes."
    return { error: nextcloudError("unavailable", { ...facts, advice }), isTemporary: false, hadNoEffect: false }
  }
  if (status >= 300 && status < 400) {
    const advice = "The server redirects elsewhere: its address may be wrong. Tell the user to check it."
    return { error: nextcloudError("malformed", { ...facts, advice }), isTemporary: false, hadNoEffect: false }
  }
  if ((status === 503 || status === 401) && /Account disabled$/.test(detail ?? ""))
    return { error: nextcloudError("forbidden", { ...facts, ...disabled }), isTemporary: false, hadNoEffect: false }
  const kind: ErrorKind = kindOf(status)
  // 502, 503 and 504 are worth a retry. So is a lock (`hadNoEffect`): nothing was written, and it is usually released
  // soon. A 401 is not: Nextcloud counts failed sign-ins against the client for half an hour.
  const isTemporary = status === 502 || status === 503 || status === 504
  const advice = kind === "unauthorized" && unauthorizedAdvice !== undefined ? { advice: unauthorizedAdvice } : {}
  // 502 and 504: a proxy in front of Nextcloud lost the response, so a write may have been made.
  const lostAdvice = status === 502 || status === 504 ? outcomeAdvice : {}
  return {
    error: nextcloudError(kind, { ...facts, ...advice, ...lostAdvice }),
    isTemporary,
    hadNoEffect: kind === "locked",
  }
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
    return messageIn(JSON.parse(body) as unknown)
  } catch {
    return undefined
  }
}

function messageIn(value: unknown): string | undefined {
  if (typeof value === "string") return value
  if (typeof value !== "object" || value === null) return undefined
  const members = value as Readonly<Record<string, unknown>>
  if (members.ocs !== undefined) return messageIn(members.ocs)
  // Some apps put the message into `data` and leave that of `meta` empty.
  if (members.meta !== undefined) return messageIn(members.meta) ?? messageIn(members.data)
  const candidates = [members.message, members.msg, members.error, members.errorMessage, members.hint]
  return candidates.find((text): text is string => typeof text === "string" && text !== "")
}

function toUnreachableResult(error: unknown, activity: string, outcomeAdvice: OutcomeAdvice): SendResult {
  // Errors about a lost account or a refused address already explain themselves.
  if (isNextcloudError(error) || (isHoldpointError(error) && error.code !== "provider_unavailable")) throw error
  if (error instanceof Error && error.name === "AbortError") throw error
  const code = codeIn(error)
  if (isCertificateCode(code)) {
    const because = `Nextcloud's certificate is not accepted (${code})`
    const advice = "Do not try again; tell the user to run `holdpoint nextcloud doctor`, which says what to do."
    return {
      error: nextcloudError("unavailable", { activity, because, advice }),
      isTemporary: false,
      hadNoEffect: false,
    }
  }
  const hadNoEffect = code === "ECONNREFUSED" || code === "ENOTFOUND" || code === "EAI_AGAIN"
  const isSlow = isTimeout(error)
  const because = isSlow
    ? "Nextcloud took too long to answer"
    : `Nextcloud cannot be reached${code === undefined ? "" : ` (${code})`}`
  const lostAdvice = hadNoEffect ? {} : outcomeAdvice
  // A timeout is not retried: the caller has already waited long enough.
  return {
    error: nextcloudError("unavailable", { activity, because, ...lostAdvice }),
    isTemporary: !isSlow,
    hadNoEffect,
  }
}

const isCertificateCode = (code = ""): boolean => /CERT|_LEAF_SIGNATURE/.test(code)

function isTimeout(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { cause } = error
  const kind = typeof cause === "object" && cause !== null && "kind" in cause ? cause.kind : undefined
  return error.name === "TimeoutError" || kind === "timeout"
}

function codeIn(error: unknown): string | undefined {
  for (
    let cause: unknown = error;
    typeof cause === "object" && cause !== null;
    cause = "cause" in cause ? cause.cause : undefined
  ) {
    if ("code" in cause && typeof cause.code === "string" && /^[A-Z][A-Z_]+$/.test(cause.code)) return cause.code
  }
  return undefined
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
