// Routes the client's responses to requests that an author's code sends with the SDK itself (sampling, roots) back to
// the server that sent them. Each request has its own server, so this works within one process.

import type { JSONRPCMessage, RequestId, TransportSendOptions } from "@modelcontextprotocol/server"
import { memberOf } from "./client.ts"

export interface ResponseRouter {
  /** Registers the transport of a request while it is served. Returns a function that ends the registration. */
  join(transport: Wire, session: string, requestId: RequestId | undefined): () => void
  /** Handles a client's response. Returns false when it is not a response to a routed request. */
  receive(session: string | undefined, message: unknown): boolean
}

interface Wire {
  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void>
  onmessage?: (message: JSONRPCMessage) => void
}

export function createResponseRouter(newId: () => string): ResponseRouter {
  const sentRequests = new Map<string, { readonly transport: Wire; readonly id: RequestId }>()

  const join: ResponseRouter["join"] = (transport, session, requestId) => {
    const { send } = transport
    let servedRequest = requestId
    /** Each server numbers its requests from 0, so they get unique ids on the wire. */
    let wireIds: Map<RequestId, string> | undefined
    const onWire = (message: JSONRPCMessage): JSONRPCMessage => {
      if (isNumbered(message)) {
        const id = `sdk_${newId()}`
        wireIds ??= new Map()
        wireIds.set(message.id, id)
        sentRequests.set(`${session} ${id}`, { transport, id: message.id })
        return { ...message, id }
      }
      const params = memberOf(message, "params")
      const isCancelled = memberOf(message, "method") === "notifications/cancelled"
      const requestId = isCancelled ? wireIds?.get(memberOf(params, "requestId") as RequestId) : undefined
      return requestId === undefined
        ? message
        : ({ ...message, params: { ...(params as object), requestId } } as JSONRPCMessage)
    }
    transport.send = async (message, options) => {
      if (!("method" in message)) {
        if (memberOf(message, "id") === servedRequest) servedRequest = undefined
        return send.call(transport, message, options)
      }
      // This server has no other stream, so a message that names no request is sent on that of the served request.
      const relatedRequestId = options?.relatedRequestId ?? servedRequest
      const sendOptions = relatedRequestId === undefined ? options : { ...options, relatedRequestId }
      return send.call(transport, onWire(message), sendOptions)
    }
    return () => {
      for (const id of wireIds?.values() ?? []) sentRequests.delete(`${session} ${id}`)
    }
  }

  return {
    join,
    receive(session, message) {
      const name = `${session} ${memberOf(message, "id")}`
      const request = memberOf(message, "method") === undefined ? sentRequests.get(name) : undefined
      if (request === undefined) return false
      sentRequests.delete(name)
      request.transport.onmessage?.({ ...(message as JSONRPCMessage), id: request.id } as JSONRPCMessage)
      return true
    },
  }
}

/** Whether the message is a request of the SDK, whose ids are numbers. This surface's own requests have text ids. */
function isNumbered(message: JSONRPCMessage): message is JSONRPCMessage & { readonly id: number } {
  return "method" in message && typeof memberOf(message, "id") === "number"
}
