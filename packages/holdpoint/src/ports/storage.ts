// What an engine gives: its parts share one database and are closed together.

import type { Connection } from "../core/connection.ts"
import type { DataKey, Flow, Revocation, Session, SignIn } from "./accounts.ts"
import type { Artifact, ClientSession } from "./calls.ts"
import type { Preference } from "./preferences.ts"
import type { KeptRecord, RecordKind, Records } from "./records.ts"
import type { Retention } from "./retention.ts"
import type { Store } from "./store.ts"
import type { Trail } from "./trail.ts"

export interface Storage {
  readonly store: Store
  readonly trail: Trail
  readonly retention: Retention
  /** The records of one kind. The same ones whenever it is asked; throws `invalid_config` on a second kind of that name. */
  records<R extends KeptRecord>(kind: RecordKind<R>): Records<R>
  readonly connections: Records<Connection>
  readonly flows: Records<Flow>
  readonly signIns: Records<SignIn>
  readonly sessions: Records<Session>
  readonly dataKeys: Records<DataKey>
  readonly revocations: Records<Revocation>
  readonly clientSessions: Records<ClientSession>
  readonly artifacts: Records<Artifact>
  readonly preferences: Records<Preference>
  /** Writes out what is pending and lets go of files and connections. */
  close(): Promise<void>
}
