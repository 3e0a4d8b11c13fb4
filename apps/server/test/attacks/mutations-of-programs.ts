// The checks of programs that ask over HTTP and of people who answer over HTTP, and the tests that must fail when a
// check is removed.

import { type Mutation, within } from "./mutation.ts"

const library = "packages/holdpoint/src"
const api = "packages/holdpoint/test/http/api.test.ts"
const keys = "packages/holdpoint/test/identity/programs.test.ts"
const answers = "apps/server/test/pages/api-answers.test.ts"
const account = "apps/server/test/pages/asking-programs.test.ts"

export const programMutations: readonly Mutation[] = [
  ...within(
    `${library}/identity/programs/programs.ts`,
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
      "leaves nothing in the database from which its key could be made",
    ],
    [
      "a program is removed by its own tenant",
      "if (last.tenant !== tenant) return false",
      "",
      keys,
      "is unknown as soon as it is removed, by its own tenant alone",
    ],
  ),
  ...within(
    `${library}/surfaces/api/ask.ts`,
    [
      "a program asks whom its key allows",
      "if (refused.length > 0) return",
      "if (false) return",
      api,
      "asks only the people and roles that its key allows, and only in the allowed way",
    ],
    [
      "a program sees its own questions alone",
      "question.requester.id === requesterIdOf(program)",
      "true",
      api,
      "sees and changes only its own questions",
    ],
    [
      "a withdrawn key gets no answer that it waited for",
      "if (!(await visit.isStillAllowed())) return",
      "if (false) return",
      api,
      "is turned away without its key, with another text, and after its key was withdrawn",
    ],
  ),
  ...within(`${library}/surfaces/api/waits.ts`, [
    "a client that is gone waits no longer",
    "signal: [gone, over]",
    "signal: [over]",
    api,
    "leaves nothing behind when it goes away while it waits, and its question stays open",
  ]),
  ...within(`${library}/fetching/body.ts`, [
    "the declared length of a question is limited",
    "if (declared > mostBytes) return undefined",
    "",
    api,
    "is answered with a problem document for bodies that cannot be read",
  ]),
  ...within(`${library}/surfaces/api/body.ts`, [
    "the body of a question is limited",
    "const mostBytes = 256 * 1_024",
    "const mostBytes = 256 * 1_048_576",
    api,
    "is answered with a problem document for bodies that cannot be read",
  ]),
  ...within(
    `${library}/http/api-callers.ts`,
    [
      "wrong keys are slowed down",
      'isTooOften() ? toProblem("too_often", tooOften) : unknown(wrongKey)',
      "unknown(wrongKey)",
      api,
      "is let in with the right key although many wrong ones were tried, which are slowed down",
    ],
    [
      "a session answers from pages of this origin alone",
      "if (!isOwnPage(request, own)) return unknown(notSignedIn)",
      "",
      answers,
      "does not come from a page of another site, from a form, or without a session",
    ],
    [
      "a program's key does not answer",
      'if (presented.token.startsWith(keyPrefix)) return toProblem("not_allowed", keyIsNoPerson)',
      "",
      answers,
      "is not a program's to give, and no token counts where none are issued",
    ],
  ),
  ...within(`${library}/surfaces/api/answer.ts`, [
    "a question of others does not exist for who answers",
    'refusal.code === "not_addressee" || refusal.code === "not_found"',
    'refusal.code === "not_found"',
    answers,
    "counts for the addressee alone: to others the question does not exist, and the attempt is recorded",
  ]),
  ...within(`${library}/http/asking-programs.ts`, [
    "only administrators make keys that ask others",
    'to: isAdmin(site, guest) ? fieldText("to") : "me"',
    'to: fieldText("to")',
    account,
    "makes a key that asks only them, sees it once, and withdraws it",
  ]),
  ...within(`${library}/http/asking-program-views.ts`, [
    "a person sees and withdraws their own keys alone",
    "if (isAdmin(site, guest)) return all",
    "return all",
    account,
    "neither sees nor withdraws the key of another",
  ]),
]
