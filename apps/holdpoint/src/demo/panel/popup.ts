// Popups for the pages that a server names: only https, http on this machine, and pages of this server, which may report
// how their question ended.

import { isOpenable } from "@holdpoint/hub/forms"

export interface Popup {
  /** False when the browser blocked the popup. Then the card shows a link instead. */
  readonly isOpen: boolean
  close(): void
}

/** Whether the panel opens this address and links to it. */
export const mayOpen = (address: string): boolean =>
  isOpenable(address) || (location.protocol === "http:" && URL.parse(address)?.origin === location.origin)

/** Opens a popup. Must be called inside a click handler, or browsers block the popup. */
export function openPopup(address: string): Popup {
  if (!mayOpen(address)) return { isOpen: false, close() {} }
  const popupWindow = globalThis.open(toPopupAddress(address), "_blank", featuresOver(globalThis))
  return { isOpen: popupWindow !== null, close: () => popupWindow?.close() }
}

/** The window features: the size for which the pages are designed, centred over this window. */
function featuresOver({ screenX, screenY, outerWidth, outerHeight }: typeof globalThis): string {
  const { width, height } = size
  const left = Math.round(screenX + Math.max(0, (outerWidth - width) / 2))
  const top = Math.round(screenY + Math.max(0, (outerHeight - height) / 2))
  return `popup,width=${width},height=${height},left=${left},top=${top}`
}

const size = { width: 560, height: 780 }

/** `popup=self` makes a page of this server report to the page that opened it. */
export function toPopupAddress(address: string): string {
  const url = new URL(address, location.href)
  if (url.origin === location.origin) url.searchParams.set("popup", "self")
  return url.href
}

/** Calls `onStatus` with id and status when a popup reports how its question ended. Returns an unsubscribe function. */
export function onPopupStatus(onStatus: (id: string, status: string) => void): () => void {
  const listener = ({ origin, data }: MessageEvent): void => {
    if (origin !== location.origin || data?.type !== "holdpoint") return
    if (typeof data.id === "string" && typeof data.status === "string") onStatus(data.id, data.status)
  }
  addEventListener("message", listener)
  return () => removeEventListener("message", listener)
}
