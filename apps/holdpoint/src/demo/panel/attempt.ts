// One tool call in progress, and its prompts on the screen.

import type { Card } from "./cards.ts"
import { button, h } from "./dom.ts"
import type { Kind, Stage } from "./stage.ts"

export interface Attempt {
  /** Aborts when the person cancels the call or starts another call. */
  readonly signal: AbortSignal
  isOver(): boolean
  readonly stage: Stage
  /**
   * Shows a prompt until the call ends. `whenDone` runs when the server reports that the page at `url` is done. A
   * server may never report it.
   */
  show(card: Card, url?: string, whenDone?: () => void): void
  /** Handles the report that the page of this elicitation is done. */
  completed(elicitation: string): void
  finish(title: string, kind: Kind, ...content: readonly HTMLElement[]): void
  /** Finishes because the person cancelled. */
  giveUp(reason?: string): void
  /** Ends without a message, because another call replaces this one on the screen. */
  abandon(): void
  retry(): void
}

export function createAttempt(stage: Stage, retry: () => void): Attempt {
  const controller = new AbortController()
  const { signal } = controller
  const cards = new Set<Card>()
  const completions = new Map<string, () => void>()
  let isOver = false
  const finish: Attempt["finish"] = (title, kind, ...content) => {
    if (isOver) return
    isOver = true
    for (const card of cards) card.close()
    const buttons = kind === "good" ? [] : [h("div", { class: "buttons" }, button("Try again", retry))]
    stage.end(title, kind, ...content, ...buttons)
  }
  return {
    ...{ signal, stage, finish, retry, isOver: () => isOver },
    show(card, url, onDone = () => {}) {
      cards.add(card)
      if (url !== undefined) completions.set(idOf(url), onDone)
      stage.show(card.element)
    },
    completed: (elicitation) => !isOver && completions.get(elicitation)?.(),
    giveUp(reason = "You cancelled the call.") {
      finish("Cancelled", "calm", h("p", {}, reason))
      controller.abort()
    },
    abandon() {
      isOver = true
      for (const card of cards) card.close()
      controller.abort()
    },
  }
}

/** The id of the elicitation, from the path of its page. */
const idOf = (url: string): string => new URL(url).pathname.split("/")[2] ?? ""
