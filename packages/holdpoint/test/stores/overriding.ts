// A storage in which the records of one kind behave differently: slower, broken, counted. The rest passes through.

import type { KeptRecord, RecordKind, Records } from "../../src/ports/records.ts"
import type { Storage } from "../../src/ports/storage.ts"

export function overriding<R extends KeptRecord>(
  storage: Storage,
  kind: RecordKind<R>,
  change: (records: Records<R>) => Partial<Records<R>>,
): Storage {
  const records = storage.records(kind)
  const changed: unknown = { ...records, ...change(records) }
  return {
    ...storage,
    records: <T extends KeptRecord>(asked: RecordKind<T>) =>
      (asked.name === kind.name ? changed : storage.records(asked)) as Records<T>,
  }
}
