// The route with which a person answers a question. The caller is authenticated before. People outside the audience get
// the same response as for an unknown question.

import type { StepResult } from "@holdpoint/hub"
import { HoldpointError } from "@holdpoint/hub"
import type { Json } from "@holdpoint/hub/internal"
import { toWireApprovals } from "./approvals.ts"
import { toJson } from "./ask.ts"
import { readJson } from "./body.ts"
import type { PersonRoute } from "./parts.ts"
import { toProblem, toRefusal } from "./problem.ts"

/** POST /api/questions/{id}/answer */
export const postAnswer: PersonRoute = async ({ hub }, { request, id, person }) => {
  const { action, content, reason } = readAnswer(await readJson(request))
  // The same reason codes as on all other surfaces.
  const code = action === "cancel" ? "person_cancelled" : "person_declined"
  const reasonGiven = reason === undefined ? {} : { reason: { code, message: reason } }
  const answer = { by: person, action, via: "http", ...reasonGiven, ...(content === undefined ? {} : { content }) }
  return toResponse(await hub.answer(id, answer))
}

interface ReadAnswer {
  readonly action: "accept" | "decline" | "cancel"
  readonly content?: unknown
  readonly reason?: string
}

function readAnswer(body: Json): ReadAnswer {
  const { action, content, reason, ...unknownMembers } = body
  const problems = [
    ...(["accept", "decline", "cancel"].includes(action as string)
      ? []
      : [{ path: "action", message: "must be accept, decline or cancel" }]),
    ...(reason === undefined || typeof reason === "string" ? [] : [{ path: "reason", message: "must be text" }]),
    ...Object.keys(unknownMembers).map((path) => ({ path, message: "is not a member of an answer" })),
  ]
  if (problems.length > 0) throw new HoldpointError("invalid_request", answerShape, { problems })
  return body as unknown as ReadAnswer
}

const answerShape =
  'An answer is { "action": "accept", "decline" or "cancel", "content": { … } for a form, "reason": … }.'

function toResponse(result: StepResult): Response {
  if (result.ok) {
    const { id, status } = result.elicitation
    const { approvals, votes } = toWireApprovals(result.elicitation)
    return toJson({ id, status, changed: result.changed, ...(approvals === undefined ? {} : { approvals, votes }) })
  }
  const { refusal } = result
  const isForeign = refusal.code === "not_addressee" || refusal.code === "not_found"
  return isForeign ? toProblem("not_found", "You have no question with this id.") : toRefusal(refusal)
}
