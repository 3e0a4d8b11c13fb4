// One request that may be answered with a question, as its run sees it: from whom, by which client, and which call it is.

import type { ServerContext } from "@modelcontextprotocol/server"
import type { Asker } from "../../asking/carrier.ts"
import { digestOf } from "../../asking/digest.ts"
import type { Run } from "../../asking/run.ts"
import type { Principal } from "../../core/principal.ts"
import type { Client } from "./client.ts"
import { isModern } from "./client.ts"
import type { Connection, Incoming, Surface } from "./surface.ts"
import { clientOf, principalOf } from "./surface.ts"

export interface McpRequest {
  readonly surface: Surface
  readonly connection: Connection
  readonly context: ServerContext
  readonly client: Client
  readonly incoming: Incoming
  /** Worked out for those calls that ask. */
  identity: CallIdentity | undefined
}

export type McpRun = Run<McpRequest>

export interface CallIdentity {
  readonly id: string
  /** By which the same call is known when it is made again and brings nothing back. The anonymous have none. */
  readonly knownBy: string | undefined
  readonly principal: Principal
  /** False for a call whose id is what it is known by. */
  readonly isReplayed: boolean
}

export function toRequest(connection: Connection, context: ServerContext, incoming: Incoming): McpRequest {
  const { surface } = connection
  return { surface, connection, context, client: clientOf(connection, context), incoming, identity: undefined }
}

export function askerOf({ surface, connection, client }: McpRequest): Asker {
  const { name: server, lifetimeMs } = surface.settings
  const { principal } = connection.caller
  const { name, version } = client
  return {
    ...{ requester: { id: server, name: server }, lifetimeMs },
    ...(principal === undefined ? {} : { caller: principal }),
    ...(name === undefined ? {} : { client: { name, ...(version === undefined ? {} : { version }) } }),
  }
}

export function identityOf(request: McpRequest): CallIdentity {
  request.identity ??= toIdentity(request)
  return request.identity
}

function toIdentity({ surface, connection, client, incoming }: McpRequest): CallIdentity {
  const knownBy = byArguments(connection, incoming)
  const isReplayed = isModern(client) || knownBy === undefined
  const id = incoming.claimed?.id ?? (isReplayed ? surface.runtime.newId() : knownBy)
  return { id, knownBy, principal: principalOf(connection, id), isReplayed }
}

/**
 * A client of 2026-07-28 brings the call's id back as long as it has patience. Others call again with the same arguments,
 * so that what they call is the id. Anonymous callers without a session are never recognised.
 */
function byArguments(connection: Connection, { method, digest }: Incoming): string | undefined {
  const { caller, session, surface } = connection
  if (caller.principal === undefined && session === undefined) return undefined
  const { tenant, issuer, subject } = principalOf(connection, "")
  const { name } = surface.settings
  return digestOf([name, tenant, issuer, subject, caller.clientId, session, method, digest])
}
