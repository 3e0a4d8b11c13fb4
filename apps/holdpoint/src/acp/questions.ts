// Shows the questions of a session's replies in its editor: each question once. A prompt is withdrawn when its question
// ends elsewhere, or when the reply ends.

import type { Asking } from "@holdpoint/calls"
import type { Elicitation } from "@holdpoint/hub"
import { isSettled } from "@holdpoint/hub"
import type { StreamEvent } from "@holdpoint/hub/stream"
import { type AskParts, askInEditor, sendApprovalResult } from "./ask.ts"
import type { Editor } from "./editor.ts"
import { displayOf } from "./map.ts"
import type { Updates } from "./updates.ts"

export interface QuestionsParts extends AskParts {
  readonly followers: Asking["followers"]
}

export interface Questions {
  /** Handles an event of the reply that opens or ends a question. */
  onEvent(event: StreamEvent, updates: Updates): void
  /** Withdraws every prompt from the editor: the reply has ended, or the editor has disconnected. */
  withdrawAll(): void
}

export function createQuestions(parts: QuestionsParts, editor: Editor): Questions {
  const { hub, followers, report } = parts
  const shownIds = new Set<string>()
  const prompts = new Map<string, () => void>()

  const show = async (event: StreamEvent, updates: Updates): Promise<void> => {
    const { elicitationId: id } = event
    const withdrawn = new AbortController()
    const { signal } = withdrawn
    const follow = ({ status }: { readonly status?: Elicitation["status"] }): void => {
      if (status !== undefined && isSettled(status)) end()
    }
    let isLink = false
    const end = (): void => {
      followers.unfollow(id, follow)
      if (!prompts.delete(id)) return
      // Sent before the request is cancelled, so that the editor shows the link as completed, not as cancelled.
      if (isLink && !editor.disconnected.aborted)
        editor.client.notify("elicitation/complete", { elicitationId: id }).catch(() => {})
      withdrawn.abort()
    }
    prompts.set(id, end)
    // Followed before the question is read, because the question may end in between.
    followers.follow(id, follow)
    const question = await hub.get(id)
    if (question === undefined || isSettled(question.status) || signal.aborted) return end()
    const display = displayOf(question, editor.abilities)
    isLink = display === "url"
    const prompted = { question, display, event, updates, signal }
    await askInEditor(parts, editor, prompted)
    // The prompt of a link stays open after this: the question ends when the person finishes on the page.
    if (!isLink) end()
    await sendApprovalResult(parts, editor, prompted)
  }

  return {
    onEvent(event, updates) {
      const { elicitationId: id, type } = event
      if (type === "elicitation-resolved") return prompts.get(id)?.()
      if (shownIds.has(id)) return
      shownIds.add(id)
      show(event, updates).catch((error: unknown) => {
        if (!editor.disconnected.aborted) report("showing a question in the editor", error)
      })
    },
    withdrawAll() {
      for (const end of [...prompts.values()]) end()
    },
  }
}
