// Signing in in the middle of a chat: in a popup that opens during the click, or at a card. Looks at the server until the
// person is signed in.

import { button, h, newId } from "./dom.ts"
import { openPopup, type Popup } from "./popup.ts"
import type { Wording } from "./texts.ts"

export interface SignInParts extends Wording {
  /** The address of the sign-in page. */
  readonly address: string
  readonly isSignedIn: () => Promise<boolean>
  readonly onSignedIn: () => void
}

export interface SignIn {
  readonly element: HTMLElement
  /** Call it inside a click. */
  open(): void
  focus(): void
  close(): void
}

const lookEveryMs = 750

export function createSignIn({ say, heading, address, isSignedIn, onSignedIn }: SignInParts): SignIn {
  const id = newId("sign-in")
  const told = h("p", { class: "told", role: "status" }, say("signInText"))
  const title = h(heading, { id, tabindex: -1, class: "title", part: "card-title" }, say("signInTitle"))
  let popup: Popup | undefined
  let isOver = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const close = (): void => {
    isOver = true
    clearTimeout(timer)
    popup?.close()
    element.remove()
  }
  const look = async (): Promise<void> => {
    const isThere = await isSignedIn().catch(() => false)
    if (isOver) return
    if (!isThere) {
      timer = setTimeout(() => void look(), lookEveryMs)
      return
    }
    close()
    onSignedIn()
  }
  const open = (): void => {
    popup?.close()
    popup = openPopup(address)
    const link = h("a", { href: address, target: "_blank", rel: "noopener" }, say("blockedLink"))
    told.replaceChildren(...(popup.isOpen ? [say("signInOpened")] : [`${say("blocked")} `, link]))
  }
  const opener = button(say("signIn"), open, { primary: true })
  const element = h(
    "section",
    { class: "card", part: "card", role: "group", "aria-labelledby": id, "data-state": "open" },
    ...[title, told, h("div", { class: "buttons", part: "buttons" }, opener)],
  )
  timer = setTimeout(() => void look(), lookEveryMs)
  return { element, open, focus: () => title.focus({ preventScroll: true }), close }
}
