// Reads the body of a request or a response up to a limit. A larger body is not read to its end.

import { createByteBuffer } from "./byte-buffer.ts"

/** The body as text; undefined when it is larger than `mostBytes`. */
export async function readText(
  message: Pick<Request | Response, "headers" | "body">,
  mostBytes: number,
): Promise<string | undefined> {
  // Checked before `body` is read: cancelling a stream that was begun closes the sender's connection.
  if (Number(message.headers.get("content-length") ?? 0) > mostBytes) return undefined
  const bytes = createByteBuffer()
  for await (const chunk of message.body ?? []) {
    if (bytes.size + chunk.byteLength > mostBytes) return undefined
    bytes.add(chunk)
  }
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.take())
}

export interface BodyLimits {
  readonly mostBytes: number
  readonly timeoutMs: number
}

/** The body as text; undefined when it is larger, or not complete in time. */
export async function readTextWithin(
  { headers, body }: Pick<Response, "headers" | "body">,
  { mostBytes, timeoutMs }: BodyLimits,
): Promise<string | undefined> {
  if (body === null) return ""
  let isLate = false
  const end = new AbortController()
  const timer = setTimeout(() => {
    isLate = true
    end.abort()
  }, timeoutMs)
  try {
    const timed = body.pipeThrough(new TransformStream(), { signal: end.signal })
    return await readText({ headers, body: timed }, mostBytes)
  } catch (error) {
    if (isLate) return undefined
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/**
 * The body of a request as text; undefined when it is larger than `mostBytes`. The HTTP server enforces a declared
 * length; without one, the bytes are counted.
 */
export async function readRequestText(request: Request, mostBytes: number): Promise<string | undefined> {
  const declared = Number(request.headers.get("content-length") ?? 0)
  if (declared > mostBytes) return undefined
  // `text()` is much faster than `body`, for which servers on Node create a stream.
  return declared > 0 ? request.text() : readText(request, mostBytes)
}
