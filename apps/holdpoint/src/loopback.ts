// Tests whether an address can be reached from this machine only.

import { checkUrl } from "@holdpoint/hub/forms"

export function isLoopback(address: string): boolean {
  const urlCheck = checkUrl(address)
  return urlCheck.ok && urlCheck.flags.includes("loopback")
}

/** The address at which other machines reach a server: the one it listens on, or its public one. Undefined if none. */
export function reachedFromElsewhere(pages: {
  readonly host: string
  readonly publicUrl?: string
}): string | undefined {
  const { host, publicUrl } = pages
  return [`http://${host.includes(":") ? `[${host}]` : host}`, publicUrl].find(
    (address) => address !== undefined && !isLoopback(address),
  )
}
