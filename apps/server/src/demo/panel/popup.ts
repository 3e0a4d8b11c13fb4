// Windows that the panel opens for pages of this server. They may say how it went; whether they do is up to them.

export interface Popup {
  /** False where the browser did not let us: then a link is offered instead. */
  readonly isOpen: boolean
  close(): void
}

/** Within the click, or browsers block it. */
export function openPopup(address: string): Popup {
  const window = globalThis.open(toPopupAddress(address), "_blank", "popup,width=560,height=780")
  return { isOpen: window !== null, close: () => window?.close() }
}

/** A page of ours reports to the page that opened it. */
export function toPopupAddress(address: string): string {
  const url = new URL(address, location.href)
  if (url.origin === location.origin) url.searchParams.set("popup", "self")
  return url.href
}

/** Calls `heard` with the status when a window of ours says how its question ended. */
export function hearPopups(heard: (id: string, status: string) => void): () => void {
  const listener = ({ origin, data }: MessageEvent): void => {
    if (origin !== location.origin || data?.type !== "holdpoint") return
    if (typeof data.id === "string" && typeof data.status === "string") heard(data.id, data.status)
  }
  addEventListener("message", listener)
  return () => removeEventListener("message", listener)
}
