// Questions that several people have to approve: their votes, and when the votes decide. Pure. One No ends the
// question; a person counts once, however often they say Yes.

import type { YesOrNo } from "./decision.ts"
import { decisionOf } from "./decision.ts"
import type { Elicitation, Reason } from "./elicitation.ts"
import type { Problem } from "./error.ts"
import type { Form } from "./form.ts"
import type { Addressed, Audience, Principal, PrincipalId } from "./principal.ts"
import { canAnswer, isSamePerson, toPrincipalId } from "./principal.ts"

/** The Yes or No of one person, with its time and surface. */
export interface Vote {
  readonly by: PrincipalId
  readonly said: YesOrNo
  readonly at: number
  readonly via?: string
  /** Why the person said No. */
  readonly reason?: Reason
}

export interface VoteEvent {
  readonly by: Principal
  readonly via?: string
  readonly reason?: Reason
}

/** The votes with this one added. A person who says No after their Yes has both in the list. */
export function withVote(
  { votes = [] }: Pick<Elicitation, "votes">,
  event: VoteEvent,
  answer: YesOrNo,
  votedAt: number,
): Vote[] {
  const { by, via, reason } = event
  const vote = {
    ...{ by: toPrincipalId(by), said: answer, at: votedAt },
    ...(via === undefined ? {} : { via }),
    ...(reason === undefined ? {} : { reason }),
  }
  return [...votes, vote]
}

/** A person's roles, as they were at this time. */
export interface SeenRoles {
  readonly roles: readonly string[]
  readonly at: number
}

/**
 * Whether a vote still counts: not when its person was seen after it without the role in which they may answer. People
 * who were named keep their vote, like people of whom nothing newer is known.
 */
export function isCurrent(question: Addressed, { by, at }: Vote, seen: SeenRoles | undefined): boolean {
  return seen === undefined || seen.at <= at || canAnswer(question, { ...by, roles: seen.roles })
}

/** Whether this person has said Yes to the question. */
export function hasApproved({ votes = [] }: Pick<Elicitation, "votes">, person: PrincipalId): boolean {
  return votes.some(({ by, said }) => said === "yes" && isSamePerson(by, person))
}

/** How many different people have said Yes, and not No after it. */
export function countApprovals({ votes = [] }: Pick<Elicitation, "votes">): number {
  const noVotes = votes.filter(({ said }) => said === "no")
  return votes.filter(({ by, said }) => said === "yes" && !noVotes.some((noVote) => isSamePerson(noVote.by, by))).length
}

export const mostApprovals = 100

export interface VotesRequest {
  readonly approvals: number | undefined
  readonly form: Form | undefined
  readonly audience: Audience
  readonly notBy: PrincipalId | undefined
  /** Whether people with another role will be eligible to answer later. */
  readonly isEscalated: boolean
}

/** Why the question cannot get so many approvals from its audience. Empty when it can. */
export function approvalProblems({ approvals, form, audience, notBy, isEscalated }: VotesRequest): readonly Problem[] {
  const people = audience.kind === "one" ? [audience.principal] : audience.kind === "any" ? audience.principals : []
  const eligible = people.filter(
    (person, index) =>
      (notBy === undefined || !isSamePerson(notBy, person)) &&
      people.findIndex((candidate) => isSamePerson(candidate, person)) === index,
  )
  const hasFixedPeople = audience.kind !== "role" && !isEscalated
  if (approvals !== undefined && !isCount(approvals)) return [{ path: "approvals", message: countWords }]
  if (hasFixedPeople && eligible.length === 0) return [{ path: "notBy", message: "leaves no person who may answer" }]
  if (approvals === undefined || approvals === 1) return []
  if (form === undefined || !isDecisionAlone(form)) return [{ path: "approvals", ...needsDecision }]
  if (!hasFixedPeople || eligible.length >= approvals) return []
  const message = `cannot be reached: only ${eligible.length === 1 ? "one person" : `${eligible.length} people`} in the audience may answer`
  return [{ path: "approvals", message, suggestion: "Name more people, or ask a role." }]
}

const isCount = (value: unknown): boolean =>
  Number.isInteger(value) && Number(value) >= 1 && Number(value) <= mostApprovals
const countWords = `must be a whole number from 1 to ${mostApprovals}`

const needsDecision = {
  message: "needs a yes-or-no question: with other fields, the answers of the people could differ",
  suggestion: "Ask for a yes or no alone, or for one approval.",
}

const isDecisionAlone = (form: Form): boolean =>
  Object.keys(form.properties).length === 1 && decisionOf(form) !== undefined
