// A storage in which the records of one kind behave differently: slower, broken, counted. The rest passes through.

import type { Storage } from "@holdpoint/hub"
import type { KeptRecord, RecordKind, Records } from "@holdpoint/hub/storage"

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
