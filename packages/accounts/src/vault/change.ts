// Changes a connection: loads it, judges the event, and stores the result by compare-and-set, again after a lost race.
// The trail entry that notifies all nodes is written in the same step.

import type { ErrorCode, PrincipalId } from "@holdpoint/hub"
import type { Connection, ConnectionEvent, EntryKind } from "@holdpoint/hub/internal"
import { change as changeRecord, sealBindings, transitionConnection } from "@holdpoint/hub/internal"
import type { NewEntry } from "@holdpoint/hub/storage"
import type { SecretFields } from "./kind.ts"
import type { VaultParts } from "./parts.ts"
import { connectionKind } from "./records.ts"

export type ConnectionEntryKind = Extract<
  EntryKind,
  "connected" | "narrowed" | "refreshed" | "reauth_needed" | "disconnected"
>

export type ChangeResult =
  | { readonly ok: true; readonly changed: boolean; readonly connection: Connection }
  | {
      readonly ok: false
      readonly code: ErrorCode
      readonly message: string
      /** The stored connection; undefined when there is none. */
      readonly connection: Connection | undefined
    }

export interface ChangeOptions {
  /** The kind of trail entry to write, or how to choose it from the connection before the change. Undefined: none. */
  readonly entryKind?: ConnectionEntryKind | ((current: Connection) => ConnectionEntryKind | undefined)
  readonly by?: PrincipalId
}

type ChangeParts = Pick<VaultParts, "storage" | "tools">

/** Changes a connection by the event that `eventFor` computes from its stored state. Undefined leaves it unchanged. */
export async function change(
  parts: ChangeParts,
  id: string,
  eventFor: (current: Connection) => ConnectionEvent | undefined,
  options: ChangeOptions = {},
): Promise<ChangeResult> {
  const gone: ChangeResult = { ok: false, ...connectionGone, connection: undefined }
  let unchanged: ChangeResult | undefined
  const now = parts.tools.runtime.now()
  const changed = await changeRecord(
    parts.storage.records(connectionKind),
    id,
    (connection) => {
      const event = eventFor(connection)
      const judgement = event === undefined ? undefined : transitionConnection(connection, event, now)
      unchanged = undefined
      if (judgement?.ok === true) return judgement.next
      unchanged = judgement === undefined ? { ok: true, changed: false, connection } : { ...judgement, connection }
      return undefined
    },
    (next, current) => {
      const kind = typeof options.entryKind === "function" ? options.entryKind(current) : options.entryKind
      return kind === undefined ? undefined : toEntry(kind, next, now, options.by)
    },
  )
  return changed === undefined ? (unchanged ?? gone) : { ok: true, changed: true, connection: changed }
}

const connectionGone = { code: "connection_revoked", message: "This connection no longer exists." } as const

function toEntry(kind: ConnectionEntryKind, connection: Connection, now: number, by?: PrincipalId): NewEntry {
  const { provider, owner, version, account, scopes, reason } = connection
  return {
    id: connection.id,
    tenant: connection.tenant,
    kind,
    at: now,
    detail: {
      ...(by === undefined ? {} : { by }),
      ...(reason === undefined ? {} : { code: reason.code }),
      connection: { provider, owner, version, scopes, ...(account === undefined ? {} : { account }) },
    },
  }
}

/** The connection's secrets, unsealed. Undefined when they were deleted. */
export function openFields(parts: Pick<VaultParts, "sealer">, connection: Connection): SecretFields | undefined {
  return connection.sealed === undefined
    ? undefined
    : parts.sealer.open(sealBindings.connection(connection), connection.sealed)
}
