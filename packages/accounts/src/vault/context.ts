// The context of a question about an account: the owner, the provider and the scopes. The vault writes it, the pages
// read it. A question with an incomplete context does not count as one about an account.

import type { Audience, Context, Elicitation } from "@holdpoint/hub"
import { isSamePerson } from "@holdpoint/hub"
import type { Connection, Owner } from "@holdpoint/hub/internal"
import { isSameOwner } from "@holdpoint/hub/internal"

export interface ConnectContext {
  readonly provider: string
  /** All scopes to request: those needed now and those granted before. */
  readonly scopes: readonly string[]
  /** Optional scopes that the person may allow at the same time. */
  readonly offers?: readonly string[]
  readonly owner: Owner
  /** The id of the connection to widen or renew. */
  readonly connection?: string
  /** The id of the account to connect at the provider. Absent when any account will do. */
  readonly account?: string
  /** Why access is requested again: the code of a lost connection, or `more_scopes`. */
  readonly reason?: string
  /** Where the person returns to: an id of the configured return targets, never an address. */
  readonly returnTo?: string
  /** The tool that needs the account, for telemetry and for surfaces that show it. `readContext` omits it. */
  readonly tool?: string
  /** The kind of the provider, for telemetry and for surfaces that show it. `readContext` omits it. */
  readonly credentialType?: string
  /** The provider's name, for telemetry and for surfaces that show it. `readContext` omits it. */
  readonly providerName?: string
}

export function toContext(facts: ConnectContext): Context {
  const {
    provider,
    scopes,
    offers = [],
    owner,
    connection,
    account,
    reason,
    returnTo,
    tool,
    credentialType,
    providerName,
  } = facts
  return {
    trigger: "credential_required",
    provider,
    ...(scopes.length === 0 ? {} : { scopes: scopes.join(" ") }),
    ...(offers.length === 0 ? {} : { offers: offers.join(" ") }),
    owner: owner.kind,
    ...(owner.kind === "person"
      ? { ownerIssuer: owner.issuer, ownerSubject: owner.subject }
      : { ownerProject: owner.project }),
    ...(connection === undefined ? {} : { connection }),
    ...(account === undefined ? {} : { account }),
    ...(reason === undefined ? {} : { reason }),
    ...(returnTo === undefined ? {} : { returnTo }),
    ...(tool === undefined ? {} : { tool }),
    ...(credentialType === undefined ? {} : { credentialType }),
    ...(providerName === undefined ? {} : { providerName }),
  }
}

/**
 * Undefined when the elicitation is not about an account, its context was not written by `toContext`, or it asks one
 * person to connect another person's account: the right to ask questions must not be enough for that.
 */
export function readContext(
  elicitation: Pick<Elicitation, "tenant" | "context" | "audience">,
): ConnectContext | undefined {
  const { context, tenant, audience } = elicitation
  if (context.trigger !== "credential_required") return undefined
  const provider = readText(context, "provider")
  const owner = readOwner(context, tenant)
  if (provider === undefined || owner === undefined || !mayConnectFor(owner, audience)) return undefined
  const offers = readList(context, "offers")
  const [connection, account, reason, returnTo] = (["connection", "account", "reason", "returnTo"] as const).map(
    (name) => readText(context, name),
  )
  return {
    provider,
    scopes: readList(context, "scopes"),
    ...(offers.length === 0 ? {} : { offers }),
    owner,
    ...(connection === undefined ? {} : { connection }),
    ...(account === undefined ? {} : { account }),
    ...(reason === undefined ? {} : { reason }),
    ...(returnTo === undefined ? {} : { returnTo }),
  }
}

/** Only the person themselves may connect a person's account. */
export function mayConnectFor(owner: Owner, audience: Audience): boolean {
  return owner.kind === "project" || (audience.kind === "one" && isSamePerson(audience.principal, owner))
}

/** Whether owner and provider agree, because a context must not point at another person's connection. */
export function isAboutConnection(
  context: ConnectContext,
  connection: Pick<Connection, "owner" | "provider">,
): boolean {
  return context.provider === connection.provider && isSameOwner(context.owner, connection.owner)
}

function readOwner(context: Context, tenant: string): Owner | undefined {
  const issuer = readText(context, "ownerIssuer")
  const subject = readText(context, "ownerSubject")
  const project = readText(context, "ownerProject")
  switch (readText(context, "owner")) {
    case "person":
      return issuer === undefined || subject === undefined ? undefined : { kind: "person", tenant, issuer, subject }
    case "project":
      return project === undefined ? undefined : { kind: "project", tenant, project }
    default:
      return undefined
  }
}

const readList = (context: Context, name: string): readonly string[] =>
  (readText(context, name)?.split(" ") ?? []).filter((scope) => scope !== "")

function readText(context: Context, name: string): string | undefined {
  const value = context[name]
  return typeof value === "string" && value !== "" ? value : undefined
}
