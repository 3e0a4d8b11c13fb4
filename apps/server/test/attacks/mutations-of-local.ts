// The checks of local mode, and the tests that must fail when a check is removed.

import { type Mutation, within } from "./mutation.ts"

export const localMutations: readonly Mutation[] = [
  ...within(
    "identity/local.ts",
    [
      "one browser claims a link",
      "return records.insert(session)",
      "return (await records.insert(session)) || true",
      "packages/holdpoint/test/identity/local.test.ts",
      "is claimed by exactly one of 20 browsers at once",
    ],
    [
      "a link alone approves nothing",
      "elicitationId === undefined || show !== undefined)",
      "elicitationId === undefined)",
      "local",
      "neither connects an account nor sees who asks for what",
    ],
    [
      "a key works once",
      "return (await insert(toSession(home, token, agent))) ? token : undefined",
      "await insert(toSession(home, token, agent))\n      return token",
      "packages/holdpoint/test/identity/local.test.ts",
      "is made by no key of another secret, and by each key once",
    ],
    [
      "a key is made here",
      "if (!isSameText(key, keyOf(name))) return undefined",
      "",
      "packages/holdpoint/test/identity/local.test.ts",
      "is not made by the key",
    ],
    [
      "windows are opened seldom",
      "now - shownAt < showEveryMs",
      "false",
      "packages/holdpoint/test/identity/local.test.ts",
      "it is shown seldom, however often a program asks for it",
    ],
  ),
  ...within("http/entry.ts", [
    "a press claims the link",
    "const isTheirs = (await target.guest.claim?.()) ?? true",
    "const isTheirs = true",
    "local",
    "a second browser is refused once the first has pressed the button, and learns nothing",
  ]),
  ...within(
    "http/browser.ts",
    [
      "only a browser that was refused ends a link",
      'gate.local === undefined || standing?.kind !== "taken"',
      "gate.local === undefined",
      "local",
      "a link is ended by a refused browser, but not by a web page",
    ],
    [
      "a page is shown at the press of our own button",
      "if (!isOwnPost(request, site)) return refusePost()",
      "",
      "local",
      "has nothing shown from another site, or with another's form",
    ],
  ),
  ...within("http/gate.ts", [
    "keys are used by opened pages",
    "isTheirs || !isOpened(request)",
    "isTheirs",
    "local-home",
    "is neither claimed nor its key used up by what a web page loads as",
  ]),
  ...within("apps/server/src/serve/server.ts", [
    "local mode on loopback",
    'if (people.from === "local") assertLoopback',
    "if (false) assertLoopback",
    "local",
    "the pages listen on loopback only",
  ]),
  ...within(
    "apps/server/src/show-address.ts",
    [
      "no window in CI, in tests and over ssh",
      "if (isUnattended) return undefined",
      "",
      "apps/server/test/show-address.test.ts",
      "is not opened on",
    ],
    [
      "the address with the key is printed at a terminal alone",
      "if (command === undefined && !isTerminal) return {}",
      "",
      "apps/server/test/show-address.test.ts",
      "accepts the link alone where there is neither",
    ],
  ),
]
