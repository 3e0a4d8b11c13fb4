// The link by which a person stops mails without signing in (RFC 8058). Its token is sealed and bound to one person and
// one kind of question. The link only stops mails, and never answers a question.

import type { Addresses } from "@holdpoint/hub"
import { toPrincipalId } from "@holdpoint/hub/internal"
import type { Tokens } from "@holdpoint/hub/sealing"
import { emailPaths } from "./paths.ts"
import type { Subscription } from "./records.ts"

const purpose = "unsubscribe"

export function toUnsubscribeLink(addresses: Addresses, tokens: Tokens, { person, kind }: Subscription): string {
  const { tenant, issuer, subject } = toPrincipalId(person)
  return addresses.to(
    emailPaths.unsubscribe,
    tokens.seal(purpose, [tenant, issuer, subject, kind].map(encodeURIComponent).join(" ")),
  )
}

/** Reads an unsubscribe token. Undefined when the token was not issued by this server, or was altered. */
export function fromUnsubscribeToken(tokens: Tokens, token: string): Subscription | undefined {
  const text = tokens.open(purpose, token)
  if (text === undefined) return undefined
  const [tenant = "", issuer = "", subject = "", kind = ""] = text.split(" ").map(decodeURIComponent)
  return { person: { tenant, issuer, subject }, kind }
}
