// Requests that may be answered with a question: what they call, and whether the request state they bring back is valid
// for them.

import { digestOf, personDigestOf } from "@holdpoint/calls/internal"
import type { Principal } from "@holdpoint/hub"
import { isObject } from "@holdpoint/hub/internal"
import { memberOf } from "./client.ts"
import type { CallFacts } from "./state.ts"
import { openState } from "./state.ts"
import type { Connection, Incoming } from "./surface.ts"
import { principalOf } from "./surface.ts"
import { askingMethods } from "./wire.ts"

/**
 * Reads the method of a request, and the name that it calls: for a resource its URI, even if the client adds a name.
 * Undefined for notifications and responses.
 */
export function readCalled(message: unknown): Pick<Incoming, "method" | "name"> | undefined {
  const method = memberOf(message, "method")
  if (typeof method !== "string" || memberOf(message, "id") === undefined) return undefined
  const called = memberOf(memberOf(message, "params"), method.startsWith("resources/") ? "uri" : "name")
  return { method, name: typeof called === "string" ? called : "" }
}

/** Parses a request. Undefined for requests that cannot be answered with a question. */
export function readIncoming(message: unknown): Incoming | undefined {
  const called = readCalled(message)
  const params = memberOf(message, "params")
  if (called === undefined || !askingMethods.has(called.method) || !isObject(params)) return undefined
  return { ...called, input: params.arguments ?? {} }
}

/**
 * The digest of the method, the name and the arguments, equal for equal calls. Computed on demand, because most calls
 * ask nothing.
 */
export function digestOfCall(incoming: Incoming): string {
  incoming.digest ??= digestOf([incoming.method, incoming.name, incoming.input])
  return incoming.digest
}

export function factsOf(connection: Connection, incoming: Incoming, principal: Principal): CallFacts {
  const { caller } = connection
  const [{ method }, digest] = [incoming, digestOfCall(incoming)]
  const hasPrincipal = caller.principal !== undefined
  return { principal: hasPrincipal ? personDigestOf(principal) : "anonymous", client: caller.clientId, method, digest }
}

/** Claims the call of a request state. Returns the request with that call, or undefined when the state is refused. */
export async function claimCall(
  connection: Connection,
  incoming: Incoming,
  requestState: unknown,
): Promise<Incoming | undefined> {
  const { surface } = connection
  const facts = factsOf(connection, incoming, principalOf(connection, ""))
  const state = openState(surface.tokens, requestState, facts, surface.runtime.now())
  if (state === undefined) return undefined
  const caller = principalOf(connection, state.call)
  const isOnly = connection.call !== undefined
  const call = await surface.calls.claim({ ...state, id: state.call, caller, isOnly })
  return call === undefined ? undefined : { ...incoming, claimed: call }
}
