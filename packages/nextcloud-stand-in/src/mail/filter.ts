// The filter of a message list, as Mail parses it: unknown keywords, and values that contain a space, are ignored
// silently.

import { decoded } from "../decoded.ts"
import type { StoredMail } from "./store.ts"

export const matches = (mail: StoredMail, filter: string): boolean =>
  filter.split(" ").every((token) => isMet(mail, token))

const flagged: Readonly<Record<string, (mail: StoredMail) => boolean>> = {
  answered: ({ flags }) => flags.answered,
  read: ({ flags }) => flags.seen,
  unread: ({ flags }) => !flags.seen,
  starred: ({ flags }) => flags.flagged,
}

function isMet(mail: StoredMail, token: string): boolean {
  const [kind = "", encoded] = token.split(":")
  if (encoded === undefined) return true
  const value = decoded(encoded.replaceAll("+", " "))
  const has = (text: string): boolean => text.toLowerCase().includes(value.toLowerCase())
  switch (kind.toLowerCase()) {
    case "is":
      return flagged[value]?.(mail) ?? true
    case "not":
      return !(flagged[value]?.(mail) ?? false)
    case "from":
      return has(mail.from.email)
    case "to":
      return mail.to.some(({ email }) => has(email))
    case "subject":
      return has(mail.subject)
    case "start":
      return mail.sentAt >= Number(value)
    case "end":
      return mail.sentAt <= Number(value)
    default:
      return true
  }
}
