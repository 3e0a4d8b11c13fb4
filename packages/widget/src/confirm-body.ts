// A yes-or-no question: two buttons that name the acts, and nothing that a stray Enter could press.

import { optionsOf } from "@holdpoint/sdk/forms"
import { button } from "./dom.ts"
import type { CardBody, CardBodyParts } from "./question-card.ts"

/** Undefined for other forms. */
export function createConfirmBody({ event, give }: CardBodyParts): CardBody | undefined {
  const { confirmed, ...others } = event.requestedSchema?.properties ?? {}
  const options = confirmed === undefined || Object.keys(others).length > 0 ? undefined : optionsOf(confirmed)
  const [yes, no] = ["yes", "no"].map((value) => options?.find((option) => option.const === value)?.title)
  if (yes === undefined || no === undefined) return undefined
  return {
    fields: [],
    buttons: [
      button(yes, () => void give({ action: "accept", content: { confirmed: "yes" } }, yes), { primary: true }),
      button(no, () => void give({ action: "decline" }, no)),
    ],
    refuse: () => {},
    close: () => {},
  }
}
