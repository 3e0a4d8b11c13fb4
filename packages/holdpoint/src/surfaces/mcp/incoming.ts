// Requests that may be answered with a question: what is called, and whether the state they bring along is theirs.

import type { Principal } from "../../core/principal.ts"
import { isObject, memberOf } from "./client.ts"
import type { CallFacts } from "./state.ts"
import { digestOf, keyOf, openState } from "./state.ts"
import type { Connection, Incoming } from "./surface.ts"
import { principalOf } from "./surface.ts"
import { askingMethods } from "./wire.ts"

/** Undefined for requests that cannot be answered with a question. */
export function readIncoming(message: unknown): Incoming | undefined {
  const method = memberOf(message, "method")
  const params = memberOf(message, "params")
  if (typeof method !== "string" || !askingMethods.has(method) || !isObject(params)) return undefined
  const { name, uri, arguments: given } = params
  const named = typeof name === "string" ? name : typeof uri === "string" ? uri : ""
  return { method, name: named, digest: digestOf([method, named, given ?? {}]) }
}

export function factsOf(connection: Connection, incoming: Incoming, principal: Principal): CallFacts {
  const { caller } = connection
  const { method, digest } = incoming
  const isKnown = caller.principal !== undefined
  return { principal: isKnown ? keyOf(principal) : "anonymous", client: caller.clientId, method, digest }
}

/** The call that a state belongs to, claimed for this request. Undefined when it must be refused. */
export async function claimed(
  connection: Connection,
  incoming: Incoming,
  requestState: unknown,
): Promise<Incoming | undefined> {
  const { surface } = connection
  const facts = factsOf(connection, incoming, principalOf(connection, ""))
  const state = openState(surface.tokens, requestState, facts, surface.runtime.now())
  if (state === undefined) return undefined
  const call = await surface.calls.claim(state.call, state.round, principalOf(connection, state.call))
  return call === undefined ? undefined : { ...incoming, claimed: call }
}
