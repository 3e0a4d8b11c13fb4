// A tiny chat service with an HTTP API, in memory: messages to members, found by a reference, edited, pressed.

import { createHmac } from "node:crypto"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { json } from "node:stream/consumers"

export interface Message {
  readonly id: string
  readonly to: string
  readonly ref: string
  readonly about: string
  text: string
  /** The buttons. Undefined, like `link`, after the message was edited. */
  buttons?: readonly string[] | undefined
  link?: string | undefined
}

/** Starts the service for these members. */
export async function startChat(members: readonly string[], token: string) {
  const messages: Message[] = []
  const server = createServer(async (request, response) => {
    const answer = (status: number, body: object = {}): void =>
      void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
    const url = new URL(request.url ?? "/", "http://chat")
    if (request.headers.authorization !== `Bearer ${token}`) return answer(401)
    if (request.method === "GET") {
      const match = messages.find(({ ref }) => ref === url.searchParams.get("ref"))
      return match === undefined ? answer(404) : answer(200, match)
    }
    const body = (await json(request)) as Omit<Message, "id">
    if (request.method === "PUT") {
      const match = messages.find(({ id }) => url.pathname === `/messages/${id}`)
      if (match === undefined) return answer(404)
      Object.assign(match, { text: body.text, buttons: undefined, link: undefined })
      return answer(200, match)
    }
    if (!members.includes(body.to)) return answer(404)
    const message = { ...body, id: String(messages.length + 1) }
    messages.push(message)
    answer(201, message)
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    messages,
    /** Messages that can be answered. */
    open: () => messages.filter(({ buttons, link }) => buttons !== undefined || link !== undefined),
    /** The request that the service sends when a member presses a button: its body and signature. */
    press(message: Message, user: string, isYes: boolean) {
      const body = JSON.stringify({ user, about: message.about, isYes })
      return { body, signature: createHmac("sha256", token).update(body).digest("hex") }
    },
    async close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
