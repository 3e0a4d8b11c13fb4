// Converts connections and sessions to the views of the account page. Pure.

import { lossSentence } from "@holdpoint/accounts/internal"
import type { Reason } from "@holdpoint/hub"
import { paths } from "@holdpoint/hub"
import type { Connection, Provider } from "@holdpoint/hub/internal"
import { hasOwnScopes, pathTo, scopeWords } from "@holdpoint/hub/internal"
import type { Session } from "../identity/records.ts"
import type { ConnectionView, ProjectsView, SessionView } from "../web/index.ts"
import type { Site } from "./site.ts"
import { reasonWords } from "./words.ts"

export function toConnectionView({ vault }: Pick<Site, "vault">, connection: Connection): ConnectionView {
  const { id, provider, account, status, scopes, reason, activatedAt, lastUsedAt, hint } = connection
  const knownProvider = vault.providers.get(provider)
  const name = knownProvider?.name ?? provider
  return {
    id,
    provider: { name },
    ...(account === undefined ? {} : { account: account.name ?? account.id }),
    scopes: scopes.map((scope) => ({
      scope,
      words: knownProvider === undefined ? scope : scopeWords(knownProvider, scope),
    })),
    status,
    ...(reason === undefined || status !== "needs_reauth"
      ? {}
      : { reason: reconnectWords(knownProvider, name, reason) }),
    ...(activatedAt === undefined ? {} : { connectedAt: activatedAt }),
    ...(lastUsedAt === undefined ? {} : { lastUsedAt }),
    // The expiry is shown only for a token that cannot be refreshed: then the person has to act.
    ...(connection.expiresAt === undefined || connection.hasRefreshToken ? {} : { expiresAt: connection.expiresAt }),
    ...(hint === undefined ? {} : { hint }),
    ...narrowOf(knownProvider, connection),
    disconnect: pathTo(paths.disconnect, id),
    ...(status === "needs_reauth" && knownProvider !== undefined ? { reconnect: pathTo(paths.reconnect, id) } : {}),
  }
}

/** The scopes that the person may remove: the scopes that programs requested, without the provider's base scopes. */
function narrowOf(provider: Provider | undefined, { id, scopes }: Connection): Pick<ConnectionView, "narrow"> {
  if (provider === undefined || hasOwnScopes(provider)) return {}
  const base = provider.kind === "oauth" ? (provider.baseScopes ?? []) : []
  const narrowableScopes = scopes.filter((scope) => !base.includes(scope))
  const views = narrowableScopes.map((scope) => ({ scope, words: scopeWords(provider, scope) }))
  return views.length === 0 ? {} : { narrow: { action: pathTo(paths.narrow, id), scopes: views } }
}

const reconnectWords = (provider: Provider | undefined, name: string, reason: Reason): string =>
  provider === undefined ? reasonWords(reason, name) : lossSentence(provider, reason)

export function toSessionView({ id, agent, createdAt, seenAt }: Session, current: string): SessionView {
  return {
    id,
    ...(agent === undefined ? {} : { agent }),
    createdAt,
    seenAt,
    current: id === current,
    end: pathTo(paths.endSession, id),
  }
}

export function toProjects(
  site: Pick<Site, "vault">,
  connections: readonly Connection[],
  action: string,
  form: Pick<ProjectsView, "values" | "problems"> = {},
): ProjectsView {
  return {
    connections: connections.map((connection) => ({
      ...toConnectionView(site, connection),
      project: connection.owner.kind === "project" ? connection.owner.project : "",
    })),
    providers: [...site.vault.providers.values()].map(({ id, name }) => ({ id, name })),
    action,
    ...form,
  }
}
