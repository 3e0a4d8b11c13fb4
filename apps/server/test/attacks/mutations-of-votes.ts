// The checks of approvals by several people, and the tests that must fail when a check is removed.

import { type Mutation, within } from "./mutation.ts"

const library = "packages/holdpoint/src"
const votes = "packages/holdpoint/test/core/votes.test.ts"
const pages = "apps/server/test/pages/votes.test.ts"
const api = "packages/holdpoint/test/http/api-approvals.test.ts"
const limits = "packages/holdpoint/test/http/api-limits.test.ts"
const agenda = "packages/holdpoint/test/hub/agenda.test.ts"

export const voteMutations: readonly Mutation[] = [
  ...within(
    `${library}/core/repeat.ts`,
    [
      "votes: a person counts once",
      "return isOpen && hasApproved(current, by)",
      "return false",
      votes,
      "agree with a model in any order",
    ],
    [
      "votes: an open question is not ended by a repeated No",
      'return current.status === "declined" && isSameActor(current, by)',
      "return isSameActor(current, by) || current.votes !== undefined",
      votes,
      "agree with a model in any order",
    ],
  ),
  ...within(
    `${library}/core/transition.ts`,
    [
      "votes: not the requester",
      "event.by !== undefined && isExcluded(current, event.by)",
      "event.by !== undefined && false",
      pages,
      "says to the person it is asked for that others decide, and takes no vote",
    ],
    [
      "votes: as many as were asked for",
      "if (countApprovals({ votes }) < (current.approvals ?? 1))",
      "if (countApprovals({ votes }) < 1)",
      votes,
      "agree with a model in any order",
    ],
    [
      "votes: one No ends it",
      'if (kept.said === "no") return settle(current, "declined"',
      'if (kept.said === undefined) return settle(current, "declined"',
      votes,
      "agree with a model in any order",
    ],
    [
      "votes: none after the end",
      'if (isSettled(current.status)) return refuse(current, "already_settled", endedWords(current.status))',
      "",
      votes,
      "agree with a model in any order",
    ],
  ),
  ...within(`${library}/core/principal.ts`, [
    "votes: by the roles of today",
    "return audience.tenant === principal.tenant && (principal.roles ?? []).includes(audience.role)",
    "return audience.tenant === principal.tenant",
    votes,
    "are judged by the roles that the person has now, not when the question was shown",
  ]),
  ...within(`${library}/core/question.ts`, [
    "votes: the rules are part of the key",
    "asked, { approvals, notBy, remindEveryMs, escalate }])",
    "asked])",
    api,
    "cannot ask the same again with fewer approvals under the same key",
  ]),
  ...within(`${library}/surfaces/api/ask.ts`, [
    "votes: a program escalates to a role of its key",
    "return isRefused ? [",
    "return isRefused && may === undefined ? [",
    api,
    "escalates only to a role that its key allows",
  ]),
  ...within(`${library}/hub/deliveries/advance-delivery.ts`, [
    "votes: no message to the person who may not answer",
    "!isExcluded(question, person) && !hasApproved(question, person)",
    "!hasApproved(question, person)",
    agenda,
    "writes nothing to the person who may not answer",
  ]),
  ...within(`${library}/surfaces/api/answer.ts`, [
    "a token answers for its own person",
    "by: person, action",
    'by: { ...person, subject: "bob" }, action',
    "apps/server/test/pages/api-tokens.test.ts",
    "answers their question, and is refused for another person's",
  ]),
  ...within(
    `${library}/surfaces/api/program-limits.ts`,
    [
      "programs: requests at once do not get past the limit",
      "counted.open.size + counted.underWay >= mostOpen",
      "counted.open.size >= mostOpen",
      limits,
      "does not get past it with requests that come at once",
    ],
    [
      "programs: questions of other processes count",
      "addOpen(requester, id)\n        countOf",
      "countOf",
      limits,
      "shares it between the processes of a server, and after a restart",
    ],
  ),
]
