// A receiver in Node: it checks each event with the library of Standard Webhooks, and handles each id once.

import { createServer, type Server } from "node:http"
import { Webhook } from "standardwebhooks"

export interface QuestionEvent {
  readonly type: string
  readonly timestamp: string
  readonly data: { readonly id: string; readonly status: string; readonly said?: "yes" | "no" }
}

// #region receiver
export function createReceiver(secret: string, handle: (event: QuestionEvent) => void): Server {
  const webhook = new Webhook(secret)
  // Keep ids for as long as events are tried again: about three days.
  const seen = new Set<string>()
  return createServer(async (request, response) => {
    const body = await new Response(request).text()
    try {
      // Throws for a wrong signature, and for a time that is more than five minutes away.
      const event = webhook.verify(body, request.headers as Record<string, string>) as QuestionEvent
      const id = String(request.headers["webhook-id"])
      if (!seen.has(id)) handle(event)
      seen.add(id)
      response.writeHead(204).end()
    } catch {
      response.writeHead(400).end()
    }
  })
}
// #endregion
