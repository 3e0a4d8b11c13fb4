// Checks of telemetry: no content, no person, no line that a tool forged, and each step once.

import { type Mutation, within } from "./mutation.ts"

const otlp = "packages/hub/test/telemetry/otlp.test.ts"
const plain = "packages/hub/test/telemetry/telemetry.test.ts"
const served = "apps/holdpoint/test/telemetry.test.ts"
const withoutContent =
  "gets the wait as one span in the asker's trace, without content, when another process settles it"

export const telemetryMutations: readonly Mutation[] = [
  ...within("packages/hub/src/telemetry/facts.ts", [
    "a pseudonym in place of the person",
    '{ "elicitation.principal": pseudonyms(person) }',
    '{ "elicitation.principal": person.subject }',
    otlp,
    withoutContent,
  ]),
  ...within("packages/hub/src/telemetry/log.ts", [
    "quoted names in log lines",
    "? text : JSON.stringify(text)",
    "? text : text",
    plain,
    "logs one line for each ask, settlement and refusal, with a warning for the wrong person",
  ]),
  ...within("packages/hub/src/sealing/pseudonym.ts", [
    "a pseudonym that needs the key",
    'createHmac("sha256", derived.key)',
    'createHmac("sha256", purpose)',
    plain,
    "is the same in every process with the same keys, and different with other keys",
  ]),
  ...within("packages/hub/src/hub/ask.ts", [
    "no other text than a traceparent in the trail",
    "const trace = toTrace(options.trace) ??",
    "const trace = options.trace ??",
    otlp,
    "gets spans in the trace that the caller named, unless the value is not a trace",
  ]),
  ...within("packages/hub/src/hub/guard-observer.ts", [
    "an observer that cannot break a step",
    'report("observing a step", error)\n      return undefined',
    'report("observing a step", error)\n      throw error',
    plain,
    "changes no step when the observer throws",
  ]),
  ...within("packages/hub/src/hub/steps.ts", [
    "settlements that are counted once",
    "if (isSettled(judgement.next.status)) observer.settled(judgement.next)",
    "observer.settled(judgement.next)",
    plain,
    "has exact totals over two hubs on one SQLite file",
  ]),
  ...within(
    "apps/holdpoint/src/serve/telemetry.ts",
    [
      "metrics that other machines cannot read",
      " && isLoopback(publicUrl)))",
      "))",
      served,
      "are refused at the start when other machines could read them without a token",
    ],
    [
      "the token of the metrics",
      "if (token !== undefined && !hasToken(request, token))",
      'if (token !== undefined && !request.headers.has("authorization"))',
      served,
      "are returned only to readers with the token, if there is one",
    ],
    [
      "metrics under the server's own name",
      "if (token === undefined && !isLoopback(new URL(request.url).origin))",
      "if (false)",
      served,
      "without a token are not given to a page that reaches this machine under another name",
    ],
  ),
  ...within("packages/server/src/http/inbox.ts", [
    "attempts in the inbox that are recorded",
    "  await site.hub.open(id, { by: principal })\n",
    "",
    "tenants",
    "shows nothing and takes no answer, and each attempt is in the trail",
  ]),
  ...within("packages/accounts/src/vault/handle.ts", [
    "401s that are counted",
    "if (response.status === 401) parts.unauthorized(provider.id)",
    "",
    "packages/accounts/test/vault/handle.test.ts",
    "is counted for each call that it answers, and no other answer is",
  ]),
]
