// Checks of outbound requests and of data that nodes share: addresses, documents, leases, revocations, Nextcloud
// tokens.

import { type Mutation, within } from "./mutation.ts"

const fetchTests = "packages/fetching/test/guarded-fetch.test.ts"
const serverTests = "packages/accounts/test/oauth/server.test.ts"
const modeTests = "apps/holdpoint/test/nextcloud/modes.test.ts"
const passTests = "apps/holdpoint/test/nextcloud/pass-through.test.ts"

export const upstreamMutations: readonly Mutation[] = [
  ...within(
    "packages/fetching/src/guarded-fetch.ts",
    [
      "a host name is looked up once per request",
      "if (!answers.every(({ address }) => rules.mayConnect(hostname, address, protocol)))",
      "if (false)",
      fetchTests,
      "are looked up once per request, so a changed DNS answer leads to no other address",
    ],
    [
      "every redirect is checked",
      "assertAllowed(rules, request.url)",
      "if (hops === 0) assertAllowed(rules, request.url)",
      fetchTests,
      "are checked at every hop",
    ],
  ),
  ...within("packages/accounts/src/vault/handle.ts", [
    "requests go only through the guarded fetch",
    "parts.apiFetch(target, {",
    "fetch(target, {",
    "test/guards/outbound.test.ts",
    "are made only by the guarded fetch",
  ]),
  ...within(
    "packages/accounts/src/oauth/server.ts",
    [
      "the issuer of a document is compared exactly",
      "if (issuer === undefined || members.issuer !== issuer)",
      "if (issuer === undefined)",
      serverTests,
      "is refused (RFC 8414 3.3)",
    ],
    [
      "endpoints must use https",
      'return url.protocol === "https:" || (allowLoopback && isLoopbackHttp(address))',
      "return true",
      serverTests,
      "is refused (CVE-2025-6514)",
    ],
  ),
  ...within(
    "packages/accounts/src/vault/refresh.ts",
    [
      "three nodes make one refresh",
      "if (!leaseObserver.hasEnded(current.lease)) {",
      "if (false) {",
      "packages/accounts/test/vault/refresh.test.ts",
      "is refreshed once for 250 callers on each of three nodes",
    ],
    [
      "one refresh request at a time",
      "if (!leaseObserver.hasEnded(current.lease)) {",
      "if (false) {",
      "packages/accounts/test/vault/nodes.test.ts",
      "several nodes send one token request at a time, and neither reuse nor lose a refresh token",
    ],
  ),
  ...within(
    "packages/accounts/src/vault/revoke.ts",
    [
      "a revocation is retried until it succeeds",
      "await attempt.fail({ retryAfterMs, note: { lastProblem: reason.code, ...(sealed && { sealed }) } })",
      'await attempt.end({ type: "revoked" })',
      "packages/accounts/test/vault/revoke.test.ts",
      "is kept sealed in the outbox, not in the connection, and is retried until it succeeds",
    ],
    [
      "tokens are shredded here",
      "  if (connection !== undefined)\n    await change(",
      "  if (connection === null)\n    await change(",
      "packages/accounts/test/vault/revoke.test.ts",
      "is kept sealed in the outbox, not in the connection, and is retried until it succeeds",
    ],
  ),
  ...within("packages/accounts/src/vault/opened-connections.ts", [
    "every node learns of a change",
    "  changes.listen(({ id, facts }) => noteVersion(id, facts.version))\n",
    "",
    "packages/accounts/test/vault/handle.test.ts",
    "stops use on every node as soon as the node is notified, even through existing handles",
  ]),
  ...within("packages/accounts/src/vault/login-flow.ts", [
    "the token of a login flow",
    'if (!isOfServer(provider, endpoint)) return { kind: "refused", reason: foreignServerReason }',
    "",
    "packages/accounts/test/vault/login-flow.test.ts",
    "does not send its token to an address that is not the server's",
  ]),
  ...within("packages/server/src/identity/token-exchange.ts", [
    "one exchange for all calls",
    "const isNew = cached === undefined || cached.until <= now()",
    "const isNew = true",
    passTests,
    "exchanges the token of each caller once for all their calls",
  ]),
  ...within("packages/server/src/identity/resource/judge.ts", [
    "tokens of another server, for Nextcloud",
    "![aud].flat().some((audience) => audiences.includes(audience as string))",
    "aud === undefined && audiences.length === 0",
    passTests,
    "refuses tokens that were issued for another server",
  ]),
  ...within("apps/holdpoint/src/nextcloud/http.ts", [
    "a warning before tokens are passed through",
    "out.note(handOnWarning)",
    "out.note(handOnWarning.slice(0, 40))",
    passTests,
    "prints a warning at the start, and works for tokens that name both servers",
  ]),
  ...within("apps/holdpoint/src/loopback.ts", [
    "a single user has no public address",
    ", publicUrl].find(",
    "].find(",
    modeTests,
    "is not served where other machines reach it:",
  ]),
  ...within("apps/holdpoint/src/nextcloud/plan.ts", [
    "modes without a sign-in are not served to other machines",
    "if (publicAddress === undefined) return",
    'if (mode.kind !== "single") return',
    modeTests,
    "are not served where other machines reach them",
  ]),
  ...within("packages/hub/src/sealing/key-ring.ts", [
    "a key is not shown",
    "function wrongKeyWords(keyText: string): string {\n",
    "function wrongKeyWords(keyText: string): string {\n  if (keyText.length === 32) return keyText + ' has 23 bytes; a key has 32'\n",
    modeTests,
    "an invalid TOKEN_ENCRYPTION_KEY is refused with the reason, and is not shown",
  ]),
  ...within("packages/hub/src/core/confirmation.ts", [
    "a Yes is explicit",
    "confirmed === true\n",
    "confirmed !== undefined\n",
    "apps/nextcloud/test/policy.test.ts",
    "a form that is submitted without a Yes counts as a No",
  ]),
  ...within("apps/nextcloud/src/policy.ts", [
    "tools that remove nothing do not ask",
    'if (tool.confirm === undefined) return "never"',
    "",
    "apps/nextcloud/test/policy.test.ts",
    "does not ask about tools that remove nothing",
  ]),
  ...within("apps/nextcloud/src/tools/notes/notes.ts", [
    "a note is deleted only as it was shown",
    'if (loss?.guard !== undefined && loss.guard !== note.text("etag"))',
    "if (false)",
    "apps/nextcloud/test/tools/notes.test.ts",
    "are deleted only as they were shown, and not if they have changed since",
  ]),
  ...within("tools/nextcloud-stand-in/src/server.ts", [
    "the stand-in listens on loopback",
    "server.listen(port, host, resolve)",
    "server.listen(port, resolve)",
    "apps/nextcloud/test/sent-elsewhere.test.ts",
    "listens only on the loopback address by default",
  ]),
]
