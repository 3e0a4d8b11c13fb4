// Cursors for lists that the server continues from a number: a message id or a time.

import { nextcloudError } from "./api/error.ts"

export const toIdCursor = (id: number): string => `id-${id}`

export function idInCursor(cursor: string): number {
  const digits = /^id-(\d{1,15})$/.exec(cursor)?.[1]
  if (digits !== undefined) return Number(digits)
  const because = "this cursor was not issued by this server"
  throw nextcloudError("invalid", {
    activity: "continuing the list",
    because,
    advice: "Omit `cursor` to start from the beginning.",
  })
}
