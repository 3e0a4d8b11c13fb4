// `<holdpoint-question>`: one question as a card, for pages that have their own chat.

import type { StreamEvent } from "@holdpoint/hub/stream"
import { createAnnouncer } from "./announcer.ts"
import type { CardAnswer } from "./card-body.ts"
import { connect } from "./connection.ts"
import { h } from "./dom.ts"
import type { ElementKind, WidgetHost } from "./element.ts"
import { emit } from "./element.ts"
import { wordingOf } from "./host-wording.ts"
import { createQuestionCard, type QuestionCard } from "./question-card.ts"
import { applyStyle } from "./style.ts"

/** Sends the person's answer by a function of the page. Rejects when the answer was refused. */
export type AnswerQuestion = (answer: CardAnswer & { readonly elicitationId: string }) => Promise<unknown>

export const questionKind: ElementKind = {
  tag: "holdpoint-question",
  attributes: ["server", "conversation", "lang", "heading-level", "token-url"],
  properties: ["question", "answer", "token", "texts"],
  open(host, root) {
    let shownQuestion: { readonly id: string; readonly card: QuestionCard } | undefined
    const container = h("div")
    const { element: liveRegion, announce } = createAnnouncer()
    applyStyle(root)
    root.replaceChildren(container, liveRegion)
    const show = (): void => {
      shownQuestion?.card.close()
      shownQuestion = undefined
      container.replaceChildren()
      const question = host.property("question") as StreamEvent | undefined
      if (question === undefined) return
      shownQuestion = { id: question.elicitationId, card: createCard(host, question, announce) }
      container.append(shownQuestion.card.element)
      if (question.type === "elicitation-request") announce(question.message)
    }
    show()
    return {
      changed(name) {
        const question = host.property("question") as StreamEvent | undefined
        // A later event about the same question updates the card, and does not discard typed text.
        if (name === "question" && question !== undefined && question.elicitationId === shownQuestion?.id)
          shownQuestion.card.update(question)
        else if (name !== "answer") show()
      },
      close: () => shownQuestion?.card.close(),
    }
  },
}

function createCard(host: WidgetHost, question: StreamEvent, announce: (text: string) => void): QuestionCard {
  const { client, now } = connect(host, () => {})
  const { elicitationId } = question
  return createQuestionCard(question, {
    ...{ ...wordingOf(host), now, announce },
    async answer(answer) {
      const pageAnswer = host.property("answer") as AnswerQuestion | undefined
      const conversationId = host.getAttribute("conversation") ?? ""
      await (pageAnswer?.({ elicitationId, ...answer }) ?? client.answer({ conversationId, elicitationId, ...answer }))
      emit(host, "holdpoint-answer", { conversationId, elicitationId, action: answer.action })
    },
  })
}
