// Adds scopes that Holdpoint enforces itself to a working connection, after one Yes and without the provider. Stored as
// a flow, so that another process finishes it after a crash.

import type { Elicitation } from "@holdpoint/hub"
import { hashOf, toPrincipalId } from "@holdpoint/hub/internal"
import type { Flow } from "../records.ts"
import { flowKind } from "../records.ts"
import type { BeginResult } from "./begin.ts"
import type { ConsentParts, Visitor } from "./consent.ts"
import { finish } from "./finish.ts"
import { attemptsAt } from "./flows.ts"
import { requestOf } from "./request.ts"

export async function startWidening(
  parts: ConsentParts,
  elicitation: Elicitation,
  visitor: Visitor,
  shownDigest: string | undefined,
): Promise<BeginResult> {
  const { id, tenant } = elicitation
  const now = parts.tools.runtime.now()
  const earlierAttempts = await attemptsAt(parts, { tenant, elicitation: id })
  if (earlierAttempts.some(({ status }) => status !== "failed" && status !== "consented")) return { kind: "widened" }
  const expiresAt = now + parts.times.oauthMs
  const accepted = await parts.questions.answer(id, { by: visitor.principal, action: "accept", via: "web", expiresAt })
  if (!accepted.ok) return { kind: "unavailable", reason: { code: accepted.refusal.code } }
  // Read again now that the question can no longer be widened.
  const request = await requestOf(parts, accepted.elicitation)
  const { connection } = request ?? {}
  if (
    request?.isWidening !== true ||
    connection === undefined ||
    (shownDigest !== undefined && shownDigest !== request.digest)
  )
    return { kind: "outdated" }
  const failedIds = earlierAttempts.filter(({ status }) => status === "failed").map((attempt) => attempt.id)
  const flow: Flow = {
    // Derived from the earlier attempts, so that only one of two concurrent presses is stored.
    id: hashOf(JSON.stringify([id, "widening", ...failedIds.sort()])),
    tenant,
    version: 1,
    kind: "widening",
    elicitation: id,
    provider: request.provider.id,
    context: request.provider.id,
    by: toPrincipalId(visitor.principal),
    owner: request.owner,
    session: visitor.session,
    browser: "",
    status: "exchanged",
    connection: connection.id,
    scopes: request.scopes.map(({ scope }) => scope),
    createdAt: now,
    expiresAt,
    dueAt: now + parts.times.abandonedMs,
  }
  if (!(await parts.storage.records(flowKind).insert(flow))) return { kind: "widened" }
  parts.arm(flow.dueAt)
  await finish(parts, flow)
  return { kind: "widened" }
}
