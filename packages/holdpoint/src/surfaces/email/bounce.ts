// Reads a mail that came back (RFC 3464) to the return address of one of our mails, and notes that the address does not
// exist. Anyone can write such a mail, so it counts only when it came to a return address, which is random.

import type { Runtime } from "../../ports/runtime.ts"
import type { Storage } from "../../ports/storage.ts"
import { createDeadAddresses } from "./dead-addresses.ts"
import { returnAddressKind } from "./records.ts"

/** `dead`: noted. `delayed`: it says that nothing is lost yet, or not for good. `unknown`: not an answer to our mails. */
export type Bounce = "dead" | "delayed" | "unknown"

/** Where bounces are noted, and the clock. */
export interface BounceNeeds {
  readonly storage: Pick<Storage, "records">
  readonly runtime: Pick<Runtime, "now">
}

/** Notes what a bounce says. `message` is the whole mail, headers included. */
export async function readBounce({ storage, runtime }: BounceNeeds, message: string): Promise<Bounce> {
  const { returnId, status, isFailed } = parseBounce(message)
  const returnAddress = returnId === undefined ? undefined : await storage.records(returnAddressKind).get(returnId)
  if (returnAddress === undefined) return "unknown"
  if (!isFailed || status === undefined || !status.startsWith("5.")) return "delayed"
  await createDeadAddresses(storage, runtime).note(returnAddress.tenant, returnAddress.address, status)
  return "dead"
}

/** The random part of the return address, and what the report says. Pure. */
export function parseBounce(message: string): {
  readonly returnId?: string
  readonly status?: string
  readonly isFailed: boolean
} {
  const unfolded = message.replace(/\r\n?/g, "\n").replace(/\n[ \t]+/g, " ")
  const head = unfolded.split("\n\n", 1)[0] ?? ""
  // The recipient of the bounce, as the mail servers on this side wrote it.
  const returnId = /^(?:Delivered-To|X-Original-To|Envelope-To|To):.*\+([0-9a-f]{24})@/im.exec(head)?.[1]
  const isFailed = /^Action:\s*failed\b/im.test(unfolded)
  const status = /^Status:\s*([245]\.\d{1,3}\.\d{1,3})\b/im.exec(unfolded)?.[1]
  return { isFailed, ...(returnId === undefined ? {} : { returnId }), ...(status === undefined ? {} : { status }) }
}
