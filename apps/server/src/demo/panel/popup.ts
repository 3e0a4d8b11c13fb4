// Popups for pages of this server. A page may report how its question ended; it need not.

export interface Popup {
  /** False when the browser blocked the popup; then a link is offered instead. */
  readonly isOpen: boolean
  close(): void
}

/** Call it inside a click handler, or browsers block the popup. */
export function openPopup(address: string): Popup {
  const window = globalThis.open(toPopupAddress(address), "_blank", "popup,width=560,height=780")
  return { isOpen: window !== null, close: () => window?.close() }
}

/** `popup=self` makes a page of this server report to the page that opened it. */
export function toPopupAddress(address: string): string {
  const url = new URL(address, location.href)
  if (url.origin === location.origin) url.searchParams.set("popup", "self")
  return url.href
}

/** Calls `heard` with id and status when a popup reports how its question ended. Returns an unsubscribe function. */
export function hearPopups(heard: (id: string, status: string) => void): () => void {
  const listener = ({ origin, data }: MessageEvent): void => {
    if (origin !== location.origin || data?.type !== "holdpoint") return
    if (typeof data.id === "string" && typeof data.status === "string") heard(data.id, data.status)
  }
  addEventListener("message", listener)
  return () => removeEventListener("message", listener)
}
