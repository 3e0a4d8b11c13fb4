// Popup windows, centred over the page that opens them.

export interface Popup {
  /** False when the browser blocked the popup; then a link is offered instead. */
  readonly isOpen: boolean
  close(): void
}

const size = { width: 560, height: 780 }

/** Call it inside a click handler, or browsers block the popup. */
export function openPopup(address: string): Popup {
  const left = Math.round(screenX + (outerWidth - size.width) / 2)
  const top = Math.round(screenY + Math.max(0, (outerHeight - size.height) / 2))
  const features = `popup,width=${size.width},height=${size.height},left=${left},top=${top}`
  const opened = open(toPopupAddress(address), "_blank", features)
  return { isOpen: opened !== null, close: () => opened?.close() }
}

/** `popup=self` makes a page of this origin report to the page that opened it. */
function toPopupAddress(address: string): string {
  const url = new URL(address, location.href)
  if (url.origin === location.origin) url.searchParams.set("popup", "self")
  return url.href
}
