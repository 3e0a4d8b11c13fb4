// The form of a question as a modal of Slack. Undefined for a form that Slack cannot show completely: options with long
// titles, long default texts, or too many fields for a view. Such a form is answered on the page. Pure.

import type { Elicitation, Form } from "@holdpoint/hub"
import { type Acts, actsOf } from "@holdpoint/hub/forms"
import type { FormElicitation } from "@holdpoint/hub/internal"
import { inputOf } from "./inputs.ts"
import { cut, pieces, toPlainText } from "./text.ts"
import type { Block, Modal } from "./wire.ts"
import { words } from "./words.ts"

export const callbacks = {
  answer: "holdpoint_answer",
  decline: "holdpoint_decline",
  code: "holdpoint_code",
} as const

/** The most bytes of a view. Slack refuses a view of more than 250 kB, which includes Slack's own additions. */
const mostBytes = 200_000

/** The block id of a field. The id contains the field's index, because a name may be too long for a block id. */
export const blockOf = (index: number): string => `field_${index}`

/** The id of the block in which a person enters the reason for a No. */
export const reasonBlock = "reason"
export const valueAction = "value"

/** The part of the form that the person fills in: for a yes-or-no question, all fields except the decision. */
export function fillableOf(question: FormElicitation): { readonly form: Form; readonly acts?: Acts } {
  const acts = actsOf(question.requestedSchema, {}, question.message)
  return acts === undefined ? { form: question.requestedSchema } : { form: acts.rest, acts }
}

/** Whether a message of Slack shows the whole question. Other questions are answered on their page. */
export const isShownWhole = ({ message, detail }: Elicitation): boolean =>
  detail === undefined && pieces(message, mostPieces).isWhole

/** The most blocks with the text of a question. */
export const mostPieces = 2

export function modalOf(question: Elicitation): Modal | undefined {
  if (question.mode !== "form" || !isShownWhole(question)) return undefined
  const { form, acts } = fillableOf(question)
  const inputs = Object.entries(form.properties).map(([name, field], index) =>
    inputOf({ name, field, block: blockOf(index), isRequired: form.required?.includes(name) ?? false }),
  )
  const { parts } = pieces(question.message, mostPieces)
  if (inputs.some((input) => input === undefined)) return undefined
  const modal: Modal = {
    ...frameOf(callbacks.answer, words.modalTitle, acts?.yes ?? words.send),
    private_metadata: question.id,
    blocks: [
      ...parts.map((part): Block => ({ type: "section", text: toPlainText(part) })),
      ...inputs.filter((input) => input !== undefined),
    ],
  }
  return Buffer.byteLength(JSON.stringify(modal)) > mostBytes ? undefined : modal
}

/** Creates the modal that asks for the reason of a No. The reason is optional. */
export function declineModal(question: Elicitation): Modal {
  const acts = question.mode === "form" ? fillableOf(question).acts : undefined
  return {
    ...frameOf(callbacks.decline, words.declineTitle, acts?.no ?? words.declineTitle),
    private_metadata: question.id,
    blocks: [
      { type: "section", text: toPlainText(question.message, 1_000) },
      {
        ...{ type: "input", block_id: reasonBlock, optional: true },
        label: toPlainText(words.reason),
        hint: toPlainText(words.reasonHint),
        element: { type: "plain_text_input", action_id: valueAction, multiline: true, max_length: 500 },
      },
    ],
  }
}

export function frameOf(callback: string, title: string, submit: string) {
  return {
    type: "modal",
    callback_id: callback,
    title: toPlainText(title, 24),
    submit: toPlainText(submit, 24),
    close: toPlainText(words.close, 24),
  } as const satisfies Omit<Modal, "blocks">
}

/** Creates a modal that only shows a text. */
export const noticeModal = (title: string, text: string): Modal => ({
  type: "modal",
  title: toPlainText(title, 24),
  close: toPlainText(words.close, 24),
  blocks: [{ type: "section", text: toPlainText(cut(text, 3_000)) }],
})
