// Whose account it is, by whichever way the provider tells.

import * as oauth from "oauth4webapi"
import type { Account } from "../../core/connection.ts"
import type { Identity, OAuthProvider } from "../../core/provider.ts"
import { callApi, isYes, judgeAvailability, nameFrom, readPath, toReason } from "../api-call.ts"
import type { Identified, SecretFields, Tools } from "../kind.ts"
import { toBearer } from "./bearer.ts"
import { toClient, toOptions } from "./client.ts"
import { reasons } from "./reasons.ts"
import { resolveServer } from "./server.ts"

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
      return known(fields.account_id, fields.account_name)
    case "userinfo":
      return askUserinfo(provider, identity, fields, tools)
    case "call":
      return askApi(provider, identity, fields, tools)
  }
}

async function askUserinfo(
  provider: OAuthProvider,
  identity: Extract<Identity, { from: "userinfo" }>,
  fields: SecretFields,
  tools: Tools,
): Promise<Identified> {
  const resolved = await resolveServer(provider, tools)
  if (resolved.kind !== "server") return { kind: "unavailable", reason: resolved.reason }
  const { metadata } = resolved.server
  // The id token named the account; a server without this endpoint tells no more.
  if (metadata.userinfo_endpoint === undefined) return known(fields.subject, undefined)
  const client = toClient(provider, tools)
  try {
    const options = toOptions(metadata.userinfo_endpoint, tools)
    const response = await oauth.userInfoRequest(metadata, client, fields.access_token ?? "", options)
    const unavailable = judgeAvailability(response, tools.runtime.now())
    if (unavailable !== undefined) return { kind: "unavailable", reason: unavailable.reason }
    if (response.status >= 400) return { kind: "refused", reason: reasons.credentialsRefused }
    const subject = fields.subject ?? oauth.skipSubjectCheck
    return toIdentified(identity, await oauth.processUserInfoResponse(metadata, client, subject, response))
  } catch (error) {
    return judgeFailure(error)
  }
}

/** What the library throws carries what the provider sent: only its code is looked at. */
function judgeFailure(error: unknown): Identified {
  const code = error instanceof oauth.OperationProcessingError ? error.code : undefined
  // OpenID Connect Core §5.3.2: another subject than the id token's must not be used.
  if (code === oauth.JSON_ATTRIBUTE_COMPARISON) return { kind: "refused", reason: reasons.wrongAccount }
  if (error instanceof oauth.WWWAuthenticateChallengeError)
    return { kind: "refused", reason: reasons.credentialsRefused }
  return { kind: "unavailable", reason: code === undefined ? toReason(error) : reasons.unreadableIdentity }
}

async function askApi(
  provider: OAuthProvider,
  identity: Extract<Identity, { from: "call" }>,
  fields: SecretFields,
  tools: Tools,
): Promise<Identified> {
  const answer = await callApi(identity.call, toBearer(provider, fields), tools)
  if (answer.kind === "unavailable") return { kind: "unavailable", reason: answer.reason }
  const { okMember, deadGrantErrors = [] } = provider.quirks ?? {}
  const body = (answer.body ?? {}) as Readonly<Record<string, unknown>>
  const failed = okMember !== undefined && body[okMember] === false
  if (answer.status === 401 || answer.status === 403 || (failed && deadGrantErrors.includes(String(body.error))))
    return { kind: "refused", reason: reasons.credentialsRefused }
  if (failed || !isYes(identity.call, answer.status)) return { kind: "unavailable", reason: reasons.unreadableIdentity }
  return toIdentified(identity, body)
}

function toIdentified(
  { id, name }: { readonly id: string; readonly name: readonly string[] },
  source: unknown,
): Identified {
  const found = readPath(source, id)
  return known(found === undefined ? undefined : String(found), nameFrom(source, name))
}

function known(id: string | undefined, name: string | undefined): Identified {
  if (id === undefined) return { kind: "unavailable", reason: reasons.unreadableIdentity }
  const account: Account = { id, ...(name === undefined ? {} : { name }) }
  return { kind: "known", account }
}
