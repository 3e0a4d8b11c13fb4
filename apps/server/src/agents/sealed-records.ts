// Seals and opens the text of records.

import type { Sealer } from "@holdpoint/sdk/sealing"
import type { KeptRecord, RecordKind } from "@holdpoint/sdk/storage"

export interface SealedText<R extends KeptRecord> {
  /** Returns the record with these values sealed in it. Each is stored as JSON. */
  seal(record: R, values: Readonly<Record<string, unknown>>): R
  /** Returns the sealed values of the record: all of them, or those that are named. */
  open(record: R, members?: readonly string[]): Readonly<Record<string, unknown>>
}

export function createSealedText<R extends KeptRecord>(sealer: Sealer, { name }: RecordKind<R>): SealedText<R> {
  const bindingOf = ({ tenant, id }: R) => ({ tenant, owner: name, record: id })
  return {
    seal(record, values) {
      const texts = Object.entries(values).map(([member, value]) => [member, JSON.stringify(value ?? null)] as const)
      return { ...record, sealed: sealer.seal(bindingOf(record), Object.fromEntries(texts)) }
    },
    open(record, members) {
      const { sealed } = record
      if (sealed === undefined) return {}
      const fields = Object.entries(sealed.fields).filter(([member]) => members?.includes(member) ?? true)
      const texts = sealer.open(bindingOf(record), { ...sealed, fields: Object.fromEntries(fields) })
      return Object.fromEntries(Object.entries(texts).map(([member, text]) => [member, JSON.parse(text)]))
    },
  }
}
