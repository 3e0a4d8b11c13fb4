// Begins a new run in a conversation, if no other run is under way there.

import type { Conversations, RunBeginning } from "./conversations.ts"
import type { Run } from "./records.ts"
import { hasEnded } from "./records.ts"
import type { RunInput, Runs } from "./runs.ts"

export interface RunRecords {
  readonly conversations: Conversations
  readonly runs: Pick<Runs, "isKnown" | "begin">
}

/** How the new run works: by a call of its own, stored in the same commit. */
export interface RunStart {
  readonly input: RunInput
  /** Makes its first writes at once, so that they share the commit of the run. */
  readonly beside?: ((run: Run) => Promise<unknown>) | undefined
}

/** `underWay` is the run that blocks the new one. Undefined when a concurrent request has just begun that run. */
export type RecordResult = { readonly run: Run } | { readonly underWay: Run | undefined }

/** Begins the run. Without `start`, another call does the work of the run. */
export async function recordRun(
  { conversations, runs }: RunRecords,
  beginning: RunBeginning,
  start?: RunStart,
): Promise<RecordResult> {
  const conversation = await conversations.find(beginning.person, beginning.name)
  let lastRun = conversation === undefined ? undefined : await conversations.last(conversation)
  if (lastRun !== undefined && !hasEnded(lastRun)) {
    if (await runs.isKnown(lastRun.id)) return { underWay: lastRun }
    // The process of the last run died before that run had begun, or the MCP client of that run never returned.
    const failedRun = await conversations.change(lastRun.id, (run) =>
      hasEnded(run) ? undefined : { ...run, status: "failed" },
    )
    lastRun = failedRun ?? (await conversations.get(lastRun.id))
  }
  const known = { conversation, last: lastRun }
  if (start === undefined) {
    const run = await conversations.begin({ ...beginning, isPartOfCall: true }, known)
    return run === undefined ? { underWay: undefined } : { run }
  }
  const prepared = await conversations.prepare(beginning, known)
  const isBegun = prepared !== undefined && (await runs.begin(prepared, start))
  return isBegun ? { run: prepared.run } : { underWay: undefined }
}
