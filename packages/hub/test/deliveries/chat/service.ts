// A chat service with a small API like Slack's: posts, finds and changes messages, and sends signed clicks to the
// server of the buttons.

import { createHmac } from "node:crypto"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { json } from "node:stream/consumers"

export interface ChatMessage {
  readonly channel: string
  readonly ts: string
  text: string
  buttons: readonly string[]
  readonly metadata: Readonly<Record<string, string>>
}

export interface ChatService {
  readonly url: string
  readonly messages: readonly ChatMessage[]
  /** The messages that can be answered now. */
  open(): readonly ChatMessage[]
  /** Presses a button of a message. Returns the response of the server of the buttons. */
  click(to: string, message: ChatMessage, click: { readonly user: string; readonly button: string }): Promise<string>
  close(): Promise<void>
}

export const chatToken = "xoxb-not-a-secret"
export const signingSecret = "signing-secret-of-tests"

export const signatureOf = (body: string): string => createHmac("sha256", signingSecret).update(body).digest("hex")

interface ApiCall {
  readonly channel: string
  readonly ts?: string
  readonly text?: string
  readonly buttons?: readonly string[]
  readonly metadata?: Readonly<Record<string, string>>
}

/** Starts the service. `members` are the people who can receive messages. */
export async function startChatService(members: readonly string[]): Promise<ChatService> {
  const messages: ChatMessage[] = []
  let posted = 0
  const methods: Readonly<Record<string, (call: ApiCall) => unknown>> = {
    "chat.postMessage": ({ channel, text = "", buttons = [], metadata = {} }) => {
      if (!members.includes(channel)) return { ok: false, error: "channel_not_found" }
      posted += 1
      const message = { channel, ts: `${1_700_000_000 + posted}.000100`, text, buttons, metadata }
      messages.push(message)
      return { ok: true, channel, ts: message.ts }
    },
    "conversations.history": ({ channel }) => ({
      ok: true,
      messages: messages.filter((message) => message.channel === channel),
    }),
    "chat.update": ({ channel, ts, text = "", buttons = [] }) => {
      const message = messages.find((one) => one.channel === channel && one.ts === ts)
      if (message === undefined) return { ok: false, error: "message_not_found" }
      Object.assign(message, { text, buttons })
      return { ok: true }
    },
  }
  const server = createServer(async (request, response) => {
    const call = (await json(request)) as ApiCall
    const method = methods[request.url?.replace("/api/", "") ?? ""]
    const isOurs = request.headers.authorization === `Bearer ${chatToken}`
    response.setHeader("content-type", "application/json")
    response.end(JSON.stringify(isOurs && method !== undefined ? method(call) : { ok: false, error: "invalid_auth" }))
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/`,
    messages,
    open: () => messages.filter(({ buttons }) => buttons.length > 0),
    async click(to, message, { user, button }) {
      const body = JSON.stringify({ user, button, metadata: message.metadata })
      const response = await fetch(to, { method: "POST", body, headers: { "x-signature": signatureOf(body) } })
      return response.text()
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, "close")
    },
  }
}
