// Checks of a consent from the click to the connection: its owner, the provider that responds, and the stored data.

import { type Mutation, within } from "./mutation.ts"

const ofTheClick: readonly Mutation[] = [
  ...within(
    "packages/accounts/src/vault/consent/begin.ts",
    [
      "flow: a cookie for each click",
      "const browser = newToken()",
      'const browser = "the-same-for-all"',
      "fixation",
      "does not work for another question: each click has its own cookie",
    ],
    [
      "flow: an address for each provider",
      'return provider.redirect === "single" ? callbackUrl : addresses.to(paths.consentReturnOf, provider.id)',
      "return callbackUrl",
      "callback",
      "never get an honest provider's code at the token endpoint of another",
    ],
  ),
  ...within(
    "packages/server/src/http/connect.ts",
    [
      "flow: nothing before the click",
      "const cookies = [...guest.cookies, ...opener]",
      "await site.vault.consent.begin(elicitation, toVisitor(guest), undefined)\n  const cookies = [...guest.cookies, ...opener]",
      "fixation",
      "does not exist: no flow, state or cookie is made before the click",
    ],
    [
      "flow: a finished page begins nothing",
      'if (linked.kind === "over" && !["use", "keep", "no"].includes(fields.get("do") ?? "")) return backToPage(elicitation)',
      "",
      "posts",
      "shows the result, and posting the old page again connects nothing more",
    ],
  ),
  ...within(
    "packages/accounts/src/oauth/start-authorization.ts",
    [
      "flow: PKCE is requested",
      'registration.pkce === "none" ? {}',
      "registration.pkce !== null ? {}",
      "callback",
      "is always requested with PKCE S256 and a nonce",
    ],
    [
      "flow: a verifier for each click",
      "{ verifier: oauth.generateRandomCodeVerifier() }",
      '{ verifier: "the-same-verifier-for-every-click-of-every-person" }',
      "callback",
      "from another flow of the same person does not make its code usable",
    ],
    [
      "flow: a verifier for each person",
      "{ verifier: oauth.generateRandomCodeVerifier() }",
      '{ verifier: "the-same-verifier-for-every-click-of-every-person" }',
      "callback",
      "of the attacker's own consent is not redeemed for the victim",
    ],
    [
      "flow: our parameters stay ours",
      "for (const [name, value] of Object.entries(ownParameters)) parameters.set(name, value)",
      "for (const [name, value] of Object.entries(ownParameters)) if (!parameters.has(name)) parameters.set(name, value)",
      "packages/accounts/test/oauth/start.test.ts",
      "keeps the query of the endpoint, and lets no provider data replace our parameters",
    ],
    [
      "flow: the authorization request names the resource",
      "...(registration.resource === undefined ? {} : { resource: registration.resource }),",
      "",
      "packages/accounts/test/vault/oauth/oidc.test.ts",
      "gets a pushed authorization request, and issues a token for one resource only",
    ],
  ),
  ...within("packages/server/src/http/linked-question.ts", [
    "flow: ids are compared exactly",
    'const id = part("id")',
    'const id = part("id").toLowerCase()',
    "callback",
    "of a link leads to the generic page, even when one character is altered",
  ]),
  ...within("packages/hub/src/core/transition.ts", [
    "flow: an id grants nothing",
    "!isAddressed(current, event.by)) {",
    "false) {",
    "callback",
    "gives no rights: the visitor must be the person whom the question is for",
  ]),
]

const ofTheAnswer: readonly Mutation[] = [
  ...within(
    "packages/accounts/src/vault/consent/arrive.ts",
    [
      "flow: a callback belongs to the person who began",
      "findFailed(ownershipChecks) ?? findFailed(answerChecks)",
      "findFailed(answerChecks)",
      "fixation",
      "does not bind the attacker's account to the victim",
    ],
    [
      "flow: a forwarded address belongs to the person who began",
      "findFailed(ownershipChecks) ?? findFailed(answerChecks)",
      "findFailed(answerChecks)",
      "fixation",
      "a forwarded address of the provider (COSF, CVE-2026-27124)",
    ],
    [
      "flow: a callback has its provider's address",
      "findFailed(ownershipChecks) ?? findFailed(answerChecks)",
      "findFailed(ownershipChecks)",
      "callback",
      "is not trusted: the state of one provider does not work at the address of another",
    ],
    [
      "flow: a session is needed",
      'if (visitor === undefined) return refuseArrival(parts, flow, "signed_in")',
      'if (visitor === undefined) return { kind: "back", flow: await exchange(parts, flow, arrival) }',
      "fixation",
      "without a session is not redeemed, and does not ask for a sign-in",
    ],
    [
      "flow: one of twenty takes the answer",
      '=> status === "consented" }',
      "=> true }",
      "callback",
      "leads to one token request when 20 arrive at the same time",
    ],
  ),
  ...within("packages/server/src/http/provider-callback.ts", [
    "flow: a clean address",
    "return toRedirect(pathTo(paths.connect, elicitation), { cookies })",
    "return toRedirect(`${pathTo(paths.connect, elicitation)}${url.search}`, { cookies })",
    "posts",
    "leaves no code and no state in the history",
  ]),
  ...within(
    "packages/accounts/src/oauth/authorization-answer.ts",
    [
      "flow: iss is checked even when the address is right",
      "if (iss !== null && !isIssuer(iss, issuer)) return refuse(reasons.wrongIssuer)",
      "",
      "callback",
      "are distinguished by `iss` too, when the code arrives at the right address",
    ],
    [
      "flow: a promised iss is required",
      "if (iss === null && server.namesIssuer) return refuse(reasons.missingIssuer)",
      "",
      "callback",
      "missing although promised",
    ],
  ),
  ...within("packages/accounts/src/oauth/exchange.ts", [
    "flow: the same redirect address at both ends",
    "redirect_uri: redirectUri, ",
    "",
    "packages/accounts/test/vault/oauth/oidc.test.ts",
    "grants nothing for another verifier, another redirect URI, or another attempt's nonce",
  ]),
  ...within("packages/accounts/src/oauth/reasons.ts", [
    "flow: errors outside the specifications are not repeated",
    '{ code: "provider_error", message: "The provider refused for an unknown reason." }',
    "{ code: `provider_${error}`, message: error }",
    "outcomes",
    "reaches the waiting call as",
  ]),
]

/** Mutations that tests in a real browser notice. They take longer, because the tests wait for missing events. */
const inABrowser: readonly Mutation[] = [
  ...within("packages/server/src/web/assets/holdpoint.js", [
    "browser: a blocked window opens in the same tab",
    "if (popup === null) return\n  event.preventDefault()",
    "event.preventDefault()\n  if (popup === null) return",
    "apps/holdpoint/test/stories/inbox.browser.test.ts",
    "opens in the same tab where windows are blocked",
  ]),
  ...within("packages/accounts/src/vault/consent/finish.ts", [
    "browser: another Nextcloud account is confirmed",
    "if (isDifferentAccount(previous, account)) return",
    "if (false) return",
    "apps/holdpoint/test/stories/nextcloud-again.browser.test.ts",
    "another person has signed in at Nextcloud, alice confirms the account before it is used",
  ]),
]

const ofWhatIsKept: readonly Mutation[] = [
  ...within("packages/accounts/src/oauth/token-request.ts", [
    "flow: the token request names the resource",
    ", ...(registration.resource === undefined ? {} : { resource: registration.resource })",
    "",
    "packages/accounts/test/vault/oauth/oidc.test.ts",
    "gets a pushed authorization request, and issues a token for one resource only",
  ]),
  ...within("packages/accounts/src/vault/oauth/credentials.ts", [
    "flow: scopes are recorded as granted",
    'if (returnedScopes === undefined || scopes === "ignored") return requestedScopes',
    "if (returnedScopes !== null) return requestedScopes",
    "outcomes",
    "that the provider narrowed are recorded as granted, and the call that needs more fails",
  ]),
  ...within("packages/accounts/src/vault/handle.ts", [
    "flow: the author's Authorization header is not sent",
    'headers.delete("authorization")',
    "",
    "packages/accounts/test/vault/handle.test.ts",
    "never sends the author's own Authorization header, whatever the kind of credentials",
  ]),
  ...within("packages/accounts/src/vault/consent/enter.ts", [
    "flow: a key that is entered twice is tested once",
    "if (!(await parts.storage.records(flowKind).insert(flow))) return undefined",
    "await parts.storage.records(flowKind).insert(flow)",
    "entered",
    "tests the key once when it is entered three times at the same moment",
  ]),
  ...within("packages/server/src/web/end-pages.ts", [
    "flow: the page names the connected account",
    'html`Connected as <span class="account">${account}</span>`',
    '"Connected"',
    "fixation",
    "shows the person which account was connected when they finish it themselves",
  ]),
]

export const flowMutations: readonly Mutation[] = [...ofTheClick, ...ofTheAnswer, ...ofWhatIsKept, ...inABrowser]
