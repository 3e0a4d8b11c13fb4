// Finds out whose account it is, by the means that the provider's data names.

import type { Account } from "../../core/connection.ts"
import { toLabel } from "../../core/connection.ts"
import { nameFrom, readPath } from "../../core/dotted.ts"
import type { Reason } from "../../core/elicitation.ts"
import type { Identity, IdentityByCall, OAuthProvider } from "../../core/provider.ts"
import { reasons } from "../../oauth/reasons.ts"
import { resolveServer } from "../../oauth/server.ts"
import { askUserinfo } from "../../oauth/userinfo.ts"
import { callApi, isSuccess } from "../api-call.ts"
import type { Identified, SecretFields, Tools } from "../kind.ts"
import { toBearer } from "./bearer.ts"

export async function identifyAccount(
  provider: OAuthProvider,
  fields: SecretFields,
  tools: Tools,
): Promise<Identified> {
  const { identity } = provider
  switch (identity.from) {
    case "nothing":
      return { kind: "silent" }
    case "id_token":
    case "token":
      return toKnown(fields.account_id, fields.account_name)
    case "userinfo":
      return byUserinfo(provider, identity, fields, tools)
    case "call":
      return askApi(provider, identity, fields, tools)
  }
}

async function byUserinfo(
  provider: OAuthProvider,
  identity: Extract<Identity, { from: "userinfo" }>,
  fields: SecretFields,
  tools: Tools,
): Promise<Identified> {
  const resolved = await resolveServer(provider, tools)
  if (resolved.kind !== "server") return { kind: "unavailable", reason: resolved.reason }
  // The ID token has the account's id; a server without a userinfo endpoint adds nothing to it.
  if (resolved.server.metadata.userinfo_endpoint === undefined) return toKnown(fields.subject, undefined)
  const request = { accessToken: fields.access_token ?? "", subject: fields.subject }
  const stated = await askUserinfo(provider, resolved.server, request, tools)
  return stated.kind === "claims" ? toIdentified(identity, stated.claims) : stated
}

async function askApi(
  provider: OAuthProvider,
  identity: IdentityByCall,
  fields: SecretFields,
  tools: Tools,
): Promise<Identified> {
  const answer = await callApi(identity.call, toBearer(provider, fields), tools)
  if (answer.kind === "unavailable") return { kind: "unavailable", reason: answer.reason }
  const { okMember, deadGrantErrors = [] } = provider.quirks ?? {}
  const body = (answer.body ?? {}) as Readonly<Record<string, unknown>>
  const failed = okMember !== undefined && body[okMember] === false
  if (answer.status === 401 || answer.status === 403 || (failed && deadGrantErrors.includes(String(body.error))))
    return { kind: "refused", reason: refusedBy(identity) }
  if (failed || !isSuccess(identity.call, answer.status))
    return { kind: "unavailable", reason: reasons.unreadableIdentity }
  const { host } = identity
  const identified = toIdentified(identity, body)
  if (identified.kind !== "known" || host === undefined) return identified
  const { id, name } = identified.account
  return { kind: "known", account: { id, name: toLabel(id, host, name) } }
}

/** The provider has just issued these tokens, so the fault is in its setup and not with the person. */
const refusedBy = ({ advice }: IdentityByCall): Reason =>
  advice === undefined ? reasons.credentialsRefused : { code: "token_not_accepted", message: advice }

function toIdentified(
  { id, name }: { readonly id: string; readonly name: readonly string[] },
  source: unknown,
): Identified {
  const accountId = readPath(source, id)
  return toKnown(accountId === undefined ? undefined : String(accountId), nameFrom(source, name))
}

function toKnown(id: string | undefined, name: string | undefined): Identified {
  if (id === undefined) return { kind: "unavailable", reason: reasons.unreadableIdentity }
  const account: Account = { id, ...(name === undefined ? {} : { name }) }
  return { kind: "known", account }
}
