// Where a question of a run is asked: in the thread in which the run was begun.

import type { Elicitation, Storage } from "@holdpoint/sdk"
import type { SlackThread } from "@holdpoint/sdk/slack"
import { slackThreadKind } from "./records.ts"

/** For Slack's outlet. Undefined for questions of everything else, which are asked in direct messages. */
export function createThreadOf(
  storage: Pick<Storage, "records">,
): (question: Pick<Elicitation, "parent">) => Promise<SlackThread | undefined> {
  const threads = storage.records(slackThreadKind)
  return async ({ parent }) => {
    const found = parent === undefined ? undefined : await threads.get(parent)
    return found === undefined ? undefined : { team: found.team, channel: found.channel, thread_ts: found.thread }
  }
}
