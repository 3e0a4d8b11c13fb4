// Checks a person's answer from any surface, and turns it into a step of the question.

import type { Reason } from "../core/elicitation.ts"
import type { Problem } from "../core/error.ts"
import type { Limits } from "../core/limits.ts"
import type { Principal } from "../core/principal.ts"
import { textProblem } from "../core/text.ts"
import type { ElicitationEvent } from "../core/transition.ts"
import type { Runtime } from "../ports/runtime.ts"
import type { Step, StepResult } from "./steps.ts"

/**
 * A person's answer. The surface must have verified `by`. `expiresAt` moves the deadline, for pages of this server on
 * which a verified person starts a flow that has its own deadline.
 */
export interface Answer {
  readonly by: Principal
  readonly action: "accept" | "decline" | "cancel"
  readonly content?: unknown
  readonly reason?: Reason
  /** The surface where the person answered, for the trail. */
  readonly via?: string
  readonly expiresAt?: number
  /** Whether the surface showed the question's detail, if it has one. */
  readonly hasSeenDetail?: boolean
}

export interface AnswerNeeds {
  readonly step: Step
  readonly limits: Pick<Limits, "maxLifetimeMs">
  readonly runtime: Pick<Runtime, "now">
}

export async function answer(needs: AnswerNeeds, id: string, proposedAnswer: Answer): Promise<StepResult> {
  const problems = problemsOf(proposedAnswer, needs)
  if (problems.length === 0) return needs.step(id, toEvent(proposedAnswer))
  const message = problems.map((problem) => `${problem.path} ${problem.message}.`).join(" ")
  return { ok: false, refusal: { code: "invalid_answer", message, problems } }
}

/** Returns the problems with the fields that the surface adds to the person's answer. */
function problemsOf({ via, expiresAt }: Answer, { limits, runtime }: AnswerNeeds): readonly Problem[] {
  const viaProblem = via === undefined ? undefined : textProblem(via, 200)
  const now = runtime.now()
  const isInTime =
    expiresAt === undefined ||
    (Number.isInteger(expiresAt) && expiresAt > now && expiresAt <= now + limits.maxLifetimeMs)
  return [
    ...(viaProblem === undefined ? [] : [{ path: "via", message: viaProblem }]),
    ...(isInTime
      ? []
      : [
          {
            path: "expiresAt",
            message: `must be a whole number of milliseconds, at most ${limits.maxLifetimeMs / 1_000} s from now`,
          },
        ]),
  ]
}

function toEvent({ action, by, via, content, expiresAt, reason, hasSeenDetail = false }: Answer): ElicitationEvent {
  const viaField = via === undefined ? {} : { via }
  const reasonField = reason === undefined ? {} : { reason }
  switch (action) {
    case "accept":
      return {
        type: "accept",
        by,
        ...viaField,
        ...(content === undefined ? {} : { content }),
        ...(expiresAt === undefined ? {} : { expiresAt }),
        ...reasonField,
        hasSeenDetail,
      }
    case "decline":
      return { type: "decline", by, ...viaField, ...reasonField }
    case "cancel":
      return { type: "cancel", by, ...viaField, ...reasonField }
  }
}
