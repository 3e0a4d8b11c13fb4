// The gate for everything that a server sends: each message is limited in size, depth and number before any other code
// reads it. A response above a limit becomes an error, so that its request ends; a request or notification is dropped.

import { readText } from "@holdpoint/fetching/internal"
import type { Fetch } from "@holdpoint/hub/internal"
import { isTooDeep, mostLevels } from "@holdpoint/hub/internal"
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client"
import { limitEvents } from "./event-limit.ts"
import { memberOf } from "./wire.ts"

/** The limits for what a server sends. */
export const messageLimits = {
  /** The size of one message: a line on stdio, the body of a response or an event of a stream over HTTP. */
  bytes: 10_000_000,
  /** The parts of one result. */
  parts: 1_000,
  /** The tools of one server, on all pages of its list. */
  tools: 1_000,
  /** The length of a server's list of tools as JSON, on all pages. */
  listCharacters: 2_000_000,
  /** The pages of a server's list of tools. */
  pages: 50,
} as const

/** The code of the error in place of a response above a limit. Outside the range that JSON-RPC reserves. */
export const limitCode = -31_999

const words = {
  bytes: `it is larger than ${messageLimits.bytes / 1_000_000} MB`,
  levels: `it is nested more than ${mostLevels} levels deep`,
  parts: `it has more than ${messageLimits.parts} parts`,
  tools: `it has more than ${messageLimits.tools} tools`,
  list: `it is longer than ${messageLimits.listCharacters / 1_000_000} million characters`,
} as const

type RequestId = string | number

/** Limits the messages of a transport. Must be called before a client uses it. Returns the same transport. */
export function limitMessages(transport: Transport): Transport {
  /** The methods of the requests that wait for a response. */
  const open = new Map<RequestId, string>()
  const list = { tools: 0, characters: 0 }
  const { send } = transport
  let onMessage: Transport["onmessage"]
  let onError: Transport["onerror"]

  const problemWith = (message: JSONRPCMessage, method: string | undefined): string | undefined => {
    if (isTooDeep(message)) return words.levels
    const result = memberOf(message, "result")
    if (lengthOf(memberOf(result, "content")) > messageLimits.parts) return words.parts
    if (method !== "tools/list") return undefined
    list.tools += lengthOf(memberOf(result, "tools"))
    if (list.tools > messageLimits.tools) return words.tools
    list.characters += JSON.stringify(result ?? null).length
    return list.characters > messageLimits.listCharacters ? words.list : undefined
  }
  const receive: NonNullable<Transport["onmessage"]> = (message, extra) => {
    const id = memberOf(message, "id") as RequestId | undefined
    const isRequest = memberOf(message, "method") !== undefined
    const method = id === undefined || isRequest ? undefined : open.get(id)
    if (id !== undefined && !isRequest) open.delete(id)
    const problem = problemWith(message, method)
    if (problem === undefined) onMessage?.(message, extra)
    else if (id !== undefined && isRequest) send.call(transport, limitError(id, problem)).catch(onError)
    else if (id !== undefined) onMessage?.(limitError(id, problem), extra)
  }
  const fail: NonNullable<Transport["onerror"]> = (error) => {
    if (/exceeded maximum size/.test(error.message)) {
      // The line has no id: it belongs to the only open request, or its request is not known.
      const [id, ...others] = open.keys()
      if (id !== undefined && others.length === 0) onMessage?.(limitError(id, words.bytes))
      open.clear()
      endProgram(transport)
    }
    onError?.(error)
  }
  return Object.defineProperties(transport, {
    onmessage: handlerProperty(
      () => onMessage,
      receive,
      (handler) => (onMessage = handler),
    ),
    onerror: handlerProperty(
      () => onError,
      fail,
      (handler) => (onError = handler),
    ),
    send: {
      configurable: true,
      value: (message: JSONRPCMessage, options: Parameters<Transport["send"]>[1]) => {
        const [id, method] = [memberOf(message, "id") as RequestId | undefined, memberOf(message, "method")]
        if (id !== undefined && typeof method === "string") {
          open.set(id, method)
          if (method === "tools/list" && memberOf(memberOf(message, "params"), "cursor") === undefined)
            Object.assign(list, { tools: 0, characters: 0 })
        }
        return send.call(transport, message, options)
      },
    },
  })
}

/** Ends the program behind a transport on stdio at once. The SDK would read its output for seconds until it closes. */
function endProgram(transport: Transport): void {
  const pid = "pid" in transport ? transport.pid : undefined
  if (typeof pid !== "number") return
  try {
    process.kill(pid, "SIGKILL")
  } catch {
    // The program has ended by itself.
  }
}

/** A property whose handler is called through `limited`. */
function handlerProperty<T>(
  get: () => T | undefined,
  limited: T,
  set: (handler: T | undefined) => void,
): PropertyDescriptor {
  return {
    configurable: true,
    enumerable: true,
    get: () => (get() === undefined ? undefined : limited),
    // A client that saves and restores the handler sets the limited one again.
    set: (handler: T | undefined) => {
      if (handler !== limited) set(handler)
    },
  }
}

/** Limits the responses of a server over HTTP. A response above the limit is read no further. */
export const limitFetch =
  (fetch: Fetch): Fetch =>
  async (to, init) => {
    const response = await fetch(to, init)
    const { body, headers, status } = response
    if (body === null) return response
    const id = requestIdIn(init?.body)
    const errorText = id === undefined ? undefined : JSON.stringify(limitError(id, words.bytes))
    if (headers.get("content-type")?.startsWith("text/event-stream") === true)
      return at(
        response,
        new Response(body.pipeThrough(limitEvents(messageLimits.bytes, errorText)), { status, headers }),
      )
    const text = await readText(response, messageLimits.bytes)
    if (text !== undefined)
      return at(response, new Response(text === "" ? null : text, { status, headers: withoutLength(headers) }))
    await response.body?.cancel().catch(() => {})
    if (errorText === undefined) throw new Error(`The response was not read: ${words.bytes}.`)
    return new Response(errorText, { headers: { "content-type": "application/json" } })
  }

const at = ({ url }: Response, copy: Response): Response => Object.defineProperty(copy, "url", { value: url })

function withoutLength(headers: Headers): Headers {
  const others = new Headers(headers)
  others.delete("content-length")
  others.delete("content-encoding")
  return others
}

function requestIdIn(body: unknown): RequestId | undefined {
  if (typeof body !== "string") return undefined
  // Our own client has written it.
  const message: unknown = JSON.parse(body)
  return memberOf(message, "method") === undefined ? undefined : (memberOf(message, "id") as RequestId | undefined)
}

const limitError = (id: RequestId, message: string) => ({
  jsonrpc: "2.0" as const,
  id,
  error: { code: limitCode, message },
})

const lengthOf = (value: unknown): number => (Array.isArray(value) ? value.length : 0)
