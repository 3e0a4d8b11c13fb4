// Supplies current credentials for authors' calls: from the cache, refreshed before they expire, or renewed after the
// provider refused the old ones.

import type { Reason } from "@holdpoint/hub"
import { HoldpointError } from "@holdpoint/hub"
import { change } from "./change.ts"
import type { ConnectionCache } from "./connection-cache.ts"
import type { ConnectionChanges } from "./connection-changes.ts"
import { connectionLost } from "./connection-errors.ts"
import type { OpenedConnection } from "./opened-connections.ts"
import { createOpenedConnections } from "./opened-connections.ts"
import type { VaultParts } from "./parts.ts"
import { providerOf } from "./parts.ts"
import type { RefreshResult } from "./refresh.ts"
import { createRefresher } from "./refresh.ts"

export interface Access {
  /** Returns current credentials, refreshed if they are due. Returns them without a promise when they are cached. */
  getFresh(id: string): OpenedConnection | Promise<OpenedConnection>
  /** Returns credentials newer than `refused`, which the provider answered with a 401. Throws when there are none. */
  renew(refused: OpenedConnection): Promise<OpenedConnection>
  /** Marks the connection as lost and throws, unless it has newer credentials. Its owner has to allow access again. */
  endCredentials(refused: OpenedConnection, reason: Reason): Promise<void>
  /** Stores the time of last use, at most once a minute. */
  noteUse(opened: OpenedConnection): void
  /** Records that this version of the connection exists. Cached credentials of an older version are dropped. */
  noteVersion(id: string, version: number): void
  forget(id: string): void
  /** Makes `getFresh` throw: without change notifications, cached credentials could be outdated. */
  close(): void
}

export function createAccess(parts: VaultParts, changes: ConnectionChanges, connectionCache: ConnectionCache): Access {
  const { runtime } = parts.tools
  const openedConnections = createOpenedConnections(parts, changes, connectionCache)
  const refresher = createRefresher(parts, changes)
  const useNotedAt = new Map<string, number>()
  let isClosed = false

  const getFresh = (id: string): OpenedConnection | Promise<OpenedConnection> => {
    if (isClosed) throw new HoldpointError("closed", "The vault was closed.")
    const cached = openedConnections.getCached(id)
    return cached !== undefined && runtime.now() < cached.refreshAt ? cached : refreshAndOpen(id, cached)
  }

  const refreshAndOpen = async (id: string, cached: OpenedConnection | undefined): Promise<OpenedConnection> => {
    const current = cached ?? (await openedConnections.read(id))
    if (runtime.now() < current.refreshAt) return current
    const result = await refresher.refresh(id, current.generation)
    if (result.kind === "fresh") return openedConnections.cache(result.connection) ?? openedConnections.read(id)
    if (result.kind === "lost") throw toLostError(id, result)
    // The old credentials stay in use until they expire, unless the connection was disconnected in the meantime.
    if (runtime.now() < current.usableUntil) return openedConnections.getCached(id) ?? openedConnections.read(id)
    if (result.kind === "unknown") throw toUnavailableError(current, result)
    await endCredentials(current, { code: "expired", message: "It was granted for a limited time, which has ended." })
    return openedConnections.read(id)
  }

  const renew = async (refused: OpenedConnection): Promise<OpenedConnection> => {
    const { id } = refused.connection
    const result = await refresher.refresh(id, refused.generation)
    if (result.kind === "fresh") return openedConnections.cache(result.connection) ?? openedConnections.read(id)
    if (result.kind === "lost") throw toLostError(id, result)
    if (result.kind === "unknown") throw toUnavailableError(refused, result)
    await endCredentials(refused, unauthorized)
    return openedConnections.read(id)
  }

  const endCredentials = async ({ connection, generation }: OpenedConnection, reason: Reason): Promise<void> => {
    const changed = await change(
      parts,
      connection.id,
      ({ status, sealed }) =>
        status === "active" && sealed?.generation === generation ? { type: "lose", reason } : undefined,
      { entryKind: "reauth_needed" },
    )
    openedConnections.forget(connection.id)
    if (changed.connection?.status !== "active") throw connectionLost(parts, changed.connection)
  }

  /** Drops the connection from the caches, because the caller may look for one before the notification arrives. */
  const toLostError = (id: string, { connection }: Extract<RefreshResult, { kind: "lost" }>): HoldpointError => {
    openedConnections.forget(id)
    return connectionLost(parts, connection)
  }

  const toUnavailableError = (
    { connection }: OpenedConnection,
    { reason }: Extract<RefreshResult, { kind: "unknown" }>,
  ) => {
    const { name } = providerOf(parts, connection.provider)
    return new HoldpointError(
      "provider_unavailable",
      `Access to ${name} could not be refreshed (${reason.code}). The connection is kept; try again in a moment.`,
    )
  }

  const noteUse = ({ connection: { id } }: OpenedConnection): void => {
    const now = runtime.now()
    const notedAt = useNotedAt.get(id)
    if (notedAt !== undefined && now >= notedAt && now < notedAt + parts.vaultTimes.useMs) return
    if (useNotedAt.size >= mostNotedUses) useNotedAt.clear()
    useNotedAt.set(id, now)
    parts.background("noting the use of a connection", async () => {
      const isRecent = (lastUsedAt = Number.NEGATIVE_INFINITY) => now < lastUsedAt + parts.vaultTimes.useMs
      await change(parts, id, ({ status, lastUsedAt }) =>
        status !== "active" || isRecent(lastUsedAt) ? undefined : { type: "use" },
      )
    })
  }

  const close = (): void => {
    isClosed = true
  }
  return {
    getFresh,
    renew,
    endCredentials,
    noteUse,
    noteVersion: openedConnections.noteVersion,
    forget: openedConnections.forget,
    close,
  }
}

export const unauthorized: Reason = { code: "unauthorized", message: "The provider rejected the credentials." }

const mostNotedUses = 10_000
