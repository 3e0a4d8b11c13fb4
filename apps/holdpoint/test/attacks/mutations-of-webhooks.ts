// The checks of webhooks (recipients, signatures, order), and the tests that must fail when a check is removed.

import { type Mutation, within } from "./mutation.ts"

const attacks = "packages/webhooks/test/attacks.test.ts"
const subscriptions = "packages/webhooks/test/subscriptions.test.ts"
const sending = "packages/webhooks/test/sending.test.ts"
const failing = "packages/webhooks/test/failing.test.ts"
const lateWork = "packages/hub/test/due/model.test.ts"
const doneOnce = "is done once, in order, by one process at a time, and never forgotten"

export const webhookMutations: readonly Mutation[] = [
  ...within(
    "packages/webhooks/src/endpoints.ts",
    [
      "webhooks: addresses are public ones",
      "if (problem === undefined) return []",
      "return []",
      attacks,
      "cannot be https://10.0.0.1/",
    ],
    [
      "webhooks: the previous secret expires",
      "now < (endpoint.formerUntil ?? 0)",
      "true",
      attacks,
      "is signed with both secrets for a day after a rotation, and then with the new one only",
    ],
    [
      "webhooks: the secret is sealed",
      "        sealed,\n        ...settings,",
      "        sealed,\n        ...{ secret },\n        ...settings,",
      attacks,
      "is signed with a secret that the database stores only sealed",
    ],
  ),
  ...within(
    "packages/fetching/src/post.ts",
    [
      "webhooks: no redirect is followed",
      'redirect: "manual"',
      'redirect: "follow"',
      failing,
      "counts as failing when it redirects, and nothing is sent to the other address",
    ],
    [
      "webhooks: 410 ends an endpoint",
      'if (status === 410) return { kind: "gone", result }',
      "",
      failing,
      "is disabled with a visible reason when it answers 410",
    ],
  ),
  ...within("packages/webhooks/src/sign.ts", [
    "webhooks: the body is signed",
    "sign(id, new Date(at), body)",
    'sign(id, new Date(at), "")',
    sending,
    "sends the program a signed event when a question is asked and when it is answered",
  ]),
  ...within(
    "packages/webhooks/src/map.ts",
    [
      "webhooks: other programs' questions are not sent by default",
      'hears === "audience" &&',
      "",
      subscriptions,
      "receives only events of its own questions by default",
    ],
    [
      "webhooks: other programs' questions are sent only if the key allows",
      "askProblems(program.may, question.audience, question.mode).length === 0",
      "true",
      subscriptions,
      "receives other programs' questions to the people that its key allows, without answers",
    ],
    [
      "webhooks: no answer to another program's question",
      "isAskedBy(program, question) ? eventState : toDisplayed(eventState, question)",
      "eventState",
      subscriptions,
      "receives other programs' questions to the people that its key allows, without answers",
    ],
    [
      "webhooks: an early event does not contain the end",
      'if (type === "question.settled") return wire',
      "return wire",
      sending,
      "describes each step of a link as it was at the time, even when all events are sent late",
    ],
  ),
  ...within("packages/webhooks/src/advance.ts", [
    "webhooks: a paused endpoint is sent nothing",
    'if (endpoint.state === "paused")',
    "if (false)",
    failing,
    "a paused webhook receives nothing until it is resumed, and then everything",
  ]),
  ...within("packages/webhooks/src/delivery.ts", [
    "webhooks: events of a question are in order",
    "orderOf: ({ revision }) => revision,",
    "",
    failing,
    "gets ten attempts over three days, and then the next event of the question",
  ]),
  ...within(
    "packages/webhooks/src/reader.ts",
    [
      "webhooks: an endpoint ends with its program",
      "await endpoints.remove(entry.id)",
      "",
      subscriptions,
      "is removed with its program, deliveries included",
    ],
    [
      "webhooks: events before the endpoint are not sent",
      "&& entry.position > since",
      "",
      sending,
      "sends no events from before the endpoint was created, even when the trail is read from before that",
    ],
  ),
  ...within(
    "packages/hub/src/due/lanes.ts",
    [
      "deliveries: a new receiver has one place",
      "places: 1, isSlow: false",
      "places: 8, isSlow: false",
      failing,
      "has one place, so that several receivers that hang do not delay the others",
    ],
    [
      "deliveries: slow receivers share half of the places",
      "slowBusy() < mostSlow",
      "true",
      "packages/hub/test/due/due-work.test.ts",
      "leave half of the places to others, however many receivers hang",
    ],
  ),
  ...within("packages/hub/src/due/queue.ts", [
    "deliveries: a search continues behind the records of receivers that hang",
    "searchedUntil = lastRecord",
    "searchedUntil = undefined",
    "packages/hub/test/due/due-work.test.ts",
    "reaches what is due behind a thousand records of a receiver that hangs",
  ]),
  ...within(
    "packages/hub/src/core/due.ts",
    [
      "due: a result counts only under the lease of its attempt",
      "current.lease?.number === number ?",
      "current.lease !== undefined ?",
      lateWork,
      doneOnce,
    ],
    [
      "due: one process carries out a record",
      "const until = now + leaseMs",
      "const until = now",
      sending,
      "does not send an event from a second process while the first one sends it",
    ],
    ["due: each lease has a new number", "number: current.version + 1", "number: 1", lateWork, doneOnce],
  ),
  ...within("packages/hub/src/due/order.ts", [
    "due: an owner's records are carried out in order",
    "if (first === undefined || orderOf(first) >= orderOf(record)) return undefined",
    "return undefined",
    lateWork,
    doneOnce,
  ]),
  ...within("packages/webhooks/src/pages.ts", [
    "webhooks: a person changes only the webhooks of their own programs",
    "(await programsShownTo(visit.site, guest)).find",
    "((await visit.site.programs?.list(guest.principal.tenant)) ?? []).find",
    "apps/holdpoint/test/pages/webhook.test.ts",
    "can neither see nor change another person's webhook, and posts from other sites do nothing",
  ]),
  ...within("apps/holdpoint/src/serve/server.ts", [
    "webhooks: a process without their settings sends none",
    'if (people.from !== "embedded") return createHoldpoint({ ...options, people })',
    'if (people.from !== "embedded") return createHoldpoint({ ...options, people, parts: options.parts ?? [(await import("@holdpoint/webhooks")).webhooks()] })',
    "apps/holdpoint/test/webhooks.test.ts",
    "are sent by serve, which has their settings, and by no other process on the database",
  ]),
]
