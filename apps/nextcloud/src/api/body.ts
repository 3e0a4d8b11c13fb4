// Reads the whole body of a response, with a limit on its size and on the time it takes.

import { pluralize } from "../pluralize.ts"
import { nextcloudError } from "./error.ts"
import type { NcRequest } from "./nextcloud.ts"

export async function readBody(
  response: Response,
  { maxBytes = 16 * 1_024 * 1_024, activity }: NcRequest,
  patienceMs: number,
): Promise<Uint8Array> {
  const { body } = response
  if (body === null) return new Uint8Array()
  const length = Number(response.headers.get("content-length") ?? 0)
  if (length > maxBytes) {
    await body.cancel()
    throw nextcloudError("too_large", {
      activity,
      because: `the response has ${pluralize(length, "byte")}, more than can be read`,
    })
  }
  const reader = body.getReader()
  const cancelRead = (): void => void reader.cancel().catch(() => {})
  // A server that starts to answer and never finishes must not block a call forever.
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    cancelRead()
  }, patienceMs)
  try {
    const chunks: Uint8Array[] = []
    for (let size = 0; ; ) {
      const { done, value } = await reader.read()
      if (isLate) throw new DOMException("The response did not finish in time.", "TimeoutError")
      if (done) return chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks, size)
      size += value.byteLength
      if (size > maxBytes) {
        cancelRead()
        throw nextcloudError("too_large", {
          activity,
          because: `the response has more than ${pluralize(maxBytes, "byte")}`,
        })
      }
      chunks.push(value)
    }
  } finally {
    clearTimeout(timer)
  }
}
