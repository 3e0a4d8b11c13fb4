// A socket through which a script uses an account: requests are forwarded with fresh credentials, to the provider's
// addresses and nowhere else. The script never gets the credentials.

import { chmod } from "node:fs/promises"
import type { IncomingMessage, ServerResponse } from "node:http"
import { createServer } from "node:http"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import type { ConnectionHandle } from "@holdpoint/accounts"
import { isHoldpointError } from "@holdpoint/hub"
import { toTarget } from "./target.ts"

export interface AccountProxy {
  /** Uses this connection from now on: the same account, after its owner was asked again. */
  use(handle: ConnectionHandle): void
  close(): void
}

/** More than a script needs at the same time. */
const maxConnections = 64

/** Rejects when no socket can be created at this path. */
export async function openAccountProxy(path: string, initialHandle: ConnectionHandle): Promise<AccountProxy> {
  let handle = initialHandle
  const closeController = new AbortController()
  const server = createServer((request, response) => {
    const disconnectController = new AbortController()
    response.once("close", () => disconnectController.abort())
    const signal = AbortSignal.any([closeController.signal, disconnectController.signal])
    forward(handle, { request, response, signal }).catch(() => response.destroy())
  })
  server.maxConnections = maxConnections
  server.on("upgrade", (_request, socket) => socket.destroy())
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject)
    server.listen(path, resolve)
  })
  // Before this change of its mode, only the mode of the socket's folder keeps other users out.
  await chmod(path, 0o600)
  return {
    use(newHandle) {
      handle = newHandle
    },
    close() {
      closeController.abort()
      server.close()
      server.closeAllConnections()
    },
  }
}

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly signal: AbortSignal
}

async function forward(handle: ConnectionHandle, { request, response, signal }: Exchange): Promise<void> {
  const { method = "GET", url = "", headers } = request
  const target = toTarget(handle.api, { target: url, host: headers.host })
  if (typeof target !== "string") return refuse(response, 421, { code: "unsafe_address", message: target.problem })
  if (unsendable.has(method))
    return refuse(response, 405, {
      code: "invalid_request",
      message: `The method ${method} cannot be used with an account.`,
    })
  let providerResponse: Response
  try {
    providerResponse = await handle.fetch(target, {
      method,
      headers: forwardedHeaders(headers),
      signal,
      ...(await bodyOf(request)),
    })
  } catch (error) {
    if (signal.aborted) throw error
    return refuse(response, ...toRefusal(handle, error))
  }
  response.writeHead(providerResponse.status, providerResponse.statusText, returnedHeaders(providerResponse.headers))
  if (providerResponse.body === null) return void response.end()
  await pipeline(Readable.fromWeb(providerResponse.body as never), response)
}

/** `fetch` refuses these methods. */
const unsendable: ReadonlySet<string> = new Set(["CONNECT", "TRACE", "TRACK"])

/** Larger bodies are streamed, and cannot be sent a second time when the credentials have to be renewed. */
const maxBufferedBytes = 1_024 * 1_024

async function bodyOf(request: IncomingMessage): Promise<RequestInit & { readonly duplex?: "half" }> {
  const { method = "GET", headers } = request
  const length = Number(headers["content-length"] ?? 0)
  const hasBody = length > 0 || headers["transfer-encoding"] !== undefined
  if (!hasBody || method === "GET" || method === "HEAD") return {}
  if (length === 0 || length > maxBufferedBytes) return { body: Readable.toWeb(request) as never, duplex: "half" }
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return { body: Buffer.concat(chunks) }
}

/** Headers of one connection (RFC 9110 section 7.6.1), and those that the connection to the provider sets itself. */
const hopByHopHeaders: ReadonlySet<string> = new Set([
  ...["connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection", "te", "trailer"],
  ...["transfer-encoding", "upgrade", "expect", "host", "content-length", "accept-encoding", "authorization"],
])

/** Whether a header is only for one connection: one of those above, or named in the header Connection. */
function isHopByHop(connection: string | null | undefined): (name: string) => boolean {
  const named = new Set((connection ?? "").split(",").map((name) => name.trim().toLowerCase()))
  return (name) => hopByHopHeaders.has(name) || named.has(name)
}

function forwardedHeaders(headers: IncomingMessage["headers"]): [string, string][] {
  const isDropped = isHopByHop(headers.connection)
  return Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || isDropped(name) ? [] : [[name, Array.isArray(value) ? value.join(", ") : value]],
  )
}

/** `fetch` has decoded the body, so its original encoding and length no longer apply. */
function returnedHeaders(headers: Headers): string[] {
  const isDecoded = headers.has("content-encoding")
  const isDropped = isHopByHop(headers.get("connection"))
  return [...headers].flatMap(([name, value]) => {
    const isKept = name === "content-length" ? !isDecoded : name !== "content-encoding" && !isDropped(name)
    return isKept ? [name, value] : []
  })
}

interface Refusal {
  readonly code: string
  readonly message: string
}

/** The error for the script when the provider sent no response. Only our own error messages are passed on. */
function toRefusal(handle: ConnectionHandle, error: unknown): [status: number, refusal: Refusal] {
  const { provider } = handle
  if (!isHoldpointError(error))
    return [
      502,
      { code: "not_sent", message: `The request to ${provider} failed before a response arrived. Try again later.` },
    ]
  const { code, message } = error
  if (code === "connection_needed" || code === "connection_revoked")
    return [401, { code, message: `${message} Ask for the account again (mcp_connection ${provider}).` }]
  return [code === "unsafe_address" || code === "provider_refused" ? 403 : 502, { code, message }]
}

function refuse(response: ServerResponse, status: number, { code, message }: Refusal): void {
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8", "x-holdpoint-error": code })
  response.end(`${message}\n`)
}
