// Signatures of Standard Webhooks. The package is an optional peer, loaded with the first event.

import { randomBytes } from "node:crypto"
import { loadPeer } from "@holdpoint/hub/internal"

export interface Signed {
  readonly id: string
  /** The time of the attempt: receivers refuse requests that are older than five minutes. */
  readonly at: number
  readonly body: string
}

/** The headers of a request. With two secrets it has two signatures, and receivers accept either. */
export async function toHeaders(secrets: readonly string[], { id, at, body }: Signed) {
  const { Webhook } = await loadSigner()
  return {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at / 1_000)),
    "webhook-signature": secrets.map((secret) => new Webhook(secret).sign(id, new Date(at), body)).join(" "),
  }
}

/** Loads the package that signs events. Throws `invalid_config` when the package is not installed. */
export const loadSigner = () => loadPeer("standardwebhooks", () => import("standardwebhooks"))

/** A secret of 256 random bits. */
export const newSecret = (): string => `whsec_${randomBytes(32).toString("base64")}`
