// The checks of the page that leads to a third party and of the hook that confirms the visit, and the tests that must
// fail when a check is removed.

import type { Mutation } from "./mutation.ts"
import { within } from "./mutation.ts"

const pages = "apps/holdpoint/test/pages/visit.test.ts"
const core = "packages/hub/test/core/visit.test.ts"
const hooks = "packages/server/test/http/hooks.test.ts"

export const visitMutations: readonly Mutation[] = [
  ...within(
    "packages/server/src/http/visit.ts",
    [
      "visit: no redirect before the yes",
      'visitStateOf(linked) !== "begun" || address',
      "address",
      "visit",
      "no address says yes, and no address leads away before a yes",
    ],
    [
      "visit: leaving cuts the opener",
      '{ "cross-origin-opener-policy": "same-origin" }',
      "{}",
      "visit",
      "every response forbids frames and referrers, and leaving cuts the opener",
    ],
    [
      "visit: only questions about pages on other sites",
      "visitedAddress(elicitation, addresses) !== undefined",
      "true",
      "visit",
      "that was altered, or belongs to another kind of question, leads to the generic page",
    ],
    [
      "visit: a client's yes is not the person's",
      'return answeredVia === "web" ? "begun" : "asked"',
      'return "begun"',
      pages,
      "is shown to the person although their client has said yes for them",
    ],
    [
      "visit: one of several addressees",
      'if (!isSamePerson(answeredBy, guest.principal)) return "taken"',
      "",
      pages,
      "that another addressee has accepted leaves the others nothing to do",
    ],
    [
      "visit: the deadline moves once",
      'visitStateOf(linked) === "begun" ? {} : { expiresAt }',
      "{ expiresAt }",
      pages,
      "is the asker's until the person says yes",
    ],
  ),
  ...within(
    "packages/hub/src/core/visit.ts",
    [
      "visit: the address is checked when it is asked about",
      "? toSafeUrl(address) : undefined",
      "? address : undefined",
      core,
      "is refused when the address is",
    ],
    [
      "visit: the address is checked when it is followed",
      "return urlCheck.ok ? urlCheck.url : undefined",
      "return context.address",
      "visit",
      "is neither shown nor followed",
    ],
    [
      "visit: each question has its own page",
      "elicitation.url !== addresses.to(paths.visit, id) || ",
      "",
      core,
      "is refused on another question's page",
    ],
  ),
  ...within("packages/hub/src/core/question.ts", [
    "visit: one key, one address",
    "[elicitation.url, address].map(",
    "[elicitation.url].map(",
    core,
    "differs from a question with another address",
  ]),
  ...within("packages/server/src/http/gate.ts", [
    "visit: claimed in local mode",
    "connect|visit|inbox",
    "connect|inbox",
    "visit",
    "is claimed by the first press in local mode",
  ]),
  ...within(
    "packages/server/src/http/hooks.ts",
    [
      "visit: hooks complete nothing else",
      " && !isConsent && !addresses.isOurs(question.url)",
      " && !isConsent",
      hooks,
      "of a question that is not a visit completes nothing",
    ],
    [
      "visit: hooks complete no consent of another address",
      " && !isConsent && !addresses.isOurs(question.url)",
      " && !addresses.isOurs(question.url)",
      hooks,
      "of a consent whose page is at another address completes nothing either",
    ],
    [
      "visit: the size of hooks is limited",
      "= 16 * 1_024",
      "= Number.POSITIVE_INFINITY",
      hooks,
      "is refused with a body of more than 16 KiB",
    ],
    [
      "visit: a hook says completed or failed",
      'if (status !== "completed" && status !== "failed") return',
      "if (false) return",
      hooks,
      "has to name the result",
    ],
  ),
  ...within("packages/server/src/compose/site.ts", [
    "visit: the server accepts reports",
    "tokens: createTokens(keys),",
    "",
    "apps/holdpoint/test/complete-hook.test.ts",
    "reports to the server that it is done, once the person has agreed",
  ]),
  ...within("packages/hub/src/hub/completion.ts", [
    "visit: the question's own token",
    "return tokens.open(purpose, token)",
    "return tokens.open(purpose, token) ?? token",
    hooks,
    "finds nothing, and all get the same answer",
  ]),
]
