// Whether a request comes from Slack and is recent. The check needs the received bytes of the body, because parsing and
// rewriting JSON changes them. https://docs.slack.dev/authentication/verifying-requests-from-slack

import { createHmac } from "node:crypto"
import { isSameText } from "@holdpoint/hub/internal"

export interface SignedRequest {
  readonly headers: Headers
  readonly body: string
}

/** The reason why a request is refused. */
export type SignatureProblem = "unsigned" | "stale" | "forged"

const freshMs = 5 * 60_000

export function signatureProblem(
  { headers, body }: SignedRequest,
  { secret, now }: { readonly secret: string; readonly now: number },
): SignatureProblem | undefined {
  const signature = headers.get("x-slack-signature")
  const timestamp = headers.get("x-slack-request-timestamp")
  if (signature === null || timestamp === null || !/^\d{1,12}$/.test(timestamp)) return "unsigned"
  if (Math.abs(now - Number(timestamp) * 1_000) > freshMs) return "stale"
  const expected = `v0=${createHmac("sha256", secret).update(`v0:${timestamp}:${body}`).digest("hex")}`
  return isSameText(signature, expected) ? undefined : "forged"
}
