// One request that may be answered with a question: its caller, its client, and the call that it makes.

import type { Asker, Run } from "@holdpoint/calls/internal"
import { digestOf } from "@holdpoint/calls/internal"
import type { Principal } from "@holdpoint/hub"
import { toTrace } from "@holdpoint/hub/internal"
import type { ServerContext } from "@modelcontextprotocol/server"
import type { Client } from "./client.ts"
import { digestOfCall } from "./incoming.ts"
import type { Connection, Incoming, Surface } from "./surface.ts"
import { clientOf, principalOf } from "./surface.ts"

export interface McpRequest {
  readonly surface: Surface
  readonly connection: Connection
  readonly context: ServerContext
  readonly client: Client
  readonly incoming: Incoming
  /** The identity of the call. Computed only for calls that ask. */
  identity: CallIdentity | undefined
}

export type McpRun = Run<McpRequest>

export interface CallIdentity {
  /** The id of the call that the request continues by its request state, or a new id. */
  readonly id: string
  /**
   * The digest by which the same call is recognised when it is made again without a request state. Undefined for
   * anonymous callers without a session.
   */
  readonly repeatDigest: string | undefined
  readonly principal: Principal
}

export function toRequest(connection: Connection, context: ServerContext, incoming: Incoming): McpRequest {
  const { surface } = connection
  return { surface, connection, context, client: clientOf(connection, context), incoming, identity: undefined }
}

export function askerOf({ surface, connection, client, context }: McpRequest): Asker {
  const { requester, lifetimeMs } = surface.settings
  const { principal } = connection.caller
  const { name, version } = client
  const trace = toTrace(context.mcpReq._meta?.traceparent)
  return {
    ...{ requester, lifetimeMs },
    ...(principal === undefined ? {} : { caller: principal }),
    ...(trace === undefined ? {} : { trace }),
    ...(name === undefined ? {} : { client: { name, ...(version === undefined ? {} : { version }) } }),
  }
}

export function identityOf(request: McpRequest): CallIdentity {
  request.identity ??= toIdentity(request)
  return request.identity
}

function toIdentity(request: McpRequest): CallIdentity {
  const { surface, connection, incoming } = request
  const id = incoming.claimed?.id ?? connection.call ?? surface.runtime.newId()
  return { id, repeatDigest: repeatDigestOf(request), principal: principalOf(connection, id) }
}

/**
 * The digest by which a repeated call is recognised: the caller, the program and what is called. The client may have a
 * new session or have restarted. Anonymous callers are recognised within their session, and never without one.
 */
function repeatDigestOf({ surface, connection, client, incoming }: McpRequest): string | undefined {
  const { caller, session } = connection
  if (caller.principal === undefined && session === undefined) return undefined
  const { tenant, issuer, subject } = principalOf(connection, "")
  const clientScope = caller.principal === undefined ? session : client.name
  const { name, instance } = surface.settings
  const identity = [name, ...(instance === "" ? [] : [instance]), tenant, issuer, subject, caller.clientId, clientScope]
  return digestOf([...identity, incoming.method, digestOfCall(incoming)])
}
