// Explains to the owner why access has to be granted again: one row for each reason for which a connection is lost.

import type { Reason } from "@holdpoint/hub"
import type { Provider } from "@holdpoint/hub/internal"

type NamedProvider = Pick<Provider, "name" | "kind">

const causes: Readonly<Record<Provider["kind"], string>> = {
  login_flow: "the app password was deleted there, the password was changed, or the account is disabled",
  oauth: "it was withdrawn there, or the account is disabled",
  mcp_server: "it was withdrawn there, or the account is disabled",
  api_key: "the key was deleted or replaced there, or the account is disabled",
  basic: "the password was changed there, or the account is disabled",
}

const refusedClause = ({ name, kind }: NamedProvider): string =>
  `${name} no longer accepts the access it granted (${causes[kind]})`

const clauses: Readonly<Record<string, (provider: NamedProvider) => string>> = {
  // A call was refused even after the credentials were renewed.
  unauthorized: refusedClause,
  credentials_refused: refusedClause,
  // The provider refused the refresh.
  grant_ended: ({ name }) => `${name} did not renew access (it was withdrawn there, or not used for too long)`,
  expired: ({ name }) => `${name} granted access for a limited time, which has ended`,
}

/** A clause for use after a colon: it begins with the provider's name or in lower case, and has no full stop. */
export function lossClause(provider: NamedProvider, reason: Pick<Reason, "code"> | undefined): string {
  const clause = reason === undefined ? undefined : clauses[reason.code]
  return clause?.(provider) ?? `access to ${provider.name} has ended`
}

export function lossSentence(provider: NamedProvider, reason: Pick<Reason, "code"> | undefined): string {
  const clause = lossClause(provider, reason)
  return `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`
}
