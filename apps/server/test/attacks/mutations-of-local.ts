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
      "is claimed by exactly one of 20 concurrent browsers",
    ],
    [
      "a link alone approves nothing",
      "elicitationId === undefined || show !== undefined)",
      "elicitationId === undefined)",
      "local",
      "neither connects an account nor reads who asks for what",
    ],
    [
      "a key works once",
      "return (await insert(toSession(homeClaim, token, agent))) ? token : undefined",
      "await insert(toSession(homeClaim, token, agent))\n      return token",
      "packages/holdpoint/test/identity/local.test.ts",
      "is accepted only once with each key, and never with a key of another secret",
    ],
    [
      "a key is checked against this server's secret",
      "if (!isSameText(key, keyOf(name))) return undefined",
      "",
      "packages/holdpoint/test/identity/local.test.ts",
      "is not accepted with the key",
    ],
    [
      "windows are opened only at intervals",
      "now - shownAt < showEveryMs",
      "false",
      "packages/holdpoint/test/identity/local.test.ts",
      "the address is shown once in a few seconds, however often a program asks",
    ],
  ),
  ...within("http/request-checks.ts", [
    "a press claims the link",
    "const isClaimed = (await target.guest.claim?.()) ?? true",
    "const isClaimed = true",
    "local",
    "a second browser is refused once the first has pressed the button, and learns nothing",
  ]),
  ...within(
    "http/browser.ts",
    [
      "only a browser that was refused ends a link",
      'gate.local === undefined || claimState?.kind !== "taken"',
      "gate.local === undefined",
      "local",
      "a link cannot be ended by a web page, or by a browser that was not refused",
    ],
    [
      "only our own button shows a page",
      "if (!isOwnPost(request, site)) return refusePost()",
      "",
      "local",
      "cannot have a page shown from another site, or with another browser's form",
    ],
  ),
  ...within("http/gate.ts", [
    "only an opened page uses up a key",
    "isOwnBrowser || !isOpened(request)",
    "isOwnBrowser",
    "local-home",
    "is not claimed, and its key stays valid, when a web page loads it as",
  ]),
  ...within("apps/server/src/serve/server.ts", [
    "local mode listens on loopback",
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
      "the address with the key is printed only at a terminal",
      "if (command === undefined && !isTerminal) return {}",
      "",
      "apps/server/test/show-address.test.ts",
      "accepts a question's link without a key where there is neither a browser nor a terminal",
    ],
  ),
]
