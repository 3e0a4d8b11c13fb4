// Words to one person, which others do not see: in a channel by a message that only they see, in direct messages as a
// reply in the thread.

import type { Runtime } from "@holdpoint/sdk"
import { toHarmless } from "./hostile-text.ts"
import type { SlackWorkspace } from "./port.ts"
import type { SlackReply } from "./records.ts"
import { call, quiet } from "./sender.ts"

export interface NoticeParts {
  readonly workspace: SlackWorkspace
  readonly runtime: Pick<Runtime, "after">
}

const mostAttempts = 5

/** Gives up after some attempts, and when Slack refuses: the notice is not worth more. */
export async function tellPrivately(
  { workspace, runtime }: NoticeParts,
  reply: SlackReply,
  words: string,
): Promise<void> {
  const { channel, thread, user, isInThread, kind } = reply
  const text = { channel, markdown_text: toHarmless(words) }
  const [method, args] =
    kind === "direct"
      ? ["chat.postMessage", { ...text, ...quiet, thread_ts: thread }]
      : ["chat.postEphemeral", { ...text, user, ...(isInThread ? { thread_ts: thread } : {}) }]
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    const made = await call(workspace, method, args)
    if ("answer" in made || made.attempt.is === "hopeless") return
    // It is unknown whether they were told: twice would be more confusing than not at all.
    if (made.attempt.is !== "later") return
    const { afterMs } = made.attempt
    await new Promise<void>((resolve) => void runtime.after(afterMs, resolve))
  }
}
