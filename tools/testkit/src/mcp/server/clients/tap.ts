// Records the messages of an official client's transport without changing them.

import type { JsonObject } from "./client.ts"

export function tap(transport: object): JsonObject[] {
  const heard: JsonObject[] = []
  const open = transport as { onmessage?: (message: JsonObject, extra?: unknown) => void }
  const inner = open.onmessage
  open.onmessage = (message, extra) => {
    heard.push(message)
    inner?.(message, extra)
  }
  return heard
}
