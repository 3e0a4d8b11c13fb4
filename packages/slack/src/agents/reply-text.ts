// Builds the text of a reply for Slack from the chunks of the run's log. When the log resets an interrupted step, the
// text of this step is removed.

import type { NumberedChunk } from "@holdpoint/agents/internal"
import { brokenOffWords, isEnd } from "@holdpoint/agents/internal"
import { toHarmless } from "./hostile-text.ts"
import { replyWords } from "./words.ts"

export interface ReplyText {
  add(numbered: NumberedChunk): void
  /** Ends the text with a notice, for a reply whose log has no end. */
  breakOff(): void
  /** The text so far, without mentions. Text that is already there changes only when a step is reset. */
  readonly text: string
  /** The number of the last chunk in the text. */
  readonly chunk: number
  /** Whether the log has the end of the reply. */
  readonly isEnded: boolean
  /** How many characters of the text are unchanged since this chunk: fewer than all when a step was reset later. */
  unchangedSince(chunk: number): number
}

export function createReplyText(): ReplyText {
  let rawText = ""
  let harmless: string | undefined
  let stepStart = 0
  let isNewParagraph = false
  let chunk = 0
  let isEnded = false
  const resets: { readonly chunk: number; readonly to: number }[] = []

  const append = (text: string): void => {
    rawText += text
    harmless = undefined
  }
  const harmlessText = (): string => {
    harmless ??= toHarmless(rawText)
    return harmless
  }
  const appendNotice = (notice: string): void => append(`${rawText.trim() === "" ? "" : "\n\n"}${notice}`)

  return {
    add({ number, chunk: added }) {
      chunk = number
      if (added.type === "start-step") stepStart = rawText.length
      if (added.type === "reset-step") {
        rawText = rawText.slice(0, stepStart)
        harmless = undefined
        isNewParagraph = false
        resets.push({ chunk, to: harmlessText().length })
      }
      if (added.type === "text-start") isNewParagraph = rawText.trim() !== ""
      if (added.type === "text-delta") {
        append(isNewParagraph ? `\n\n${added.delta}` : added.delta)
        isNewParagraph = false
      }
      if (added.type === "error") appendNotice(`:warning: ${added.errorText}`)
      if (added.type === "abort") appendNotice(replyWords.stopped)
      if (!isEnd(added)) return
      isEnded = true
      if (rawText.trim() === "") appendNotice(replyWords.empty)
    },
    breakOff() {
      isEnded = true
      appendNotice(`:warning: ${brokenOffWords}`)
    },
    get text() {
      return harmlessText()
    },
    get chunk() {
      return chunk
    },
    get isEnded() {
      return isEnded
    },
    unchangedSince: (earlierChunk) =>
      resets
        .filter((reset) => reset.chunk > earlierChunk)
        .reduce((min, { to }) => Math.min(min, to), harmlessText().length),
  }
}
