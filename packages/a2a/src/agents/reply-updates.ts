// Converts the chunks of a run's log to updates of the reply's artifact. When the log resets an interrupted step, an
// update replaces the text of this step.

import type { TaskArtifactUpdateEvent } from "@a2a-js/sdk"
import type { NumberedChunk } from "@holdpoint/agents/internal"
import { isEnd } from "@holdpoint/agents/internal"
import { replyArtifact, type TaskIds } from "./state.ts"

export interface ReplyUpdates {
  /**
   * Adds a chunk, and returns the updates to send. Holds back the newest text, because the last update of a reply has
   * to be marked as the last.
   */
  add(numbered: NumberedChunk): readonly TaskArtifactUpdateEvent[]
  /** Returns the update with the text that was held back. */
  flush(): readonly TaskArtifactUpdateEvent[]
  /** Returns the whole text so far, and marks it as sent. */
  take(): string
  /** Why the run failed, in words for people. */
  readonly failure: string | undefined
  /** The number of the last chunk. */
  readonly chunk: number
}

export function createReplyUpdates(ids: TaskIds): ReplyUpdates {
  let text = ""
  let sentLength = 0
  let stepStart = 0
  let isNewParagraph = false
  let chunk = 0
  let failure: string | undefined

  const toUpdate = (from: number, lastChunk = false): TaskArtifactUpdateEvent => ({
    ...{ taskId: ids.id, contextId: ids.context, artifact: replyArtifact(text.slice(from)) },
    ...{ append: from > 0, lastChunk, metadata: undefined },
  })
  const send = (lastChunk = false): readonly TaskArtifactUpdateEvent[] => {
    if (text.length <= sentLength) return []
    const update = toUpdate(sentLength, lastChunk)
    sentLength = text.length
    return [update]
  }
  const end = (): readonly TaskArtifactUpdateEvent[] => {
    if (text.length > sentLength) return send(true)
    return text === "" ? [] : [toUpdate(0, true)]
  }
  const addText = (delta: string): readonly TaskArtifactUpdateEvent[] => {
    const updates = send()
    text += isNewParagraph ? `\n\n${delta}` : delta
    isNewParagraph = false
    return updates
  }
  /** Replaces the sent text by the text before the interrupted step. */
  const drop = (): readonly TaskArtifactUpdateEvent[] => {
    text = text.slice(0, stepStart)
    isNewParagraph = false
    if (sentLength <= stepStart) return []
    sentLength = text.length
    return [toUpdate(0)]
  }

  return {
    add({ number, chunk: added }) {
      chunk = number
      switch (added.type) {
        case "start-step":
          stepStart = text.length
          return send()
        case "reset-step":
          return drop()
        case "text-start":
          isNewParagraph = text.trim() !== ""
          return []
        case "text-delta":
          return addText(added.delta)
        case "text-end":
        case "finish-step":
          return []
        case "error":
          failure = added.errorText
          return []
        default:
          return isEnd(added) ? end() : send()
      }
    },
    flush: () => send(),
    take() {
      sentLength = text.length
      return text
    },
    get failure() {
      return failure
    },
    get chunk() {
      return chunk
    },
  }
}
