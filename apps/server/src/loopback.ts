// Whether an address can be reached from this machine only.

import { checkUrl } from "@holdpoint/sdk/forms"

export function isLoopback(address: string): boolean {
  const checked = checkUrl(address)
  return checked.ok && checked.flags.includes("loopback")
}
