// Forgetting calls that nobody came back for, sessions of clients that stay away, and what the authorization server kept
// past its time. Nobody is told: no question hangs on them.

import type { KeptRecord, Records } from "../ports/records.ts"
import type { Storage } from "../ports/storage.ts"

/** How many were removed. What was prolonged after it was looked at stays. */
export async function sweepCalls(
  { calls, clientSessions, artifacts }: Pick<Storage, "calls" | "clientSessions" | "artifacts">,
  now: number,
): Promise<number> {
  return (await sweep(calls, now)) + (await sweep(clientSessions, now)) + (await sweep(artifacts, now))
}

const pageSize = 250

/** Page by page, until one has nothing left that this process could remove. */
async function sweep<R extends KeptRecord>(records: Records<R>, now: number): Promise<number> {
  let removed = 0
  for (;;) {
    const due = await records.list({ dueBefore: now, limit: pageSize })
    const done = await Promise.all(due.map((record) => records.remove(record)))
    const count = done.filter(Boolean).length
    removed += count
    if (count === 0 || due.length < pageSize) return removed
  }
}
