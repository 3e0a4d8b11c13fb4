// The checks of approvals by several people, and the tests that must fail when a check is removed.

import { type Mutation, within } from "./mutation.ts"

const votes = "packages/hub/test/core/votes.test.ts"
const pages = "apps/holdpoint/test/pages/votes.test.ts"
const api = "packages/server/test/http/api-approvals.test.ts"
const limits = "packages/server/test/http/api-limits.test.ts"
const agenda = "packages/hub/test/hub/agenda.test.ts"

export const voteMutations: readonly Mutation[] = [
  ...within("packages/hub/src/core/votes.ts", [
    "votes: a person who has lost the role since does not count",
    "canAnswer(question, { ...by, roles: seen.roles })",
    "question !== undefined",
    pages,
    "does not count the Yes of a person who has lost the role since",
  ]),
  ...within("packages/server/src/compose/reach.ts", [
    "votes: the hub knows the roles of the last sign-in",
    "members: signedInMembers({ storage, runtime }),",
    "",
    pages,
    "does not count the Yes of a person who has lost the role since",
  ]),
  ...within(
    "packages/hub/src/core/repeated-step.ts",
    [
      "votes: a person counts once",
      "return isOpen && hasApproved(current, by)",
      "return false",
      votes,
      "match a model in any order of acts",
    ],
    [
      "votes: an open question is not ended by a repeated No",
      'return current.status === "declined" && isSameActor(current, by)',
      "return isSameActor(current, by) || current.votes !== undefined",
      votes,
      "match a model in any order of acts",
    ],
  ),
  ...within(
    "packages/hub/src/core/transition.ts",
    [
      "votes: not the requester",
      "event.by !== undefined && isExcluded(current, event.by)",
      "event.by !== undefined && false",
      pages,
      "tells the person on whose behalf it is asked that others decide, and takes no vote from them",
    ],
    [
      "votes: the required number of approvals",
      "if (countApprovals({ votes }) < (current.approvals ?? 1))",
      "if (countApprovals({ votes }) < 1)",
      votes,
      "match a model in any order of acts",
    ],
    [
      "votes: one No ends it",
      'if (outcome.said === "no")\n    return settle(current, "declined"',
      'if (outcome.said === undefined) return settle(current, "declined"',
      votes,
      "match a model in any order of acts",
    ],
    [
      "votes: no vote after the end",
      'if (isSettled(current.status)) return refuse(current, "already_settled", endedWords(current.status))',
      "",
      votes,
      "match a model in any order of acts",
    ],
  ),
  ...within("packages/hub/src/core/principal.ts", [
    "votes: the person's current roles count",
    "return audience.tenant === principal.tenant && (principal.roles ?? []).includes(audience.role)",
    "return audience.tenant === principal.tenant",
    votes,
    "are judged by the person's current roles, not the roles when the question was shown",
  ]),
  ...within("packages/hub/src/core/question.ts", [
    "votes: the rules are part of the key",
    "formOrAddresses,\n    { approvals, notBy, remindEveryMs, escalate, detail },\n  ])",
    "formOrAddresses])",
    api,
    "cannot ask the same again with fewer approvals under the same key",
  ]),
  ...within("packages/server/src/api/ask.ts", [
    "votes: a program escalates to a role of its key",
    "return isRefused ? [",
    "return isRefused && may === undefined ? [",
    api,
    "escalates only to a role that its key allows",
  ]),
  ...within("packages/hub/src/hub/deliveries/advance-delivery.ts", [
    "votes: no message to the person who may not answer",
    "!isExcluded(question, person) && !hasApproved(question, person)",
    "!hasApproved(question, person)",
    agenda,
    "is not sent to the person who may not answer it",
  ]),
  ...within("packages/server/src/api/answer.ts", [
    "a token answers for its own person",
    "by: person, action",
    'by: { ...person, subject: "bob" }, action',
    "apps/holdpoint/test/pages/api-tokens.test.ts",
    "answers their question, and is refused for another person's",
  ]),
  ...within(
    "packages/server/src/api/program-limits.ts",
    [
      "programs: simultaneous requests do not exceed the limit",
      "count.open.size + count.asking >= mostOpen",
      "count.open.size >= mostOpen",
      limits,
      "does not exceed it with concurrent requests",
    ],
    [
      "programs: questions of other processes count",
      "addOpen(tenant, requester, id)\n        countOf",
      "countOf",
      limits,
      "shares it between the processes of a server, including a later one",
    ],
  ),
]
