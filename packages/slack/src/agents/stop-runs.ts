// Stops the replies of a person who writes “stop”: the reply in this thread, or outside of threads all their replies in
// this channel. Replies to other people are never stopped.

import type { Conversations, Run, Runs } from "@holdpoint/agents/internal"
import { hasEnded } from "@holdpoint/agents/internal"
import type { Principal } from "@holdpoint/hub"
import { isSamePerson } from "@holdpoint/hub"
import type { Records } from "@holdpoint/hub/storage"
import { conversationNameOf } from "./begin.ts"
import { type SlackReply, slackAccountIdOf } from "./records.ts"

export interface StopParts {
  readonly conversations: Conversations
  readonly runs: Pick<Runs, "stop">
  readonly replies: Pick<Records<SlackReply>, "list">
}

export interface StopRequest {
  /** The reply to the message “stop”. */
  readonly reply: SlackReply
  readonly person: Principal
}

/** Stops the replies. Returns false when no reply was under way. */
export async function stopRuns(parts: StopParts, request: StopRequest): Promise<boolean> {
  const { person, reply } = request
  const candidates = reply.isInThread ? await runInThread(parts, request) : await runsInChannel(parts, request)
  const open = candidates.filter((run) => !hasEnded(run) && isSamePerson(run.person, person))
  for (const { id } of open) await parts.runs.stop(id)
  return open.length > 0
}

async function runInThread({ conversations }: StopParts, { reply, person }: StopRequest): Promise<readonly Run[]> {
  const conversation = await conversations.find(person, conversationNameOf(reply))
  const lastRun = conversation === undefined ? undefined : await conversations.last(conversation)
  return lastRun === undefined ? [] : [lastRun]
}

const pageSize = 200

async function runsInChannel({ conversations, replies }: StopParts, { reply }: StopRequest): Promise<readonly Run[]> {
  const runs: Run[] = []
  for (let afterId: string | undefined; ; ) {
    const filter = { tenant: reply.tenant, owner: slackAccountIdOf(reply), limit: pageSize }
    const page = await replies.list(afterId === undefined ? filter : { ...filter, afterId })
    for (const { run: id, status, channel } of page) {
      const run =
        id === undefined || status === "done" || channel !== reply.channel ? undefined : await conversations.get(id)
      if (run !== undefined) runs.push(run)
    }
    afterId = page.at(-1)?.id
    if (page.length < pageSize) return runs
  }
}
