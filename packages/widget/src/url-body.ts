// The card body of a question in url mode: it names the host of the link, and opens the page in a popup.

import { displayHost } from "@holdpoint/hub/forms"
import type { CardBody, CardBodyParts } from "./card-body.ts"
import { button, h } from "./dom.ts"
import { blockedNotice, mayOpen, openPopup, type Popup } from "./popup.ts"

export function createUrlBody({ event, translate, sendAnswer, showStatus }: CardBodyParts): CardBody {
  const url = event.url ?? ""
  let popup: Popup | undefined
  const isAccount = event.context.trigger === "credential_required"
  const showOpened = (isOpen: boolean): void => {
    opener.textContent = translate("openAgain")
    opener.classList.remove("primary")
    showStatus(...(isOpen ? [translate("opened")] : blockedNotice(url, translate)))
  }
  const open = async (): Promise<void> => {
    popup?.close()
    popup = openPopup(url)
    const { isOpen } = popup
    if (await sendAnswer({ action: "accept" })) showOpened(isOpen)
  }
  const opener = button(translate(isAccount ? "connect" : "open"), () => void open(), { primary: true })
  const decline = button(translate("notNow"), () => void sendAnswer({ action: "decline" }, translate("notNow")))
  // Only a consent page is closed: the last text of any other page is for the person to read.
  const close = (): void => {
    if (isAccount) popup?.close()
  }
  if (!mayOpen(url)) return { fields: [h("p", { part: "address" }, translate("notOpened"))], buttons: [decline], close }
  const address = h(
    "p",
    { class: "address", part: "address" },
    `${translate("opensPageOf")} `,
    h("b", {}, displayHost(url)),
  )
  // The person agreed to open the link before this page was loaded.
  if (event.status === "accepted") queueMicrotask(() => showOpened(true))
  return { fields: [address], buttons: [opener, decline], close }
}
