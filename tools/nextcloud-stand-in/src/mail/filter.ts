// The filter of a message list, as Mail parses it: unknown keywords, and what follows a space in a value, are ignored
// silently.

import { decodeSegment } from "../decode-segment.ts"
import type { StoredMail } from "./store.ts"

export const matches = (mail: StoredMail, filter: string): boolean =>
  filter.split(" ").every((token) => matchesToken(mail, token))

const flagTests: Readonly<Record<string, (mail: StoredMail) => boolean>> = {
  answered: ({ flags }) => flags.answered,
  read: ({ flags }) => flags.seen,
  unread: ({ flags }) => !flags.seen,
  starred: ({ flags }) => flags.flagged,
}

function matchesToken(mail: StoredMail, token: string): boolean {
  const [kind = "", encodedValue] = token.split(":")
  if (encodedValue === undefined) return true
  const value = decodeSegment(encodedValue.replaceAll("+", " "))
  const includesValue = (text: string): boolean => text.toLowerCase().includes(value.toLowerCase())
  switch (kind.toLowerCase()) {
    case "is":
      return flagTests[value]?.(mail) ?? true
    case "not":
      return !(flagTests[value]?.(mail) ?? false)
    case "from":
      return includesValue(mail.from.email)
    case "to":
      return mail.to.some(({ email }) => includesValue(email))
    case "subject":
      return includesValue(mail.subject)
    case "start":
      return mail.sentAt >= Number(value)
    case "end":
      return mail.sentAt <= Number(value)
    default:
      return true
  }
}
