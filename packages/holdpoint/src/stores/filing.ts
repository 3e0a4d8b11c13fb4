// How each kind of record is filed: under whom it is found, and when it is due. One table, for every engine.

import type { Connection } from "../core/connection.ts"
import { ownerKey, toOwner } from "../core/connection.ts"
import type { DataKey, Flow, Revocation, Session, SignIn } from "../ports/accounts.ts"
import type { Artifact, Call, ClientSession } from "../ports/calls.ts"
import type { Preference } from "../ports/preferences.ts"
import type { Filing } from "../ports/records.ts"

export const filings = {
  connections: { owner: ({ owner }: Connection) => ownerKey(owner), dueAt: () => undefined },
  flows: { owner: ({ elicitation }: Flow) => elicitation, dueAt: ({ dueAt }: Flow) => dueAt },
  signIns: { owner: () => "", dueAt: ({ expiresAt }: SignIn) => expiresAt },
  sessions: {
    owner: ({ principal }: Session) => ownerKey(toOwner(principal)),
    dueAt: ({ expiresAt }: Session) => expiresAt,
  },
  dataKeys: { owner: ({ purpose }: DataKey) => purpose, dueAt: () => undefined },
  revocations: { owner: ({ owner }: Revocation) => ownerKey(owner), dueAt: ({ dueAt }: Revocation) => dueAt },
  calls: { owner: ({ owner }: Call) => owner, dueAt: ({ expiresAt }: Call) => expiresAt },
  clientSessions: { owner: () => "", dueAt: ({ expiresAt }: ClientSession) => expiresAt },
  preferences: { owner: ({ principal }: Preference) => ownerKey(toOwner(principal)), dueAt: () => undefined },
  artifacts: { owner: ({ group }: Artifact) => group, dueAt: ({ expiresAt }: Artifact) => expiresAt },
} satisfies Record<string, Filing<never>>
