// A binding of A2A: how requests and responses of one transport are written. It knows the SDK's request handler and
// nothing of runs. Which agent, and who calls, is known before a binding is asked.

import type { A2ARequestHandler, ServerCallContext } from "@a2a-js/sdk/server"

export interface A2aBinding {
  /** What the agent card says of it. */
  readonly interfaces: readonly BoundInterface[]
  /** Undefined when the request is not one of this binding. */
  fetch(call: A2aCall): Promise<Response | undefined>
}

export interface BoundInterface {
  /** As in the card: `JSONRPC`, `HTTP+JSON`. */
  readonly protocolBinding: string
  readonly protocolVersion: string
}

/** One request to one agent, of a known caller. */
export interface A2aCall {
  readonly request: Request
  /** The path below the agent's address: empty, or beginning with a slash. */
  readonly path: string
  /** `A2A-Version` as the client sent it, in the header or the query. Undefined means 0.3. */
  readonly version: string | undefined
  readonly handler: A2ARequestHandler
  /** The body as text. Undefined when it is larger than what is read. May be called again. */
  readonly text: () => Promise<string | undefined>
  /** A context for the handler, with the caller and the extensions that the client requested. */
  readonly context: () => ServerCallContext
  /**
   * Sends server-sent events: each text is one event as written on the wire. Ends the generator when the client leaves.
   */
  readonly stream: (events: AsyncGenerator<string>, headers?: Readonly<Record<string, string>>) => Response
}
