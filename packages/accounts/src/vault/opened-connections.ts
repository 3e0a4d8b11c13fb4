// A cache of unsealed credentials, so that a call with a fresh token reads no database. A change notification for a
// connection drops its older cached version, and makes a read in progress start again.

import { HoldpointError } from "@holdpoint/hub"
import type { Connection, Provider } from "@holdpoint/hub/internal"
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
  /** When the credentials expire, less a margin for providers that must never get an expired one. */
  readonly usableUntil: number
  readonly readAt: number
}

export interface OpenedConnections {
  /** The cached credentials; undefined when there are none, or they are too old and have to be read again. */
  getCached(id: string): OpenedConnection | undefined
  /** Reads the stored connection, opens its credentials and caches them. Throws when the connection is not active. */
  read(id: string): Promise<OpenedConnection>
  /** Opens and caches the credentials of this connection. Undefined, and not cached, if a newer version is known. */
  cache(connection: Connection): OpenedConnection | undefined
  /** Records that this version exists: from now on, no older one may be used. */
  noteVersion(id: string, version: number): void
  /** Drops the cached credentials, and the connection from the `ConnectionCache`. */
  forget(id: string): void
}

const mostOpened = 2_000
const mostVersions = 20_000
const mostReads = 10

export function createOpenedConnections(
  parts: VaultParts,
  changes: ConnectionChanges,
  connectionCache: Pick<ConnectionCache, "forget">,
): OpenedConnections {
  const { runtime } = parts.tools
  const { trustMs } = parts.vaultTimes
  const seed = runtime.newId()
  const openedById = new Map<string, OpenedConnection>()
  const newestVersions = new Map<string, number>()

  const noteVersion = (id: string, version: number): void => {
    remember(newestVersions, id, Math.max(version, newestVersions.get(id) ?? 0), mostVersions)
    const openedVersion = openedById.get(id)
    if (openedVersion !== undefined && openedVersion.connection.version < version) openedById.delete(id)
  }
  changes.listen(({ id, facts }) => noteVersion(id, facts.version))

  const forget = (id: string): void => {
    openedById.delete(id)
    connectionCache.forget(id)
  }

  const cache = (connection: Connection): OpenedConnection | undefined => {
    if (connection.version < (newestVersions.get(connection.id) ?? 0)) return undefined
    const entry = openConnection(parts, connection, seed)
    remember(openedById, connection.id, entry, mostOpened)
    return entry
  }

  return {
    getCached(id) {
      const entry = openedById.get(id)
      if (entry === undefined) return undefined
      const age = runtime.now() - entry.readAt
      return age >= 0 && age < trustMs ? entry : undefined
    },
    async read(id) {
      for (let attempt = 0; attempt < mostReads; attempt++) {
        const connection = await parts.storage.records(connectionKind).get(id)
        if (connection?.status !== "active") {
          forget(id)
          throw connectionLost(parts, connection)
        }
        const entry = cache(connection)
        if (entry !== undefined) return entry
      }
      throw new HoldpointError(
        "store_unavailable",
        "The database returned an older version than it announced before. Try again later.",
      )
    },
    cache,
    noteVersion,
    forget,
  }
}

function openConnection(parts: VaultParts, connection: Connection, seed: string): OpenedConnection {
  const fields = openFields(parts, connection)
  if (fields === undefined || connection.sealed === undefined)
    throw new HoldpointError(
      "sealed_unreadable",
      "This connection has no credentials. Disconnect it, and connect again.",
    )
  const provider = providerOf(parts, connection.provider)
  const needsMargin = provider.kind === "oauth" && provider.quirks?.neverPresentExpired === true
  const { aheadMs } = parts.vaultTimes
  return {
    connection,
    fields,
    headers: Object.entries(parts.kindOf(provider).authorize(provider, fields)),
    generation: connection.sealed.generation,
    refreshAt: Math.min(
      refreshTimeOf(connection, `${seed} ${connection.id}`, aheadMs),
      rotationTimeOf(provider, connection),
    ),
    usableUntil: (connection.expiresAt ?? Number.POSITIVE_INFINITY) - (needsMargin ? aheadMs : 0),
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
  const lifetimeMs = Math.max(0, expiresAt - issuedAt)
  const share = 0.1 + 0.1 * fractionOf(seed)
  return expiresAt - Math.min(Math.max(aheadMs, lifetimeMs * share), lifetimeMs / 2)
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
function remember<V>(map: Map<string, V>, id: string, value: V, maxSize: number): void {
  map.delete(id)
  map.set(id, value)
  if (map.size <= maxSize) return
  const [oldest] = map.keys()
  if (oldest !== undefined) map.delete(oldest)
}
