// A key, or a user name and password, entered on the page: tested with a call before it is stored.

import type { Elicitation, Reason } from "@holdpoint/hub"
import { hashOf, toPrincipalId } from "@holdpoint/hub/internal"
import { testCredentials } from "../entered-credentials.ts"
import type { Flow } from "../records.ts"
import { flowKind } from "../records.ts"
import type { OutdatedPage } from "./begin.ts"
import { outdatedPage } from "./begin.ts"
import type { ConsentParts, Visitor } from "./consent.ts"
import { attemptsAt, failFlow, tooManyAttempts } from "./flows.ts"
import { keepGrant } from "./keep-grant.ts"
import type { ConsentRequest } from "./request.ts"
import { isAsShown, requestOf } from "./request.ts"

export type EnterResult =
  | { readonly kind: "kept" }
  /** The entered values do not work, or cannot be tested now. Nothing was stored. */
  | { readonly kind: "refused"; readonly reason: Reason }
  /** An earlier submission is still being processed or has succeeded, or the question can no longer be answered. */
  | { readonly kind: "under_way" }
  | OutdatedPage

export async function enter(
  parts: ConsentParts,
  elicitation: Elicitation,
  visitor: Visitor,
  {
    values,
    shownDigest,
  }: { readonly values: Readonly<Record<string, string>>; readonly shownDigest: string | undefined },
): Promise<EnterResult> {
  const request = await requestOf(parts, elicitation)
  const provider = request?.provider
  if (request === undefined || (provider?.kind !== "api_key" && provider?.kind !== "basic"))
    return { kind: "refused", reason: { code: "unknown_provider" } }
  if (shownDigest !== undefined && shownDigest !== request.digest) return outdatedPage
  const refusal = await tooManyAttempts(parts, elicitation)
  if (refusal !== undefined) return { kind: "refused", reason: refusal }
  const flow = await startAttempt(parts, elicitation, visitor, { ...request, shownDigest })
  if (flow === undefined) return { kind: "under_way" }
  if (flow.kind === "outdated") return flow
  const test = await testCredentials(provider, values, parts.tools)
  if (test.kind !== "works") {
    await failFlow(parts, flow, test.reason)
    return { kind: "refused", reason: test.reason }
  }
  const { credentials, account } = test
  const scopes = request.scopes.map(({ scope }) => scope)
  await keepGrant(parts, flow, { ...credentials, scopes }, account)
  return { kind: "kept" }
}

/**
 * Stores a new attempt. Undefined when another one has not failed, or the question cannot be answered. The id is
 * derived from the earlier attempts, so that only one of two concurrent inserts succeeds.
 */
async function startAttempt(
  parts: ConsentParts,
  elicitation: Elicitation,
  visitor: Visitor,
  request: Omit<ConsentRequest, "digest"> & { readonly shownDigest: string | undefined },
): Promise<Flow | OutdatedPage | undefined> {
  const now = parts.tools.runtime.now()
  const { id, tenant } = elicitation
  const earlierAttempts = await attemptsAt(parts, { tenant, elicitation: id })
  if (earlierAttempts.some(({ status }) => status !== "failed")) return undefined
  const expiresAt = now + parts.times.oauthMs
  const accepted = await parts.questions.answer(elicitation.id, {
    by: visitor.principal,
    action: "accept",
    via: "web",
    expiresAt,
  })
  if (!accepted.ok) return undefined
  if (!(await isAsShown(parts, accepted.elicitation, request.shownDigest))) return outdatedPage
  const flow: Flow = {
    id: hashOf(JSON.stringify([id, "entered", ...earlierAttempts.map((attempt) => attempt.id).sort()])),
    tenant,
    version: 1,
    kind: "entered",
    elicitation: elicitation.id,
    provider: request.provider.id,
    context: request.provider.id,
    by: toPrincipalId(visitor.principal),
    owner: request.owner,
    session: visitor.session,
    browser: "",
    status: "exchanging",
    connection: parts.tools.runtime.newId(),
    scopes: [],
    ...(request.connection === undefined ? {} : { replaces: request.connection.id }),
    createdAt: now,
    expiresAt,
    dueAt: now + parts.times.abandonedMs,
  }
  if (!(await parts.storage.records(flowKind).insert(flow))) return undefined
  parts.arm(flow.dueAt)
  return flow
}
