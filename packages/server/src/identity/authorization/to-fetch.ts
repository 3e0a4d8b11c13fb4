// Adapts a node:http listener to a fetch handler, for oidc-provider, which only knows Node's requests. Bodies are small
// and buffered in both directions.

import { IncomingMessage, ServerResponse } from "node:http"
import { Duplex } from "node:stream"
import { readText } from "@holdpoint/fetching/internal"

export type NodeListener = (request: IncomingMessage, response: ServerResponse) => void

/** The most bytes of a request body: more than any OAuth request needs. */
const mostBytes = 64 * 1_024

/** Converts a listener of node:http to a fetch handler. */
export const toFetch =
  (listener: NodeListener) =>
  async (request: Request): Promise<Response> => {
    const body = await readText(request, mostBytes)
    if (body === undefined) return new Response(null, { status: 413 })
    const incoming = toIncoming(request, body)
    const outgoing = new ServerResponse(incoming)
    return new Promise((resolve) => {
      capture(outgoing, (chunks) => resolve(toResponse(request, outgoing, chunks)))
      listener(incoming, outgoing)
    })
  }

function toIncoming({ url, method, headers }: Request, body: string): IncomingMessage {
  const { host, pathname, search } = new URL(url)
  // A socket without input, whose output is discarded.
  const socket = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() })
  const incoming = new IncomingMessage(socket as ConstructorParameters<typeof IncomingMessage>[0])
  const requestHeaders = { host, ...Object.fromEntries(headers) }
  const version = { httpVersion: "1.1", httpVersionMajor: 1, httpVersionMinor: 1 }
  Object.assign(incoming, { method, url: `${pathname}${search}`, headers: requestHeaders, complete: true, ...version })
  if (body !== "") incoming.push(body)
  incoming.push(null)
  return incoming
}

/** Calls `ended` with the written chunks when the response has ended. */
function capture(outgoing: ServerResponse, ended: (chunks: readonly Buffer[]) => void): void {
  const chunks: Buffer[] = []
  const keep = (chunk: unknown, encoding: unknown): void => {
    if (typeof chunk === "string")
      chunks.push(Buffer.from(chunk, typeof encoding === "string" ? (encoding as BufferEncoding) : "utf8"))
    else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk))
  }
  const { write, end, writeHead } = outgoing
  outgoing.assignSocket(outgoing.req.socket)
  // Headers passed to `writeHead` are not visible to `getHeaders`, so they are set one by one.
  outgoing.writeHead = ((status: number, ...args: readonly unknown[]) => {
    const headers =
      args.find((argument): argument is Record<string, string> => typeof argument === "object" && argument !== null) ??
      {}
    for (const [name, value] of Object.entries(headers)) outgoing.setHeader(name, value)
    return writeHead.call(outgoing, status)
  }) as typeof writeHead
  outgoing.write = ((...args: Parameters<typeof write>) => {
    keep(args[0], args[1])
    return write.apply(outgoing, args)
  }) as typeof write
  outgoing.end = ((...args: Parameters<typeof end>) => {
    keep(args[0], args[1])
    end.apply(outgoing, args)
    ended(chunks)
    return outgoing
  }) as typeof end
}

function toResponse({ method }: Request, outgoing: ServerResponse, chunks: readonly Buffer[]): Response {
  const headers = new Headers()
  for (const [name, value] of Object.entries(outgoing.getHeaders()))
    for (const item of Array.isArray(value) ? value : [value])
      if (item !== undefined) headers.append(name, String(item))
  // Hop-by-hop headers, which belong to the real connection.
  for (const name of ["connection", "keep-alive", "transfer-encoding"]) headers.delete(name)
  const { statusCode: status } = outgoing
  const isEmpty = method === "HEAD" || status === 204 || status === 304
  return new Response(isEmpty ? null : Buffer.concat(chunks), { status, headers })
}
