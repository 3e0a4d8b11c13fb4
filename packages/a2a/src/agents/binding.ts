// A binding of A2A: reads the requests and writes the responses of one transport. A binding calls only the SDK's
// request handler. The agent and the caller are determined before the binding gets the request.

import type { A2ARequestHandler, ServerCallContext } from "@a2a-js/sdk/server"

export interface A2aBinding {
  /** The interfaces of this binding in the agent card. */
  readonly interfaces: readonly BoundInterface[]
  /** Answers the request. Undefined when the request belongs to another binding. */
  fetch(call: A2aCall): Promise<Response | undefined>
}

export interface BoundInterface {
  /** The name in the card: `JSONRPC` or `HTTP+JSON`. */
  readonly protocolBinding: string
  readonly protocolVersion: string
}

/** One request of an authenticated caller to one agent. */
export interface A2aCall {
  readonly request: Request
  /** The path below the agent's address: empty, or beginning with a slash. */
  readonly path: string
  /** `A2A-Version` as the client sent it, in the header or the query. Undefined means 0.3. */
  readonly version: string | undefined
  readonly handler: A2ARequestHandler
  /** The body as text. Undefined when the body is too large. May be called several times. */
  readonly text: () => Promise<string | undefined>
  /** A context for the handler, with the caller and the extensions that the client requested. */
  readonly context: () => ServerCallContext
  /**
   * Sends server-sent events. Each text is one complete event. Ends the generator when the client disconnects.
   */
  readonly stream: (events: AsyncGenerator<string>, headers?: Readonly<Record<string, string>>) => Response
}
