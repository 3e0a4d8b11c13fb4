// The text of a reply as Slack shows it, from the chunks of the run's log. Text of a step that was cut off is dropped
// again, as the log says.

import type { NumberedChunk } from "../run-log.ts"
import { isEnd } from "../run-log.ts"
import { toHarmless } from "./hostile-text.ts"
import { replyWords } from "./words.ts"

export interface ReplyText {
  add(numbered: NumberedChunk): void
  /** The reply ended without a word about it in the log. */
  breakOff(): void
  /** All text so far, harmless. What it begins with changes only when a step is dropped. */
  readonly text: string
  /** The number of the last chunk in it. */
  readonly chunk: number
  /** Whether the log has the end of the reply. */
  readonly isEnded: boolean
  /** How many characters are as they were after this chunk: fewer than all when a step was dropped since. */
  unchangedSince(chunk: number): number
}

export function createReplyText(): ReplyText {
  let said = ""
  let harmless: string | undefined
  let stepStart = 0
  let isNewParagraph = false
  let chunk = 0
  let isEnded = false
  const drops: { readonly chunk: number; readonly to: number }[] = []

  const say = (text: string): void => {
    said += text
    harmless = undefined
  }
  const shown = (): string => {
    harmless ??= toHarmless(said)
    return harmless
  }
  const tell = (words: string): void => say(`${said.trim() === "" ? "" : "\n\n"}${words}`)

  return {
    add({ number, chunk: added }) {
      chunk = number
      if (added.type === "start-step") stepStart = said.length
      if (added.type === "reset-step") {
        said = said.slice(0, stepStart)
        harmless = undefined
        isNewParagraph = false
        drops.push({ chunk, to: shown().length })
      }
      if (added.type === "text-start") isNewParagraph = said.trim() !== ""
      if (added.type === "text-delta") {
        say(isNewParagraph ? `\n\n${added.delta}` : added.delta)
        isNewParagraph = false
      }
      if (added.type === "error") tell(`:warning: ${added.errorText}`)
      if (added.type === "abort") tell(replyWords.stopped)
      if (!isEnd(added)) return
      isEnded = true
      if (said.trim() === "") tell(replyWords.empty)
    },
    breakOff() {
      isEnded = true
      tell(`:warning: ${replyWords.brokenOff}`)
    },
    get text() {
      return shown()
    },
    get chunk() {
      return chunk
    },
    get isEnded() {
      return isEnded
    },
    unchangedSince: (seen) =>
      drops.filter((drop) => drop.chunk > seen).reduce((least, { to }) => Math.min(least, to), shown().length),
  }
}
