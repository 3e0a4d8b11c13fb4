// Ends the replies that a person wants to end: the one in the thread in which they say so, or outside of threads all of
// theirs in that conversation of Slack. Replies to other people are never touched.

import type { Principal } from "@holdpoint/sdk"
import { isSamePerson } from "@holdpoint/sdk"
import type { Records } from "@holdpoint/sdk/storage"
import type { Conversations } from "../conversations.ts"
import { hasEnded } from "../conversations.ts"
import type { Run } from "../records.ts"
import type { Runs } from "../runs.ts"
import { conversationOf } from "./begin.ts"
import { accountOf, type SlackReply } from "./records.ts"

export interface StopParts {
  readonly conversations: Conversations
  readonly runs: Pick<Runs, "stop">
  readonly replies: Pick<Records<SlackReply>, "list">
}

export interface StopRequest {
  /** The reply to the message that says stop. */
  readonly reply: SlackReply
  readonly person: Principal
}

/** Whether there was a reply to stop. */
export async function stopRuns(parts: StopParts, request: StopRequest): Promise<boolean> {
  const { person, reply } = request
  const found = reply.isInThread ? await inThread(parts, request) : await inChannel(parts, request)
  const open = found.filter((run) => !hasEnded(run) && isSamePerson(run.person, person))
  for (const { id } of open) await parts.runs.stop(id)
  return open.length > 0
}

async function inThread({ conversations }: StopParts, { reply, person }: StopRequest): Promise<readonly Run[]> {
  const conversation = await conversations.find(person, conversationOf(reply))
  const last = conversation === undefined ? undefined : await conversations.last(conversation)
  return last === undefined ? [] : [last]
}

const pageSize = 200

async function inChannel({ conversations, replies }: StopParts, { reply }: StopRequest): Promise<readonly Run[]> {
  const found: Run[] = []
  for (let afterId: string | undefined; ; ) {
    const owned = { tenant: reply.tenant, owner: accountOf(reply), limit: pageSize }
    const page = await replies.list(afterId === undefined ? owned : { ...owned, afterId })
    for (const { run, status, channel } of page) {
      const known =
        run === undefined || status === "done" || channel !== reply.channel ? undefined : await conversations.get(run)
      if (known !== undefined) found.push(known)
    }
    afterId = page.at(-1)?.id
    if (page.length < pageSize) return found
  }
}
