// A proxy in front of an authorization server that spoils refreshes, one after the other as told, and lets everything
// else pass.

import type { IncomingMessage, ServerResponse } from "node:http"
import { createServer, request as httpRequest } from "node:http"
import type { AddressInfo } from "node:net"
import { buffer } from "node:stream/consumers"

interface Answer {
  readonly status: number
  readonly headers: IncomingMessage["headers"]
  readonly body: Buffer
}

/** `forward` lets the server act on the request; what it said is then up to the fault. */
export type Fault = (response: ServerResponse, forward: () => Promise<Answer>) => Promise<void> | void

export interface FaultProxy {
  readonly url: string
  /** For the next refreshes, in this order. */
  readonly faults: Fault[]
  /** While set, metadata documents name this issuer. */
  issuer: string | undefined
  /** The refresh tokens that were presented, and whether the server was shown them. */
  readonly refreshes: { readonly token: string; reached: boolean }[]
  /** Resolves as soon as so many refreshes have been asked for. */
  asked(count: number): Promise<void>
  lead(to: string): void
  close(): Promise<void>
}

export async function startFaultProxy(): Promise<FaultProxy> {
  let target = ""
  const waiting: { readonly count: number; readonly resolve: () => void }[] = []
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))

  const proxy: FaultProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults: [],
    issuer: undefined,
    refreshes: [],
    asked: (count) =>
      proxy.refreshes.length >= count
        ? Promise.resolve()
        : new Promise((resolve) => void waiting.push({ count, resolve })),
    lead(to) {
      target = to
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request)
    const forward = (): Promise<Answer> => pass(target, request, body)
    const form = request.url === "/token" ? new URLSearchParams(body.toString()) : undefined
    if (form?.get("grant_type") !== "refresh_token") return give(response, rename(await forward(), proxy.issuer))
    const noted = { token: form.get("refresh_token") ?? "", reached: false }
    proxy.refreshes.push(noted)
    for (const one of waiting) if (proxy.refreshes.length >= one.count) one.resolve()
    const fault = proxy.faults.shift() ?? pristine
    await fault(response, () => {
      noted.reached = true
      return forward()
    })
  }
  return proxy
}

const pristine: Fault = async (response, forward) => give(response, await forward())

function give(response: ServerResponse, { status, headers, body }: Answer): void {
  const { "content-length": _length, "transfer-encoding": _encoding, connection: _connection, ...rest } = headers
  response.writeHead(status, rest).end(body)
}

function rename(answer: Answer, issuer: string | undefined): Answer {
  if (issuer === undefined || !String(answer.headers["content-type"]).includes("json")) return answer
  return { ...answer, body: Buffer.from(JSON.stringify({ ...JSON.parse(answer.body.toString()), issuer })) }
}

/** The Host header goes on as it came: the server makes its addresses of it. */
function pass(target: string, { method, url, headers }: IncomingMessage, body: Buffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = httpRequest(new URL(url ?? "/", target), { method, headers, agent: false }, async (answer) => {
      resolve({ status: answer.statusCode ?? 500, headers: answer.headers, body: await buffer(answer) })
    })
    asked.on("error", reject)
    asked.end(body)
  })
}

const text = (status: number, type: string, body: string, headers: Record<string, string> = {}): Fault => {
  return (response) => void response.writeHead(status, { "content-type": type, ...headers }).end(body)
}

/** Nothing of these reaches the server. */
export const before = {
  hang: (() => {}) as Fault,
  reset: ((response) => void response.destroy()) as Fault,
  status: (status: number, headers?: Record<string, string>): Fault => text(status, "text/plain", "no", headers),
  page: text(200, "text/html", "<html><body>Welcome to our maintenance window</body></html>"),
  truncated: text(200, "application/json", '{"access_token":"abc","token_ty'),
  huge: text(200, "application/json", JSON.stringify({ access_token: "a".repeat(200_000), token_type: "Bearer" })),
  redirect: (to: string): Fault => text(307, "text/plain", "", { location: to }),
}

/** The server has acted; its answer is lost or changed on the way. */
export const after = {
  hang: (async (_response, forward) => void (await forward())) as Fault,
  reset: (async (response, forward) => {
    await forward()
    response.destroy()
  }) as Fault,
  brokenOff: (async (response, forward) => {
    const { body } = await forward()
    response.writeHead(200, { "content-type": "application/json", "content-length": body.length })
    response.write(body.subarray(0, 20), () => response.destroy())
  }) as Fault,
  truncated: (async (response, forward) => {
    const { body } = await forward()
    response.writeHead(200, { "content-type": "application/json" }).end(body.subarray(0, -9))
  }) as Fault,
  /** Members that are undefined are left out. */
  edit: (change: Readonly<Record<string, unknown>>): Fault => {
    return async (response, forward) => {
      const answer = await forward()
      give(response, {
        ...answer,
        body: Buffer.from(JSON.stringify({ ...JSON.parse(answer.body.toString()), ...change })),
      })
    }
  },
}
