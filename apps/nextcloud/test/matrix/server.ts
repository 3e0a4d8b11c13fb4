// A stand-in whose responses a test can corrupt.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { buffer } from "node:stream/consumers"
import { createStandIn, type RunningStandIn } from "@holdpoint/nextcloud-stand-in"
import { noteCanary } from "@holdpoint/testkit/canaries/note"

export interface SpoiledAnswer {
  readonly type: string
  readonly text: string
}

export interface Servant extends RunningStandIn {
  /** Corrupts each response that has a text body. Undefined: responses stay unchanged. */
  spoil: ((answer: SpoiledAnswer) => SpoiledAnswer) | undefined
}

export async function startServant(): Promise<Servant> {
  const standIn = createStandIn({ onSecret: ({ kind, value }) => noteCanary(kind, value) })
  const server = createServer((request, response) => {
    if (servant.spoil === undefined) return standIn.listener(request, response)
    passOn(standIn.fetch, servant.spoil, request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const servant: Servant = {
    ...standIn,
    spoil: undefined,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return servant
}

async function passOn(
  answer: (request: Request) => Promise<Response>,
  spoil: (answer: SpoiledAnswer) => SpoiledAnswer,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = "GET", headers, url } = request
  const body = await buffer(request)
  const sent = new Request(`http://${headers.host}${url}`, {
    method,
    headers: headers as Record<string, string>,
    ...(body.length === 0 ? {} : { body: new Uint8Array(body) }),
  })
  const reply = await answer(sent)
  const text = await reply.text()
  const before = { type: reply.headers.get("content-type") ?? "", text }
  const after = text === "" ? before : spoil(before)
  const replyHeaders = [...reply.headers].filter(([name]) => name !== "content-length" && name !== "content-type")
  response.writeHead(reply.status, { ...Object.fromEntries(replyHeaders), "content-type": after.type })
  response.end(after.text)
}
