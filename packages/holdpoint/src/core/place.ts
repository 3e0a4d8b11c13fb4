// Where the secrets of each kind of record belong. Whoever seals, opens or rewraps them names the same place, or they do
// not open. A change here makes what is stored unreadable.

import type { Owner } from "./connection.ts"
import { ownerKey } from "./connection.ts"
import type { Place } from "./sealed.ts"

interface Kept {
  readonly id: string
  readonly tenant: string
}
type Owned = Kept & { readonly owner: Owner }

/** No two kinds share a place, although a revocation has the id of its connection. */
export const places = {
  connections: ({ tenant, owner, id }: Owned): Place => ({ tenant, owner: ownerKey(owner), record: id }),
  flows: ({ tenant, elicitation, id }: Kept & { readonly elicitation: string }): Place => ({
    tenant,
    owner: elicitation,
    record: id,
  }),
  signIns: ({ tenant, id }: Kept): Place => ({ tenant, owner: "sign-in", record: id }),
  dataKeys: ({ tenant, purpose, id }: Kept & { readonly purpose: string }): Place => ({
    tenant,
    owner: purpose,
    record: id,
  }),
  revocations: ({ tenant, owner, id }: Owned): Place => ({
    tenant,
    owner: ownerKey(owner),
    record: `revocation ${id}`,
  }),
  calls: ({ tenant, owner, id }: Kept & { readonly owner: string }): Place => ({ tenant, owner, record: `call ${id}` }),
  artifacts: ({ tenant, kind, id }: Kept & { readonly kind: string }): Place => ({
    tenant,
    owner: `artifact ${kind}`,
    record: id,
  }),
}
