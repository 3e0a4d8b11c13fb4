// Which identity the secrets of a record are bound to. Sealing, opening and rewrapping must use the same binding, or
// opening fails. A change in this file makes stored secrets unreadable.

import type { Owner } from "./connection.ts"
import { ownerKey } from "./connection.ts"
import type { SealBinding } from "./sealed.ts"

interface SealedRecord {
  readonly id: string
  readonly tenant: string
}
type OwnedRecord = SealedRecord & { readonly owner: Owner }

/**
 * The bindings of the kinds of record that do not follow the general rule of `sealBindingOf`. No two kinds share a
 * binding.
 */
export const sealBindings = {
  connection: ({ tenant, owner, id }: OwnedRecord): SealBinding => ({ tenant, owner: ownerKey(owner), record: id }),
  flow: ({ tenant, elicitation, id }: SealedRecord & { readonly elicitation: string }): SealBinding => ({
    tenant,
    owner: elicitation,
    record: id,
  }),
  sign_in: ({ tenant, id }: SealedRecord): SealBinding => ({ tenant, owner: "sign-in", record: id }),
  data_key: ({ tenant, purpose, id }: SealedRecord & { readonly purpose: string }): SealBinding => ({
    tenant,
    owner: purpose,
    record: id,
  }),
  revocation: ({ tenant, owner, id }: OwnedRecord): SealBinding => ({
    tenant,
    owner: ownerKey(owner),
    record: `revocation ${id}`,
  }),
  call: ({ tenant, owner, id }: SealedRecord & { readonly owner: string }): SealBinding => ({
    tenant,
    owner,
    record: `call ${id}`,
  }),
  artifact: ({ tenant, kind, id }: SealedRecord & { readonly kind: string }): SealBinding => ({
    tenant,
    owner: `artifact ${kind}`,
    record: id,
  }),
}

/** The binding of a record of any kind, by the kind's name. */
export function sealBindingOf(kind: string, record: SealedRecord): SealBinding {
  const ownBinding = (sealBindings as Readonly<Record<string, ((record: never) => SealBinding) | undefined>>)[kind]
  return ownBinding?.(record as never) ?? { tenant: record.tenant, owner: kind, record: record.id }
}
