// `<holdpoint-question>`: one question as a card, for pages with a chat of their own.

import type { StreamEvent } from "@holdpoint/sdk/stream"
import { createAnnouncer } from "./announcer.ts"
import { connect } from "./connection.ts"
import { h } from "./dom.ts"
import type { ElementKind, WidgetHost } from "./element.ts"
import { emit } from "./element.ts"
import { wordingOf } from "./host-wording.ts"
import { type CardAnswer, createQuestionCard, type QuestionCard } from "./question-card.ts"
import { applyStyle } from "./style.ts"

/** Sends an answer of the person, in the page's own way. Rejects when it was refused. */
export type AnswerQuestion = (answer: CardAnswer & { readonly elicitationId: string }) => Promise<unknown>

export const questionKind: ElementKind = {
  tag: "holdpoint-question",
  attributes: ["server", "conversation", "lang", "heading-level", "token-url"],
  properties: ["question", "answer", "token", "texts"],
  open(host, root) {
    let shown: { readonly id: string; readonly card: QuestionCard } | undefined
    const place = h("div")
    const { element: live, announce } = createAnnouncer()
    applyStyle(root)
    root.replaceChildren(place, live)
    const show = (): void => {
      shown?.card.close()
      shown = undefined
      place.replaceChildren()
      const question = host.property("question") as StreamEvent | undefined
      if (question === undefined) return
      shown = { id: question.elicitationId, card: createCard(host, question, announce) }
      place.append(shown.card.element)
      if (question.type === "elicitation-request") announce(question.message)
    }
    show()
    return {
      changed(name) {
        const question = host.property("question") as StreamEvent | undefined
        // A later event about the same question changes the card, and leaves what was typed into it.
        if (name === "question" && question !== undefined && question.elicitationId === shown?.id)
          shown.card.update(question)
        else if (name !== "answer") show()
      },
      close: () => shown?.card.close(),
    }
  },
}

function createCard(host: WidgetHost, question: StreamEvent, announce: (words: string) => void): QuestionCard {
  const { client, now } = connect(host, () => {})
  const { elicitationId } = question
  return createQuestionCard(question, {
    ...{ ...wordingOf(host), now, announce },
    async answer(answer) {
      const own = host.property("answer") as AnswerQuestion | undefined
      const conversationId = host.getAttribute("conversation") ?? ""
      await (own?.({ elicitationId, ...answer }) ?? client.answer({ conversationId, elicitationId, ...answer }))
      emit(host, "holdpoint-answer", { conversationId, elicitationId, action: answer.action })
    },
  })
}
