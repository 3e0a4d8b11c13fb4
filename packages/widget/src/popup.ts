// Opens popup windows, centred over the page, and links to what a popup would open: only https, http on this machine, and
// addresses of the page's own origin.

import { isOpenable } from "@holdpoint/hub/forms"
import { h } from "./dom.ts"
import type { Translate } from "./texts.ts"

export interface Popup {
  /** False when the browser blocked the popup. The caller then shows a link instead. */
  readonly isOpen: boolean
  close(): void
}

const size = { width: 560, height: 780 }

/** Whether the widget opens this address and links to it. */
export const mayOpen = (address: string): boolean =>
  isOpenable(address) || (location.protocol === "http:" && URL.parse(address)?.origin === location.origin)

/** The link for a popup that the browser has blocked, after a text that says so. */
export const blockedNotice = (address: string, translate: Translate): readonly (Node | string)[] =>
  mayOpen(address)
    ? [
        `${translate("blocked")} `,
        h("a", { href: address, target: "_blank", rel: "noopener" }, translate("blockedLink")),
      ]
    : [translate("notOpened")]

/** Must be called inside a click handler, or browsers block the popup. */
export function openPopup(address: string): Popup {
  if (!mayOpen(address)) return { isOpen: false, close() {} }
  const left = Math.round(screenX + (outerWidth - size.width) / 2)
  const top = Math.round(screenY + Math.max(0, (outerHeight - size.height) / 2))
  const features = `popup,width=${size.width},height=${size.height},left=${left},top=${top}`
  const popup = open(toPopupAddress(address), "_blank", features)
  return { isOpen: popup !== null, close: () => popup?.close() }
}

/** Adds `popup=self`, which makes a page of this origin report to the page that opened it. */
function toPopupAddress(address: string): string {
  const url = new URL(address, location.href)
  if (url.origin === location.origin) url.searchParams.set("popup", "self")
  return url.href
}
