// A cache of unsealed credentials, so that a call with a fresh token reads no database. Every change notification for a
// connection drops the cached entry, and any read that was in progress.

import type { Connection } from "../core/connection.ts"
import { HoldpointError } from "../core/error.ts"
import type { Provider } from "../core/provider.ts"
import { openFields } from "./change.ts"
import type { ConnectionCache } from "./connection-cache.ts"
import type { ConnectionChanges } from "./connection-changes.ts"
import { connectionLost } from "./connection-errors.ts"
import type { SecretFields } from "./kind.ts"
import type { VaultParts } from "./parts.ts"
import { providerOf } from "./parts.ts"
import { connectionKind } from "./records.ts"

export interface OpenedConnection {
  readonly connection: Connection
  readonly fields: SecretFields
  /** The headers that carry the credentials in a call. */
  readonly headers: readonly (readonly [string, string])[]
  /** Counts replacements of the credentials, unlike the record's version. */
  readonly generation: number
  readonly refreshAt: number
  /** The credentials may be used until then. */
  readonly goodUntil: number
  readonly readAt: number
}

export interface OpenedConnections {
  /** The cached entry; undefined when it has to be read. */
  known(id: string): OpenedConnection | undefined
  /** Reads the stored connection. Throws when it cannot be used. */
  read(id: string): Promise<OpenedConnection>
  /** Caches what this node has just written, unless a newer version was announced. */
  put(connection: Connection): OpenedConnection | undefined
  /** This version exists, so no older one may be used. */
  seen(id: string, version: number): void
  /** Drops the credentials, and the connection from those that a need is answered with. */
  forget(id: string): void
}

const mostOpened = 2_000
const mostHeard = 20_000
const mostReads = 10

export function createOpenedConnections(
  parts: VaultParts,
  changes: ConnectionChanges,
  connectionCache: Pick<ConnectionCache, "forget">,
): OpenedConnections {
  const { runtime } = parts.tools
  const { trustMs } = parts.pace
  const seed = runtime.newId()
  const opened = new Map<string, OpenedConnection>()
  const heard = new Map<string, number>()

  const seen = (id: string, version: number): void => {
    remember(heard, id, Math.max(version, heard.get(id) ?? 0), mostHeard)
    const known = opened.get(id)
    if (known !== undefined && known.connection.version < version) opened.delete(id)
  }
  changes.listen(({ id, facts }) => seen(id, facts.version))

  const forget = (id: string): void => {
    opened.delete(id)
    connectionCache.forget(id)
  }

  const put = (connection: Connection): OpenedConnection | undefined => {
    if (connection.version < (heard.get(connection.id) ?? 0)) return undefined
    const made = open(parts, connection, seed)
    remember(opened, connection.id, made, mostOpened)
    return made
  }

  return {
    known(id) {
      const found = opened.get(id)
      if (found === undefined) return undefined
      const age = runtime.now() - found.readAt
      return age >= 0 && age < trustMs ? found : undefined
    },
    async read(id) {
      for (let attempt = 0; attempt < mostReads; attempt++) {
        const connection = await parts.storage.records(connectionKind).get(id)
        if (connection?.status !== "active") {
          forget(id)
          throw connectionLost(parts, connection)
        }
        const made = put(connection)
        if (made !== undefined) return made
      }
      throw new HoldpointError(
        "store_unavailable",
        "The database returned an older version than it announced before. Try again later.",
      )
    },
    put,
    seen,
    forget,
  }
}

function open(parts: VaultParts, connection: Connection, seed: string): OpenedConnection {
  const fields = openFields(parts, connection)
  if (fields === undefined || connection.sealed === undefined)
    throw new HoldpointError(
      "sealed_unreadable",
      "This connection has no credentials. Disconnect it, and connect again.",
    )
  const provider = providerOf(parts, connection.provider)
  const isDelicate = provider.kind === "oauth" && provider.quirks?.neverPresentExpired === true
  const { aheadMs } = parts.pace
  return {
    connection,
    fields,
    headers: Object.entries(parts.kindOf(provider).authorize(provider, fields)),
    generation: connection.sealed.generation,
    refreshAt: Math.min(
      refreshTimeOf(connection, `${seed} ${connection.id}`, aheadMs),
      rotationTimeOf(provider, connection),
    ),
    goodUntil: (connection.expiresAt ?? Number.POSITIVE_INFINITY) - (isDelicate ? aheadMs : 0),
    readAt: parts.tools.runtime.now(),
  }
}

/**
 * When to refresh: a tenth to a fifth of the lifetime before expiry, at least `aheadMs`, but never before half of the
 * lifetime has passed, so that very short-lived tokens are still used. The seed spreads nodes and connections.
 */
export function refreshTimeOf(
  { issuedAt, expiresAt }: Pick<Connection, "issuedAt" | "expiresAt">,
  seed: string,
  aheadMs: number,
): number {
  if (expiresAt === undefined) return Number.POSITIVE_INFINITY
  const life = Math.max(0, expiresAt - issuedAt)
  const share = 0.1 + 0.1 * fractionOf(seed)
  return expiresAt - Math.min(Math.max(aheadMs, life * share), life / 2)
}

/** When to replace credentials that never expire, where the provider can rotate them. */
function rotationTimeOf(provider: Provider, { issuedAt }: Connection): number {
  if (provider.kind !== "login_flow" || provider.rotateAfterMs === undefined) return Number.POSITIVE_INFINITY
  return issuedAt + provider.rotateAfterMs
}

/** FNV-1a: maps a text to a fixed number in [0, 1). */
function fractionOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return (hash >>> 0) / 2 ** 32
}

/** Removes the oldest entry when the map is full. */
function remember<V>(map: Map<string, V>, id: string, value: V, most: number): void {
  map.delete(id)
  map.set(id, value)
  if (map.size <= most) return
  const [oldest] = map.keys()
  if (oldest !== undefined) map.delete(oldest)
}
