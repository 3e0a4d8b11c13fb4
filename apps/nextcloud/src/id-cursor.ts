// Cursors where the server itself reads on from a number: a message's id, a time.

import { nextcloudError } from "./api/error.ts"

export const toIdCursor = (id: number): string => `id-${id}`

export function idInCursor(cursor: string): number {
  const found = /^id-(\d{1,15})$/.exec(cursor)?.[1]
  if (found !== undefined) return Number(found)
  const because = "this cursor is none that was given out"
  throw nextcloudError("invalid", { doing: "reading on", because, advice: "Leave `cursor` out to begin at the start." })
}
