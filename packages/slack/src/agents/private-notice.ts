// Sends a notice that only one person can read: an ephemeral message in a channel, or a reply in the thread of a direct
// message.

import type { Runtime } from "@holdpoint/hub"
import { toHarmless } from "./hostile-text.ts"
import type { SlackWorkspace } from "./port.ts"
import type { SlackReply } from "./records.ts"
import { call, withoutPreviews } from "./sender.ts"

export interface NoticeParts {
  readonly workspace: SlackWorkspace
  readonly runtime: Pick<Runtime, "after">
}

const maxAttempts = 5

/** Sends the notice, with a few retries when Slack limits calls. A notice that Slack refuses is dropped. */
export async function notifyPrivately(
  { workspace, runtime }: NoticeParts,
  reply: SlackReply,
  notice: string,
): Promise<void> {
  const { channel, thread, user, isInThread, kind } = reply
  const text = { channel, markdown_text: toHarmless(notice) }
  const [method, args] =
    kind === "direct"
      ? ["chat.postMessage", { ...text, ...withoutPreviews, thread_ts: thread }]
      : ["chat.postEphemeral", { ...text, user, ...(isInThread ? { thread_ts: thread } : {}) }]
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const result = await call(workspace, method, args)
    if ("answer" in result || result.attempt.kind === "hopeless") return
    // The person may have received the notice: a second copy would confuse more than a missing one.
    if (result.attempt.kind !== "later") return
    const { afterMs } = result.attempt
    await new Promise<void>((resolve) => void runtime.after(afterMs, resolve))
  }
}
