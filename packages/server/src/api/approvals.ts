// Converts the rules of an approval from JSON and back: the number of people, the excluded person, reminders,
// escalation, and the votes. Pure.

import type { Draft, Elicitation, PrincipalId, Problem, Vote } from "@holdpoint/hub"
import { isObject, type Json } from "@holdpoint/hub/internal"
import type { WireApprovals, WireVote } from "@holdpoint/hub/wire"
import { readPerson, toTime, toWirePerson } from "./json.ts"

export const approvalMembers = ["approvals", "notBy", "remindEveryMs", "escalate"] as const

type Rules = Pick<Draft, (typeof approvalMembers)[number]>

export interface ReadApprovals {
  readonly rules: Rules
  readonly problems: readonly Problem[]
}

/**
 * Reads the rules of an approval from the body of a request, and lists members with a wrong shape. The hub validates
 * numbers and role names later.
 */
export function readApprovals({ approvals, notBy, remindEveryMs, escalate }: Json, tenant: string): ReadApprovals {
  const person = notBy === undefined ? undefined : readPerson(notBy, tenant)
  const isEscalation = isObject(escalate) && Object.keys(escalate).sort().join(" ") === "afterMs role"
  const problems: Problem[] = []
  if (notBy !== undefined && person === undefined)
    problems.push({ path: "notBy", message: "is not a person", suggestion: 'Use { "issuer": …, "subject": … }.' })
  if (escalate !== undefined && !isEscalation)
    problems.push({
      path: "escalate",
      message: "must say when other people may answer too, and which role they have",
      suggestion: 'Use { "afterMs": 600000, "role": "managers" }.',
    })
  const rules = {
    ...(approvals === undefined ? {} : { approvals }),
    ...(person === undefined ? {} : { notBy: person as PrincipalId }),
    ...(remindEveryMs === undefined ? {} : { remindEveryMs }),
    ...(isEscalation ? { escalate } : {}),
  } as unknown as Rules
  return { rules, problems }
}

/** Converts the rules and the votes of a question to JSON. */
export function toWireApprovals(elicitation: Elicitation): WireApprovals {
  const { approvals, notBy, votes, escalatedTo, escalate, remindEveryMs } = elicitation
  return {
    ...(approvals === undefined ? {} : { approvals }),
    ...(approvals === undefined ? {} : { votes: (votes ?? []).map(toWireVote) }),
    ...(notBy === undefined ? {} : { notBy: toWirePerson(notBy) }),
    ...(remindEveryMs === undefined ? {} : { remindEveryMs }),
    ...(escalate === undefined ? {} : { escalate }),
    ...(escalatedTo === undefined ? {} : { escalatedTo }),
  }
}

const toWireVote = ({ by, said, at, via, reason }: Vote): WireVote => ({
  ...{ by: toWirePerson(by), said, at: toTime(at) },
  ...(via === undefined ? {} : { via }),
  ...(reason === undefined ? {} : { reason }),
})
