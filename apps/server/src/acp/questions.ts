// The questions of a session's replies in its editor: each is shown once, and withdrawn when it ends elsewhere, or with
// the reply.

import type { Elicitation } from "@holdpoint/sdk"
import { isSettled } from "@holdpoint/sdk"
import type { Asking } from "@holdpoint/sdk/asking"
import type { StreamEvent } from "@holdpoint/sdk/stream"
import { type AskParts, askInEditor, tellApproval } from "./ask.ts"
import type { Editor } from "./editor.ts"
import { wayOf } from "./map.ts"
import type { Updates } from "./updates.ts"

export interface QuestionsParts extends AskParts {
  readonly followers: Asking["followers"]
}

export interface Questions {
  /** A reply's stream tells of a question, or of its end. */
  told(event: StreamEvent, updates: Updates): void
  /** Takes every prompt out of the editor: the reply is over, or the editor is gone. */
  withdrawAll(): void
}

export function createQuestions(parts: QuestionsParts, editor: Editor): Questions {
  const { hub, followers, report } = parts
  const seen = new Set<string>()
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
      // Before the request is cancelled: the editor then knows that the page was finished.
      if (isLink && !editor.gone.aborted)
        editor.client.notify("elicitation/complete", { elicitationId: id }).catch(() => {})
      withdrawn.abort()
    }
    prompts.set(id, end)
    // Before it is read: it may end in between.
    followers.follow(id, follow)
    const question = await hub.get(id)
    if (question === undefined || isSettled(question.status) || signal.aborted) return end()
    const way = wayOf(question, editor.can)
    isLink = way === "url"
    const prompted = { question, way, event, updates, signal }
    await askInEditor(parts, editor, prompted)
    // A link that the person agreed to open is finished later.
    if (!isLink) end()
    await tellApproval(parts, editor, prompted)
  }

  return {
    told(event, updates) {
      const { elicitationId: id, type } = event
      if (type === "elicitation-resolved") return prompts.get(id)?.()
      if (seen.has(id)) return
      seen.add(id)
      show(event, updates).catch((error: unknown) => {
        if (!editor.gone.aborted) report("showing a question in the editor", error)
      })
    },
    withdrawAll() {
      for (const end of [...prompts.values()]) end()
    },
  }
}
