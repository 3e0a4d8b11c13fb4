// The body of a card: what the three kinds of question share.

import type { QuestionAnswer } from "@holdpoint/client"
import type { StreamEvent } from "@holdpoint/hub/stream"
import type { FieldProblem } from "./form-body.ts"
import type { Wording } from "./texts.ts"

/** The person's answer to the question of a card. */
export type CardAnswer = Omit<QuestionAnswer, "conversationId" | "elicitationId">

/** The parts of a card that its body uses. */
export interface CardBodyParts extends Wording {
  readonly event: StreamEvent
  /** Sends the answer. Resolves with whether the server accepted it. `chosenText` is the text of the pressed button. */
  readonly sendAnswer: (answer: CardAnswer, chosenText?: string) => Promise<boolean>
  /** Shows a status text below the buttons. */
  readonly showStatus: (...content: readonly (Node | string)[]) => void
  /** The problems that the server found in the last answer, each with its field. */
  readonly problems: () => readonly FieldProblem[]
}

export interface CardBody {
  /** The nodes above the buttons. */
  readonly fields: readonly Node[]
  readonly buttons: readonly HTMLElement[]
  close(): void
}
