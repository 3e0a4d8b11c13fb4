// Signs a person in during a chat: a card with a button that opens a popup. Polls the server until the person is signed
// in.

import { button, h, newId } from "./dom.ts"
import { blockedNotice, openPopup, type Popup } from "./popup.ts"
import type { Wording } from "./texts.ts"

export interface SignInParts extends Wording {
  /** The address of the sign-in page. */
  readonly address: string
  readonly isSignedIn: () => Promise<boolean>
  readonly onSignedIn: () => void
}

export interface SignIn {
  readonly element: HTMLElement
  /** Opens the sign-in page. Must be called inside a click handler. */
  open(): void
  focus(): void
  close(): void
}

const pollMs = 750

export function createSignIn({ translate, heading, address, isSignedIn, onSignedIn }: SignInParts): SignIn {
  const id = newId("sign-in")
  const status = h("p", { class: "told", role: "status" }, translate("signInText"))
  const title = h(heading, { id, tabindex: -1, class: "title", part: "card-title" }, translate("signInTitle"))
  let popup: Popup | undefined
  let isClosed = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const close = (): void => {
    isClosed = true
    clearTimeout(timer)
    popup?.close()
    element.remove()
  }
  const poll = async (): Promise<void> => {
    const isDone = await isSignedIn().catch(() => false)
    if (isClosed) return
    if (!isDone) {
      timer = setTimeout(() => void poll(), pollMs)
      return
    }
    close()
    onSignedIn()
  }
  const open = (): void => {
    popup?.close()
    popup = openPopup(address)
    status.replaceChildren(...(popup.isOpen ? [translate("signInOpened")] : blockedNotice(address, translate)))
  }
  const openButton = button(translate("signIn"), open, { primary: true })
  const element = h(
    "section",
    { class: "card", part: "card", role: "group", "aria-labelledby": id, "data-state": "open" },
    ...[title, status, h("div", { class: "buttons", part: "buttons" }, openButton)],
  )
  timer = setTimeout(() => void poll(), pollMs)
  return { element, open, focus: () => title.focus({ preventScroll: true }), close }
}
