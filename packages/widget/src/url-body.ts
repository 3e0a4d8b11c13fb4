// A question by link: where it leads is said before, and the window opens during the click.

import { displayHost } from "@holdpoint/sdk/forms"
import { button, h } from "./dom.ts"
import { openPopup, type Popup } from "./popup.ts"
import type { CardBody, CardBodyParts } from "./question-card.ts"

export function createUrlBody({ event, say, give, tell }: CardBodyParts): CardBody {
  const url = event.url ?? ""
  let popup: Popup | undefined
  const isAccount = event.context.trigger === "credential_required"
  const open = (): void => {
    popup?.close()
    popup = openPopup(url)
    const isOpen = popup.isOpen
    opener.textContent = say("openAgain")
    opener.classList.remove("primary")
    void give({ action: "accept" }).then((isTaken) => {
      if (isTaken) tell(...(isOpen ? [say("opened")] : blocked))
    })
  }
  const link = h("a", { href: url, target: "_blank", rel: "noopener" }, say("blockedLink"))
  const blocked = [`${say("blocked")} `, link]
  const opener = button(say(isAccount ? "connect" : "open"), open, { primary: true })
  const decline = button(say("notNow"), () => void give({ action: "decline" }, say("notNow")))
  return {
    fields: [h("p", { class: "address", part: "address" }, `${say("opensPageOf")} `, h("b", {}, displayHost(url)))],
    buttons: [opener, decline],
    refuse: () => {},
    close: () => popup?.close(),
  }
}
