// One call in progress, and the prompts on the screen that belong to it.

import type { Card } from "./cards.ts"
import { button, h } from "./dom.ts"
import type { Kind, Stage } from "./stage.ts"

export interface Attempt {
  /** Aborts when the person gives the call up or starts another one. */
  readonly signal: AbortSignal
  isOver(): boolean
  readonly stage: Stage
  /** Shows a prompt until the call ends. `whenDone` runs when its page is reported as done, which may never happen. */
  show(card: Card, url?: string, whenDone?: () => void): void
  /** The page of this elicitation is reported as done. */
  completed(elicitation: string): void
  finish(title: string, kind: Kind, ...content: readonly HTMLElement[]): void
  /** Finishes because the person cancelled. */
  giveUp(why?: string): void
  /** Ends without a message, because another call takes the screen. */
  abandon(): void
  again(): void
}

export function createAttempt(stage: Stage, again: () => void): Attempt {
  const controller = new AbortController()
  const { signal } = controller
  const cards = new Set<Card>()
  const done = new Map<string, () => void>()
  let isOver = false
  const finish: Attempt["finish"] = (title, kind, ...content) => {
    if (isOver) return
    isOver = true
    for (const card of cards) card.close()
    const buttons = kind === "good" ? [] : [h("div", { class: "buttons" }, button("Try again", again))]
    stage.end(title, kind, ...content, ...buttons)
  }
  return {
    ...{ signal, stage, finish, again, isOver: () => isOver },
    show(card, url, whenDone = () => {}) {
      cards.add(card)
      if (url !== undefined) done.set(idOf(url), whenDone)
      stage.show(card.element)
    },
    completed: (elicitation) => !isOver && done.get(elicitation)?.(),
    giveUp(why = "The call was given up.") {
      finish("Cancelled", "calm", h("p", {}, why))
      controller.abort()
    },
    abandon() {
      isOver = true
      for (const card of cards) card.close()
      controller.abort()
    },
  }
}

/** The path of this server's pages contains the elicitation's id. */
const idOf = (url: string): string => new URL(url).pathname.split("/")[2] ?? ""
