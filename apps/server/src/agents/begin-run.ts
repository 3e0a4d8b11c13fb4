// Stores a new run in a conversation, if no other run is under way there.

import type { Conversations, RunBeginning } from "./conversations.ts"
import { hasEnded } from "./conversations.ts"
import type { Run } from "./records.ts"
import type { Runs } from "./runs.ts"

export interface RunRecords {
  readonly conversations: Conversations
  readonly runs: Pick<Runs, "isKnown">
}

/** `underWay` is the run that blocks the new one. Undefined when a concurrent request has just begun that run. */
export type RecordResult = { readonly run: Run } | { readonly underWay: Run | undefined }

export async function recordRun({ conversations, runs }: RunRecords, beginning: RunBeginning): Promise<RecordResult> {
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
  const run = await conversations.begin(beginning, { conversation, last: lastRun })
  return run === undefined ? { underWay: undefined } : { run }
}
