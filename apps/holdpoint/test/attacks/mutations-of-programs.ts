// The checks of programs that ask over HTTP and of people who answer over HTTP, and the tests that must fail when a
// check is removed.

import { type Mutation, within } from "./mutation.ts"

const api = "packages/server/test/http/api.test.ts"
const keys = "packages/server/test/identity/programs.test.ts"
const answers = "apps/holdpoint/test/pages/api-answers.test.ts"
const account = "apps/holdpoint/test/pages/asking-programs.test.ts"

export const programMutations: readonly Mutation[] = [
  ...within(
    "packages/server/src/identity/programs/programs.ts",
    [
      "a program's key is compared as a whole",
      "isHashOf(key, program.keyHash) ?",
      "true ?",
      keys,
      "is found by its key and by nothing else",
    ],
    [
      "a program's key is not stored",
      "keyHash: hashOf(key)",
      "keyHash: key",
      keys,
      "leaves nothing in the database from which its key could be derived",
    ],
    [
      "a program is removed by its own tenant",
      "if (program.tenant !== tenant) return false",
      "",
      keys,
      "is unknown as soon as its own tenant removes it",
    ],
  ),
  ...within(
    "packages/server/src/api/ask.ts",
    [
      "a program asks whom its key allows",
      "if (refusedProblems.length > 0) return",
      "if (false) return",
      api,
      "asks only the people and roles that its key allows, and only in the allowed way",
    ],
    [
      "a program sees only its own questions",
      "question.requester.id === requesterIdOf(program)",
      "true",
      api,
      "sees and changes only its own questions",
    ],
    [
      "a withdrawn key does not get the answer it waited for",
      "if (!(await visit.isStillAllowed())) return",
      "if (false) return",
      api,
      "is refused without its key, with another text, and after its removal",
    ],
  ),
  ...within("packages/server/src/api/waits.ts", [
    "a client that is gone waits no longer",
    "signal: [disconnected, timeLimit]",
    "signal: [timeLimit]",
    api,
    "ends its wait when it disconnects, and its question stays open",
  ]),
  ...within("packages/fetching/src/body.ts", [
    "the declared length of a question is limited",
    "if (declared > mostBytes) return undefined",
    "",
    api,
    "gets 400 or 413 for a body that cannot be read",
  ]),
  ...within("packages/server/src/api/body.ts", [
    "the body of a question is limited",
    "const mostBytes = 256 * 1_024",
    "const mostBytes = 256 * 1_048_576",
    api,
    "gets 400 or 413 for a body that cannot be read",
  ]),
  ...within(
    "packages/server/src/http/api-callers.ts",
    [
      "wrong keys are slowed down",
      'isTooOften() ? toProblem("too_often", tooOften) : toUnknownCaller(wrongKey)',
      "toUnknownCaller(wrongKey)",
      api,
      "is accepted with the right key even after many wrong ones, which are rate-limited",
    ],
    [
      "a session answers only from pages of this origin",
      "if (!isOwnPage(request, ownUrl)) return toUnknownCaller(notSignedIn)",
      "",
      answers,
      "is refused from a page of another site, from a form, and without a session",
    ],
    [
      "a program's key does not answer",
      'if (bearer.token.startsWith(keyPrefix)) return toProblem("not_allowed", keyIsNoPerson)',
      "",
      answers,
      "cannot be given by a program, and tokens are refused where none are issued",
    ],
  ),
  ...within("packages/server/src/api/answer.ts", [
    "another person's question does not exist for the caller",
    'refusal.code === "not_addressee" || refusal.code === "not_found"',
    'refusal.code === "not_found"',
    answers,
    "counts only from the addressee: for others the question does not exist, and the attempt is recorded",
  ]),
  ...within("packages/server/src/http/asking-programs.ts", [
    "only administrators make keys that ask others",
    'to: isAdmin(site, guest) ? fieldText("to") : "me"',
    'to: fieldText("to")',
    account,
    "makes a key that asks only them, sees it once, and withdraws it",
  ]),
  ...within("packages/server/src/http/asking-program-views.ts", [
    "a person sees and withdraws only their own keys",
    "if (isAdmin(site, guest)) return all",
    "return all",
    account,
    "can neither see nor withdraw another person's key",
  ]),
]
