// How each kind of record is filed: under whom it is found, and when it is due. One table, for every engine.

import type { Connection } from "../core/connection.ts"
import { ownerKey, toOwner } from "../core/connection.ts"
import type { DataKey, Flow, Revocation, Session, SignIn } from "../ports/accounts.ts"
import type { Artifact, ClientSession } from "../ports/calls.ts"
import type { Preference } from "../ports/preferences.ts"
import type { KeptRecord, RecordKind, Records } from "../ports/records.ts"

const never = (): undefined => undefined
const kind = <R extends KeptRecord>(
  name: string,
  { owner = never, dueAt = never, expiresAt = never }: Partial<RecordKind<R>>,
): RecordKind<R> => ({ name, owner, dueAt, expiresAt })

const kinds = {
  connections: kind<Connection>("connection", { owner: ({ owner }) => ownerKey(owner) }),
  flows: kind<Flow>("flow", { owner: ({ elicitation }) => elicitation, dueAt: ({ dueAt }) => dueAt }),
  signIns: kind<SignIn>("sign_in", { expiresAt: ({ expiresAt }) => expiresAt }),
  sessions: kind<Session>("session", {
    owner: ({ principal }) => ownerKey(toOwner(principal)),
    dueAt: ({ expiresAt }) => expiresAt,
  }),
  dataKeys: kind<DataKey>("data_key", { owner: ({ purpose }) => purpose }),
  revocations: kind<Revocation>("revocation", { dueAt: ({ dueAt }) => dueAt }),
  clientSessions: kind<ClientSession>("client_session", { expiresAt: ({ expiresAt }) => expiresAt }),
  preferences: kind<Preference>("preference", { owner: ({ principal }) => ownerKey(toOwner(principal)) }),
  artifacts: kind<Artifact>("artifact", {
    owner: ({ group }) => (group === "" ? undefined : group),
    expiresAt: ({ expiresAt }) => expiresAt,
  }),
}

type OpenRecords = <R extends KeptRecord>(kind: RecordKind<R>) => Records<R>

export const named = (records: OpenRecords) => ({
  connections: records(kinds.connections),
  flows: records(kinds.flows),
  signIns: records(kinds.signIns),
  sessions: records(kinds.sessions),
  dataKeys: records(kinds.dataKeys),
  revocations: records(kinds.revocations),
  clientSessions: records(kinds.clientSessions),
  artifacts: records(kinds.artifacts),
  preferences: records(kinds.preferences),
})
