// A form, as a link to the inbox, where it can be filled in.

import { button, h } from "./dom.ts"
import type { CardBody, CardBodyParts } from "./question-card.ts"

export function createFormBody({ event, say, give, server }: CardBodyParts): CardBody {
  const address = new URL(`inbox/${encodeURIComponent(event.elicitationId)}`, server).href
  return {
    fields: [],
    buttons: [
      h(
        "a",
        { class: "button primary", part: "button primary", href: address, target: "_blank" },
        say("answerInInbox"),
      ),
      button(say("decline"), () => void give({ action: "decline" }, say("decline"))),
    ],
    refuse: () => {},
    close: () => {},
  }
}
