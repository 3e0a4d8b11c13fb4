// Reads a bounce (RFC 3464) that arrived at the return address of a sent mail, and records that the recipient's address
// does not exist. Anyone can write a bounce, so it counts only at a return address, which is random.

import type { Runtime, Storage } from "@holdpoint/hub"
import { createDeadAddresses } from "./dead-addresses.ts"
import { returnAddressKind } from "./records.ts"

/**
 * The result of a bounce. `dead`: the address does not exist, and is recorded. `delayed`: the failure may be temporary.
 * `unknown`: not a bounce of a mail from this server.
 */
export type Bounce = "dead" | "delayed" | "unknown"

/** The storage where dead addresses are recorded, and the clock. */
export interface BounceNeeds {
  readonly storage: Pick<Storage, "records">
  readonly runtime: Pick<Runtime, "now">
}

/** Reads a bounce, and records an address that does not exist. `message` is the whole mail, with its headers. */
export async function readBounce({ storage, runtime }: BounceNeeds, message: string): Promise<Bounce> {
  const { returnId, status, isFailed } = parseBounce(message)
  const returnAddress = returnId === undefined ? undefined : await storage.records(returnAddressKind).get(returnId)
  if (returnAddress === undefined) return "unknown"
  if (!isFailed || status === undefined || !status.startsWith("5.")) return "delayed"
  await createDeadAddresses(storage, runtime).note(returnAddress.tenant, returnAddress.address, status)
  return "dead"
}

/** The most characters of a mail that are read. */
const mostCharacters = 1_000_000

/** Parses a bounce: the random part of the return address, and the status in the report. Pure. */
export function parseBounce(message: string): {
  readonly returnId?: string
  readonly status?: string
  readonly isFailed: boolean
} {
  // The report of a bounce stands before the returned mail, which may be large.
  const unfolded = message
    .slice(0, mostCharacters)
    .replace(/\r\n?/g, "\n")
    .replace(/\n[ \t]+/g, " ")
  const headers = unfolded.split("\n\n", 1)[0] ?? ""
  // The recipient of the bounce is a return address, whose random part follows the plus sign.
  const returnId = /^(?:Delivered-To|X-Original-To|Envelope-To|To):.*\+([0-9a-f]{24})@/im.exec(headers)?.[1]
  const isFailed = /^Action:\s*failed\b/im.test(unfolded)
  const status = /^Status:\s*([245]\.\d{1,3}\.\d{1,3})\b/im.exec(unfolded)?.[1]
  return { isFailed, ...(returnId === undefined ? {} : { returnId }), ...(status === undefined ? {} : { status }) }
}
