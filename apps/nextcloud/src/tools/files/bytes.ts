// Decodes the content of a write: text, or bytes in base64.

import { nextcloudError } from "../../api/error.ts"
import { oneOf, optional } from "../../schema.ts"

export const encoding = optional(oneOf(["text", "base64"], "Of content; default: text"))

export function toBytes(content: string, encoding: "text" | "base64" | undefined, activity: string): Uint8Array {
  if (encoding !== "base64") return new TextEncoder().encode(content)
  const compactContent = content.replace(/\s+/g, "")
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(compactContent) || compactContent.replace(/=+$/, "").length % 4 === 1)
    throw nextcloudError("invalid", { activity, because: "the content is not base64" })
  return new Uint8Array(Buffer.from(compactContent, "base64"))
}
