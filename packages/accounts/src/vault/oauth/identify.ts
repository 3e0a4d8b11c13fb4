// Finds out whose account it is, by the means that the provider's data names.

import type { Reason } from "@holdpoint/hub"
import type { Account, Identity, IdentityByCall, OAuthProvider } from "@holdpoint/hub/internal"
import { nameFrom, readPath, toLabel } from "@holdpoint/hub/internal"
import { reasons } from "../../oauth/reasons.ts"
import { resolveServer } from "../../oauth/server.ts"
import { askUserinfo } from "../../oauth/userinfo.ts"
import { callApi, isSuccess } from "../api-call.ts"
import type { IdentifyResult, SecretFields, Tools } from "../kind.ts"
import { toBearer } from "./bearer.ts"

export async function identifyAccount(
  provider: OAuthProvider,
  fields: SecretFields,
  tools: Tools,
): Promise<IdentifyResult> {
  const { identity } = provider
  switch (identity.from) {
    case "nothing":
      return { kind: "silent" }
    case "id_token":
    case "token":
      return toKnown(fields.account_id, fields.account_name)
    case "userinfo":
      return identifyByUserinfo(provider, identity, fields, tools)
    case "call":
      return identifyByCall(provider, identity, fields, tools)
  }
}

async function identifyByUserinfo(
  provider: OAuthProvider,
  identity: Extract<Identity, { from: "userinfo" }>,
  fields: SecretFields,
  tools: Tools,
): Promise<IdentifyResult> {
  const resolved = await resolveServer(provider, tools)
  if (resolved.kind !== "server") return { kind: "unavailable", reason: resolved.reason }
  // The ID token has the account's id; a server without a userinfo endpoint adds nothing to it.
  if (resolved.server.metadata.userinfo_endpoint === undefined) return toKnown(fields.subject, undefined)
  const request = { accessToken: fields.access_token ?? "", subject: fields.subject }
  const userinfo = await askUserinfo(provider, resolved.server, request, tools)
  return userinfo.kind === "claims" ? toIdentified(identity, userinfo.claims) : userinfo
}

async function identifyByCall(
  provider: OAuthProvider,
  identity: IdentityByCall,
  fields: SecretFields,
  tools: Tools,
): Promise<IdentifyResult> {
  const answer = await callApi(identity.call, toBearer(provider, fields), tools)
  if (answer.kind === "unavailable") return { kind: "unavailable", reason: answer.reason }
  const { okMember, deadGrantErrors = [] } = provider.quirks ?? {}
  const body = (answer.body ?? {}) as Readonly<Record<string, unknown>>
  const hasFailed = okMember !== undefined && body[okMember] === false
  if (answer.status === 401 || answer.status === 403 || (hasFailed && deadGrantErrors.includes(String(body.error))))
    return { kind: "refused", reason: refusalReasonOf(identity) }
  if (hasFailed || !isSuccess(identity.call, answer.status))
    return { kind: "unavailable", reason: reasons.unreadableIdentity }
  const { host } = identity
  const identified = toIdentified(identity, body)
  if (identified.kind !== "known" || host === undefined) return identified
  const { id, name } = identified.account
  return { kind: "known", account: { id, name: toLabel(id, host, name) } }
}

/** The provider has just issued these tokens, so the fault is in its setup and not with the person. */
const refusalReasonOf = ({ advice }: IdentityByCall): Reason =>
  advice === undefined ? reasons.credentialsRefused : { code: "token_not_accepted", message: advice }

function toIdentified(
  { id, name }: { readonly id: string; readonly name: readonly string[] },
  source: unknown,
): IdentifyResult {
  const accountId = readPath(source, id)
  return toKnown(accountId === undefined ? undefined : String(accountId), nameFrom(source, name))
}

function toKnown(id: string | undefined, name: string | undefined): IdentifyResult {
  if (id === undefined) return { kind: "unavailable", reason: reasons.unreadableIdentity }
  const account: Account = { id, ...(name === undefined ? {} : { name }) }
  return { kind: "known", account }
}
