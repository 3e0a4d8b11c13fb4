// Keeps this process up to date: its own steps, and commits of other processes, resume the callers that wait in it.

import type { Elicitation } from "../core/elicitation.ts"
import { isSettled } from "../core/elicitation.ts"
import type { Work } from "../due/work.ts"
import type { Store } from "../ports/store.ts"
import type { Entry } from "../ports/trail.ts"
import type { Alarm } from "./alarm.ts"
import type { Housekeeping } from "./housekeeping.ts"
import type { LiveTable, Withdraw } from "./live-questions.ts"
import { notFound, rejectAll, resolveAll } from "./live-questions.ts"

/** Caches the current state of an elicitation, and resumes its waiters when it is settled. */
export type OnChange = (record: Elicitation) => void

/** Reads the current state of an elicitation from the store, and passes it to `OnChange`. */
export type Reload = (id: string) => void

export function createOnChange({
  live,
  noteRead,
  withdraw,
}: Pick<Housekeeping, "noteRead"> & { readonly live: LiveTable; readonly withdraw: Withdraw }): OnChange {
  return (record) => {
    const entry = live.get(record.id)
    if (entry === undefined || (entry.record !== undefined && entry.record.revision > record.revision)) return
    entry.record = record
    if (!isSettled(record.status)) return
    live.delete(record.id)
    const wasAwaited = resolveAll(entry, record)
    if (wasAwaited && record.content !== undefined) noteRead(record.id)
    withdraw(record, entry)
  }
}

export interface ReloadNeeds extends Pick<Work, "background" | "runLater"> {
  readonly store: Pick<Store, "get">
  readonly live: LiveTable
  readonly onChange: OnChange
}

const retryMs = 1_000

/**
 * Reads a question that another process has settled. Retries, so that a short database outage does not lose the answer.
 */
export function createReload({ store, live, onChange, background, runLater }: ReloadNeeds): Reload {
  const reload = (id: string): void =>
    background("reading a settled question", async () => {
      try {
        const record = await store.get(id)
        const entry = live.get(id)
        if (record !== undefined) onChange(record)
        else if (entry !== undefined) {
          live.delete(id)
          rejectAll(entry, notFound(id))
        }
      } catch (error) {
        runLater(retryMs, () => reload(id))
        throw error
      }
    })
  return reload
}

/** Handles a trail entry of any process, which may concern a question that callers of this process wait for. */
export function createFollow({
  live,
  alarm,
  reload,
}: {
  readonly live: LiveTable
  readonly alarm: Pick<Alarm, "arm">
  readonly reload: Reload
}): (entry: Entry) => void {
  return (entry) => {
    if (entry.detail.expiresAt !== undefined) alarm.arm(entry.detail.expiresAt)
    const question = live.get(entry.id)
    if (question === undefined || entry.revision === undefined) return
    if (question.record !== undefined && question.record.revision >= entry.revision) return
    question.record = undefined
    if (entry.status !== undefined && isSettled(entry.status)) reload(entry.id)
  }
}
