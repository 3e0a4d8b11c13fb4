// Opens popup windows, centred over the page.

export interface Popup {
  /** False when the browser blocked the popup. The caller then shows a link instead. */
  readonly isOpen: boolean
  close(): void
}

const size = { width: 560, height: 780 }

/** Must be called inside a click handler, or browsers block the popup. */
export function openPopup(address: string): Popup {
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
