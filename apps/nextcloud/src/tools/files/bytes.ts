// Decodes the content of a write: text, or bytes in base64.

import { nextcloudError } from "../../api/error.ts"
import { oneOf, optional } from "../../schema.ts"

export const encoding = optional(oneOf(["text", "base64"], "Of content; default: text"))

export function toBytes(content: string, how: "text" | "base64" | undefined, doing: string): Uint8Array {
  if (how !== "base64") return new TextEncoder().encode(content)
  const compact = content.replace(/\s+/g, "")
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(compact) || compact.replace(/=+$/, "").length % 4 === 1)
    throw nextcloudError("invalid", { doing, because: "the content is not base64" })
  return new Uint8Array(Buffer.from(compact, "base64"))
}
