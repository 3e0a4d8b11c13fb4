// An outlet for that chat service, as an author writes it. It posts a message with buttons, finds it by the prompt's
// id, removes its buttons, and answers at the hub when a button is pressed.

import { timingSafeEqual } from "node:crypto"
import { createServer, type Server } from "node:http"
import { text } from "node:stream/consumers"
import type { Hub, Principal } from "../../../src/index.ts"
import type { LastingOutlet } from "../../../src/outlets.ts"
import { chatToken, signatureOf } from "./service.ts"

export interface ChatOptions {
  readonly url: string
  readonly fetch?: typeof globalThis.fetch
}

interface ApiAnswer {
  readonly ok: boolean
  readonly error?: string
  readonly ts?: string
  readonly messages?: readonly { readonly ts: string; readonly metadata: Readonly<Record<string, string>> }[]
}

export function createChatOutlet({ url, fetch = globalThis.fetch }: ChatOptions): LastingOutlet {
  const call = async (method: string, body: object, signal: AbortSignal): Promise<ApiAnswer> => {
    const headers = { authorization: `Bearer ${chatToken}` }
    const response = await fetch(url + method, { method: "POST", headers, body: JSON.stringify(body), signal })
    const answer = (await response.json()) as ApiAnswer
    if (!answer.ok && answer.error !== "channel_not_found") throw new Error(`${method}: ${answer.error}`)
    return answer
  }
  return {
    name: "chat",
    addressKind: "chat",
    async post({ id: question, message }, { id: prompt, address: channel, signal }) {
      const content = { text: message, buttons: ["Allow", "Refuse"], metadata: { prompt, question } }
      const { ts } = await call("chat.postMessage", { channel, ...content }, signal)
      return ts === undefined ? { state: "unable", why: "not a member" } : { state: "shown", receipt: { ts } }
    },
    async find({ id, address: channel, signal }) {
      const { messages = [] } = await call("conversations.history", { channel }, signal)
      const match = messages.find(({ metadata }) => metadata.prompt === id)
      return match === undefined ? undefined : { ts: match.ts }
    },
    async withdraw({ message, status }, { address: channel, receipt, signal }) {
      await call("chat.update", { channel, ts: receipt.ts, text: `${message} (${status})`, buttons: [] }, signal)
    },
  }
}

/** The endpoint for clicks from the service. The service's signature proves who pressed a button. */
export function serveButtons(hub: Hub, personOf: (user: string) => Principal): Server {
  return createServer(async (request, response) => {
    const body = await text(request)
    const [given, expected] = [Buffer.from(String(request.headers["x-signature"])), Buffer.from(signatureOf(body))]
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return void response.end("forged")
    const { user, button, metadata } = JSON.parse(body)
    const action = button === "Allow" ? "accept" : "decline"
    const content = action === "accept" ? { content: { ok: true } } : {}
    const answered = await hub.answer(metadata.question, { by: personOf(user), via: "chat", action, ...content })
    response.end(answered.ok ? "thanks" : answered.refusal.code)
  })
}
