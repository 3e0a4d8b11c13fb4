// The only way to fetch an address that a person, a client or a document supplied. Every hop is checked; a host name is
// resolved once, and the checked address is the one connected to. Size and time are limited, and errors contain no
// received text.

import { lookup as systemLookup } from "node:dns/promises"
import type { LookupFunction } from "node:net"
import type { HoldpointError } from "@holdpoint/hub"
import type { Fetch } from "@holdpoint/hub/internal"
import { Agent, buildConnector, fetch as undiciFetch } from "undici"
import { type AddressOptions, type AddressRules, createAddressRules } from "./address.ts"
import { fetchError, toFailure } from "./failure.ts"
import { nextHop, toRequest } from "./redirect.ts"

export { type Failure, type FailureKind, failureOf } from "./failure.ts"

export interface Limits {
  /** The limit of a decompressed body. No limit when absent. */
  readonly maxBytes?: number
  readonly timeoutMs: number
  /** The part of the response that has to arrive within `timeoutMs`. */
  readonly until: "headers" | "body"
  /**
   * How long a body may be silent: five minutes by default, and for a request with a longer `timeoutMs` without end.
   */
  readonly idleMs?: number
}

/** Limits of time and size for small documents: metadata, keys, tokens. */
export const metadataLimits: Limits = { maxBytes: 1_000_000, timeoutMs: 10_000, until: "body" }
/** Limits for calls to an API: the body may take as long as the caller allows. */
export const apiLimits: Limits = { timeoutMs: 30_000, until: "headers" }
/** Limits for sending an event: the receiver has to accept it soon, and the body of its response is not read. */
export const postLimits: Limits = { maxBytes: 1_000_000, timeoutMs: 15_000, until: "headers" }

/** Which addresses a guarded fetch may reach, and its limits. */
export interface GuardOptions extends AddressOptions, Limits {
  readonly userAgent?: string
  readonly lookup?: Lookup
}

export type Lookup = (hostname: string) => Promise<readonly { readonly address: string; readonly family: number }[]>

/** A `fetch` for addresses that others chose: it reaches public addresses only, unless more are allowed. */
export function createGuardedFetch(options: GuardOptions): Fetch {
  const rules = createAddressRules(options)
  const connect = createConnect(rules, options.lookup ?? ((hostname) => systemLookup(hostname, { all: true })))
  const { idleMs = usualIdleMs } = options
  // `createDeadline` limits the time until the headers, so undici's own limit is off.
  const defaultAgent = new Agent({ connect, headersTimeout: 0, bodyTimeout: idleMs })
  const patientAgent = new Agent({ connect, headersTimeout: 0, bodyTimeout: 0 })

  return async (input, init = {}) => {
    const { timeoutMs = options.timeoutMs } = init
    const dispatcher = timeoutMs > idleMs ? patientAgent : defaultAgent
    const deadline = createDeadline(timeoutMs, init.signal ?? undefined)
    try {
      let request = await toRequest(input, init, options.userAgent ?? "Holdpoint")
      for (let hops = 0; ; hops++) {
        assertAllowed(rules, request.url)
        const init = { ...request.init, redirect: "manual", signal: deadline.signal, dispatcher }
        const response = (await undiciFetch(request.url, init as object)) as unknown as Response
        const nextRequest = nextHop(request, response, hops)
        if (nextRequest === undefined) return deliver(response, request.url, options, deadline)
        await response.body?.cancel()
        request = nextRequest
      }
    } catch (error) {
      deadline.end()
      throw toFailure(error, deadline.signal)
    }
  }
}

function assertAllowed(rules: AddressRules, url: URL): void {
  const problem = rules.judgeUrl(url)
  if (problem !== undefined) throw refusal(url.hostname, problem)
}

const refusal = (host: string, problem: string): HoldpointError =>
  fetchError(
    "refused_address",
    `The request to ${host} was not made: ${problem}. The operator can allow a host by name.`,
  )

const usualIdleMs = 5 * 60_000

/**
 * Opens connections, with checked DNS look-ups. Literal IP addresses are not resolved; `judgeUrl` has checked
 * them.
 */
function createConnect(rules: AddressRules, resolve: Lookup): buildConnector.connector {
  const connectors = new Map(
    ["https:", "http:"].map((protocol) => [protocol, buildConnector({ lookup: toLookup(rules, resolve, protocol) })]),
  )
  return (target, callback) => connectors.get(target.protocol)!(target, callback)
}

/**
 * A DNS look-up that fails if one of the resolved addresses is refused, because the connector chooses which one it
 * tries.
 */
function toLookup(rules: AddressRules, resolve: Lookup, protocol: string): LookupFunction {
  return (hostname, { all }, callback) => {
    resolve(hostname).then(
      (answers) => {
        const firstAnswer = answers[0]
        if (firstAnswer === undefined) return callback(fetchError("network", `There is no host ${hostname}.`), [])
        if (!answers.every(({ address }) => rules.mayConnect(hostname, address, protocol)))
          return callback(refusal(hostname, "it does not resolve to a public address, or only https is allowed"), [])
        return all ? callback(null, [...answers]) : callback(null, firstAnswer.address, firstAnswer.family)
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    )
  }
}

interface Deadline {
  readonly signal: AbortSignal
  /** Stops the timer; the caller's signal still aborts. */
  clear(): void
  /** Stops the timer and ignores the caller's signal. */
  end(): void
}

/** The longest time that a timer can have. */
const longestTimerMs = 2 ** 31 - 1

function createDeadline(timeoutMs: number, outerSignal: AbortSignal | undefined): Deadline {
  const controller = new AbortController()
  const timer = setTimeout(
    () => {
      controller.abort(fetchError("timeout", `There was no complete answer within ${timeoutMs} ms. Try again later.`))
    },
    Math.min(timeoutMs, longestTimerMs),
  )
  // An unread response must not keep the process alive.
  timer.unref()
  // Combined by hand, because AbortSignal.any takes a tenth of a request's time.
  const giveUp = (): void => controller.abort(outerSignal?.reason)
  if (outerSignal?.aborted === true) giveUp()
  else outerSignal?.addEventListener("abort", giveUp, { once: true })
  return {
    signal: controller.signal,
    clear: () => clearTimeout(timer),
    end() {
      clearTimeout(timer)
      outerSignal?.removeEventListener("abort", giveUp)
    },
  }
}

/** The response with a size limit on its body and its errors converted to failures. */
function deliver(response: Response, url: URL, { maxBytes, until }: Limits, deadline: Deadline): Response {
  if (response.body === null) deadline.end()
  else if (until === "headers") deadline.clear()
  if (response.body !== null && Number(response.headers.get("content-length")) > (maxBytes ?? Infinity)) {
    response.body.cancel().catch(() => {})
    throw tooLargeError(maxBytes)
  }
  const body = response.body === null ? null : toCountedBody(response.body, maxBytes ?? Infinity, deadline)
  const { status, statusText } = response
  const guardedResponse = new Response(body, { status, statusText, headers: [...response.headers] })
  return Object.defineProperty(guardedResponse, "url", { value: url.href })
}

function toCountedBody(source: ReadableStream<Uint8Array>, maxBytes: number, deadline: Deadline) {
  const reader = source.getReader()
  let receivedBytes = 0
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          if (done) {
            deadline.end()
            return controller.close()
          }
          receivedBytes += value.byteLength
          if (receivedBytes > maxBytes) throw tooLargeError(maxBytes)
          controller.enqueue(value)
        } catch (error) {
          giveUp()
          controller.error(toFailure(error, deadline.signal))
        }
      },
      cancel: () => giveUp(),
    },
    { highWaterMark: 0 },
  )
  unreadBodies.register(body, giveUp)
  return body

  function giveUp(): void {
    deadline.end()
    reader.cancel().catch(() => {})
  }
}

/** Closes the connection of an unread body when it is garbage-collected. */
const unreadBodies = new FinalizationRegistry<() => void>((giveUp) => giveUp())

const tooLargeError = (maxBytes: number | undefined): HoldpointError =>
  fetchError("too_large", `The answer is larger than ${maxBytes} bytes, so it was not read to the end.`)
