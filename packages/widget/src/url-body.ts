// A question by link: where it leads is said before, and the window opens during the click.

import { displayHost } from "@holdpoint/sdk/forms"
import { button, h } from "./dom.ts"
import { openPopup, type Popup } from "./popup.ts"
import type { CardBody, CardBodyParts } from "./question-card.ts"

export function createUrlBody({ event, say, give, tell }: CardBodyParts): CardBody {
  const url = event.url ?? ""
  let popup: Popup | undefined
  const isAccount = event.context.trigger === "credential_required"
  const showOpened = (isOpen: boolean): void => {
    opener.textContent = say("openAgain")
    opener.classList.remove("primary")
    tell(...(isOpen ? [say("opened")] : [`${say("blocked")} `, link]))
  }
  const open = async (): Promise<void> => {
    popup?.close()
    popup = openPopup(url)
    const { isOpen } = popup
    if (await give({ action: "accept" })) showOpened(isOpen)
  }
  const link = h("a", { href: url, target: "_blank", rel: "noopener" }, say("blockedLink"))
  const opener = button(say(isAccount ? "connect" : "open"), () => void open(), { primary: true })
  const decline = button(say("notNow"), () => void give({ action: "decline" }, say("notNow")))
  const address = h("p", { class: "address", part: "address" }, `${say("opensPageOf")} `, h("b", {}, displayHost(url)))
  // A consent page has nothing more to say; what another page shows at its end is for the person to read.
  const leave = (): void => {
    if (isAccount) popup?.close()
  }
  // Agreed to before this page was loaded.
  if (event.status === "accepted") queueMicrotask(() => showOpened(true))
  return { fields: [address], buttons: [opener, decline], close: leave }
}
