// The body of an answer, as a whole: not larger than it may be, and not for ever.

import { nextcloudError } from "./error.ts"
import type { NcRequest } from "./nextcloud.ts"

export async function readBody(
  response: Response,
  { maxBytes = 16 * 1_024 * 1_024, doing }: NcRequest,
  patienceMs: number,
): Promise<Uint8Array> {
  const length = Number(response.headers.get("content-length") ?? 0)
  if (length > maxBytes) {
    await response.body?.cancel()
    throw nextcloudError("too_large", { doing, because: `the answer has ${length} bytes, more than can be read` })
  }
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of inTime(response, patienceMs)) {
    size += chunk.byteLength
    if (size > maxBytes)
      throw nextcloudError("too_large", { doing, because: `the answer has more than ${maxBytes} bytes` })
    chunks.push(chunk)
  }
  const [only] = chunks
  return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, size)
}

/** A server that begins to answer and never ends holds nobody for ever. */
async function* inTime({ body }: Response, patienceMs: number): AsyncGenerator<Uint8Array> {
  if (body === null) return
  const reader = body.getReader()
  let isLate = false
  const giveUp = (): void => void reader.cancel().catch(() => {})
  const timer = setTimeout(() => {
    isLate = true
    giveUp()
  }, patienceMs)
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (isLate) throw new DOMException("The answer did not come to its end.", "TimeoutError")
      if (done) return
      yield value
    }
  } finally {
    clearTimeout(timer)
    giveUp()
  }
}
