// Finds the thread for a question of a run: the thread in which the run was begun.

import type { Elicitation, Storage } from "@holdpoint/hub"
import type { SlackThread } from "../outlet.ts"
import { slackThreadKind } from "./records.ts"

/** The returned function returns undefined for a question of a run outside Slack: it is asked in a direct message. */
export function createThreadOf(
  storage: Pick<Storage, "records">,
): (question: Pick<Elicitation, "parent">) => Promise<SlackThread | undefined> {
  const threads = storage.records(slackThreadKind)
  return async ({ parent }) => {
    const thread = parent === undefined ? undefined : await threads.get(parent)
    return thread === undefined ? undefined : { team: thread.team, channel: thread.channel, thread_ts: thread.thread }
  }
}
