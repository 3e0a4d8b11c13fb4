// The checks of webhooks: what reaches whom, signed and in order. And the tests that must notice when one is taken away.

import { type Mutation, within } from "./mutation.ts"

const tests = "packages/holdpoint/test/surfaces/webhook"
const attacks = `${tests}/attacks.test.ts`
const hearing = `${tests}/hearing.test.ts`
const sending = `${tests}/sending.test.ts`
const failing = `${tests}/failing.test.ts`

export const webhookMutations: readonly Mutation[] = [
  ...within(
    "surfaces/webhook/endpoints.ts",
    [
      "webhooks: addresses are public ones",
      "if (problem === undefined) return []",
      "return []",
      attacks,
      "cannot be https://10.0.0.1/",
    ],
    [
      "webhooks: the former secret ends",
      "now < (endpoint.formerUntil ?? 0)",
      "true",
      attacks,
      "has the signatures of both secrets for a day after a rotation, and then of the new one",
    ],
    [
      "webhooks: the secret is sealed",
      "        sealed,\n        ...wanted,",
      "        sealed,\n        ...{ secret },\n        ...wanted,",
      attacks,
      "is signed with a secret that is nowhere readable in the database",
    ],
  ),
  ...within(
    "surfaces/webhook/post.ts",
    [
      "webhooks: no redirect is followed",
      'redirect: "manual"',
      'redirect: "follow"',
      failing,
      "that redirects has failed: nothing is sent to the other address",
    ],
    [
      "webhooks: 410 ends an endpoint",
      'if (status === 410) return { kind: "gone", result }',
      "",
      failing,
      "is disabled when it says 410, and visibly so",
    ],
  ),
  ...within("surfaces/webhook/sign.ts", [
    "webhooks: the body is signed",
    "sign(id, new Date(at), body)",
    'sign(id, new Date(at), "")',
    sending,
    "tells its program of a question, of its end and of the answer, signed",
  ]),
  ...within(
    "surfaces/webhook/map.ts",
    [
      "webhooks: others' questions are not heard by default",
      'hears === "audience" &&',
      "",
      hearing,
      "hears of its own questions alone",
    ],
    [
      "webhooks: others' questions are heard as far as the key allows",
      "askProblems(program.may, question.audience, question.mode).length === 0",
      "true",
      hearing,
      "hears of others' questions to the people that its key allows, and of no answer",
    ],
    [
      "webhooks: no answer to another's question",
      "isAskedBy(program, question) ? then : toRendered(then, question)",
      "then",
      hearing,
      "hears of others' questions to the people that its key allows, and of no answer",
    ],
    [
      "webhooks: an early event tells nothing of the end",
      'if (type === "question.settled") return wire',
      "return wire",
      sending,
      "tells of a link that was opened, accepted and done, each as it was then, also when all is sent late",
    ],
  ),
  ...within(
    "surfaces/webhook/advance.ts",
    [
      "webhooks: events of a question are in order",
      "if (ahead !== undefined) {",
      "if (false) {",
      failing,
      "gets ten attempts over three days, and then the next event of the question",
    ],
    [
      "webhooks: a paused endpoint is sent nothing",
      'if (endpoint.state === "paused") return',
      "if (false) return",
      failing,
      "a paused webhook gets nothing, and everything once it is resumed",
    ],
  ),
  ...within("surfaces/webhook/delivery.ts", [
    "webhooks: one process sends",
    'if (current.state !== "owed" || current.dueAt > now) return undefined',
    "",
    sending,
    "is not sent by a second process while the first one has it",
  ]),
  ...within(
    "surfaces/webhook/reader.ts",
    [
      "webhooks: an endpoint ends with its program",
      "await endpoints.remove(entry.id)",
      "",
      hearing,
      "ends with its program: nothing more is sent, and nothing is left of it",
    ],
    [
      "webhooks: events before the endpoint are not sent",
      "&& entry.position > since",
      "",
      sending,
      "sends nothing of before the endpoint, though the trail is read from an older place",
    ],
  ),
  ...within("hub/deliveries/due-queue.ts", [
    "deliveries: a slow receiver holds up no other",
    "return count >= lane.most",
    "return false",
    failing,
    "slowly holds up no other program",
  ]),
  ...within("http/webhook.ts", [
    "webhooks: a person changes their own programs' alone",
    "(await programsShownTo(visit.site, guest))",
    "((await visit.site.programs?.list(guest.principal.tenant)) ?? [])",
    "apps/server/test/pages/webhook.test.ts",
    "neither sees nor changes the webhook of another, and posts from other sites do nothing",
  ]),
]
