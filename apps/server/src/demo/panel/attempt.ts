// One call that is being made, and what is on the screen because of it.

import type { Card } from "./cards.ts"
import { button, h } from "./dom.ts"
import type { Kind, Stage } from "./stage.ts"

export interface Attempt {
  /** Aborts when it is given up, or another one begins. */
  readonly signal: AbortSignal
  isOver(): boolean
  readonly stage: Stage
  /** A prompt: it is on the screen until the call ends. `whenDone` runs when its page is done, if anybody says so. */
  show(card: Card, url?: string, whenDone?: () => void): void
  /** A page is done, says whoever knows. */
  completed(elicitation: string): void
  finish(title: string, kind: Kind, ...content: readonly HTMLElement[]): void
  /** The same as finishing, for somebody who wants no more of it. */
  giveUp(why?: string): void
  /** Without a word: another call takes the screen. */
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

/** The pages of this server have the id of their elicitation in the address. */
const idOf = (url: string): string => new URL(url).pathname.split("/")[2] ?? ""
