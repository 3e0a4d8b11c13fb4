// Checks of the people whom a command asks, and of the answers that count as a yes.

import { type Mutation, within } from "./mutation.ts"

const people = "apps/holdpoint/test/people.test.ts"

export const recipientMutations: readonly Mutation[] = [
  ...within(
    "apps/holdpoint/src/people.ts",
    [
      "a recipient whose name fits two people is not guessed",
      "if (match !== undefined && secondMatch === undefined) return match.principal",
      "if (match !== undefined) return match.principal",
      people,
      "is never guessed: two matching people are an error that lists both",
    ],
    [
      "a recipient of a former identity provider is not found",
      "signedIn.filter(({ principal }) => configured.includes(principal.issuer))",
      "signedIn",
      people,
      "is not found at an identity provider that is no longer configured",
    ],
    [
      "a recipient of an earlier embedded identity provider is not found",
      "embedded.filter(({ principal }) => principal.issuer === latestPerson?.principal.issuer)",
      "embedded",
      people,
      "is the alice of the last started server, with the embedded identity provider",
    ],
  ),
  ...within("packages/server/src/identity/people.ts", [
    "a recipient who has not signed in for 90 days is forgotten",
    "yield* page.filter((person) => isKept(person, needs))",
    "yield* page",
    "test/across/hub/deliveries/directory.test.ts",
    "lists the people who signed in to a tenant, as their identity provider last described them",
  ]),
  ...within("apps/holdpoint/src/ask-and-wait.ts", [
    "the exit code of a recipient's No is not 0",
    'hasAnswerLabels(args) && outcome.content?.confirmed === "no" ? 1 : 0',
    "hasAnswerLabels(args) ? 0 : 0",
    "apps/holdpoint/test/ask.test.ts",
    "with --yes and --no is a yes-or-no question, too",
  ]),
  ...within("packages/terminal/src/map.ts", [
    "Enter alone is not the yes that a form suggests to a recipient",
    "current === false ? { initial: current } : {}",
    "({ initial: current as false })",
    "packages/terminal/test/terminal-acts.test.ts",
    "does not take just Enter as the yes that a form suggests",
  ]),
]
