// What an author's code sends a client of an older revision with the SDK itself, while each request has a server of its own:
// the answers to its requests (sampling, roots) are led back to the server that asked, within this process.

import type { JSONRPCMessage, RequestId, TransportSendOptions } from "@modelcontextprotocol/server"
import { memberOf } from "./client.ts"

export interface Relay {
  /** For as long as the request is served, which ends with what is given back. */
  join(transport: Wire, session: string, requestId: RequestId | undefined): () => void
  /** A client's response to such a request. False when it is not one. */
  receive(session: string | undefined, message: unknown): boolean
}

interface Wire {
  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void>
  onmessage?: (message: JSONRPCMessage) => void
}

export function createRelay(newId: () => string): Relay {
  const asked = new Map<string, { readonly transport: Wire; readonly id: RequestId }>()

  const join: Relay["join"] = (transport, session, requestId) => {
    const { send } = transport
    let served = requestId
    /** Servers count from 0, each for itself: on the wire their requests need ids that no other has. */
    let named: Map<RequestId, string> | undefined
    const onWire = (message: JSONRPCMessage): JSONRPCMessage => {
      if (isNumbered(message)) {
        const id = `sdk_${newId()}`
        named ??= new Map()
        named.set(message.id, id)
        asked.set(`${session} ${id}`, { transport, id: message.id })
        return { ...message, id }
      }
      const params = memberOf(message, "params")
      const isCancelled = memberOf(message, "method") === "notifications/cancelled"
      const requestId = isCancelled ? named?.get(memberOf(params, "requestId") as RequestId) : undefined
      return requestId === undefined
        ? message
        : ({ ...message, params: { ...(params as object), requestId } } as JSONRPCMessage)
    }
    transport.send = async (message, options) => {
      if (!("method" in message)) {
        if (memberOf(message, "id") === served) served = undefined
        return send.call(transport, message, options)
      }
      // There is no other stream here: what names no request goes with the one that is being served.
      const relatedRequestId = options?.relatedRequestId ?? served
      const sendOptions = relatedRequestId === undefined ? options : { ...options, relatedRequestId }
      return send.call(transport, onWire(message), sendOptions)
    }
    return () => {
      for (const id of named?.values() ?? []) asked.delete(`${session} ${id}`)
    }
  }

  return {
    join,
    receive(session, message) {
      const name = `${session} ${memberOf(message, "id")}`
      const request = memberOf(message, "method") === undefined ? asked.get(name) : undefined
      if (request === undefined) return false
      asked.delete(name)
      request.transport.onmessage?.({ ...(message as JSONRPCMessage), id: request.id } as JSONRPCMessage)
      return true
    },
  }
}

/** Requests of the SDK have numbers; those of ours have names already. */
function isNumbered(message: JSONRPCMessage): message is JSONRPCMessage & { readonly id: number } {
  return "method" in message && typeof memberOf(message, "id") === "number"
}
