// Checks of a consent from the click to the connection: its owner, the provider that responds, and the stored data.

import { type Mutation, within } from "./mutation.ts"

const oauthTests = "packages/holdpoint/test/oauth"
const vaultTests = "packages/holdpoint/test/vault"

const ofTheClick: readonly Mutation[] = [
  ...within(
    "vault/consent/begin.ts",
    [
      "flow: a cookie for each click",
      "const browser = newToken()",
      'const browser = "the-same-for-all"',
      "fixation",
      "is of no use for another question: each click has its own",
    ],
    [
      "flow: an address for each provider",
      'return provider.redirect === "single" ? callbackUrl : addresses.to(paths.consentReturnOf, provider.id)',
      "return callbackUrl",
      "callback",
      "never send the code of an honest provider to the token endpoint of another",
    ],
  ),
  ...within(
    "http/connect.ts",
    [
      "flow: nothing before the click",
      "const cookies = [...guest.cookies, ...opener]",
      "await site.vault.consent.begin(elicitation, toVisitor(guest), undefined)\n  const cookies = [...guest.cookies, ...opener]",
      "fixation",
      "does not exist: no flow, state or cookie is made before the click",
    ],
    [
      "flow: a page that is over begins nothing",
      'if (linked.kind === "over" && !["use", "keep", "no"].includes(fields.get("do") ?? "")) return back(elicitation)',
      "",
      "posts",
      "shows what became of it, and posting the old page again connects nothing more",
    ],
  ),
  ...within(
    "oauth/start.ts",
    [
      "flow: PKCE is asked for",
      'registration.pkce === "none" ? {}',
      "registration.pkce !== null ? {}",
      "callback",
      "is asked for with PKCE S256 and a nonce, always",
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
      "for (const [name, value] of Object.entries(ours)) parameters.set(name, value)",
      "for (const [name, value] of Object.entries(ours)) if (!parameters.has(name)) parameters.set(name, value)",
      `${oauthTests}/start.test.ts`,
      "keeps what stands in the endpoint, and lets no data of a provider replace what is ours",
    ],
    [
      "flow: the resource, when asking",
      "...(registration.resource === undefined ? {} : { resource: registration.resource }),",
      "",
      `${vaultTests}/oauth/oidc.test.ts`,
      "is given the request beforehand where it takes that, and gives a token for one resource only",
    ],
  ),
  ...within("http/linked-question.ts", [
    "flow: ids as they stand",
    'const id = part("id")',
    'const id = part("id").toLowerCase()',
    "callback",
    "of a link leads to the generic page, however little was altered",
  ]),
  ...within("core/transition.ts", [
    "flow: an id grants nothing",
    "!isAddressed(current, event.by)) {",
    "false) {",
    "callback",
    "is not an authority: its holder must still be the person it is for",
  ]),
]

const ofTheAnswer: readonly Mutation[] = [
  ...within(
    "vault/consent/arrive.ts",
    [
      "flow: whose it is",
      "failed(ownershipChecks) ?? failed(answerChecks)",
      "failed(answerChecks)",
      "fixation",
      "does not bind the attacker's account to the victim",
    ],
    [
      "flow: whose it is, when a browser comes back",
      "failed(ownershipChecks) ?? failed(answerChecks)",
      "failed(answerChecks)",
      "fixation",
      "a forwarded address of the provider (COSF, CVE-2026-27124)",
    ],
    [
      "flow: where it arrives",
      "failed(ownershipChecks) ?? failed(answerChecks)",
      "failed(ownershipChecks)",
      "callback",
      "is not believed: the state of one provider does not work at the address of another",
    ],
    [
      "flow: a session is needed",
      'if (visitor === undefined) return refuse(parts, flow, "signed_in")',
      'if (visitor === undefined) return { kind: "back", flow: await exchange(parts, flow, arrival) }',
      "fixation",
      "without a session is not redeemed, and does not ask for a sign-in",
    ],
    [
      "flow: one of twenty takes the answer",
      '=> status === "consented" }',
      "=> true }",
      "callback",
      "leads to one token request when 20 come at once",
    ],
  ),
  ...within("http/arrive.ts", [
    "flow: a clean address",
    "return toRedirect(pathTo(paths.connect, elicitation), { cookies })",
    "return toRedirect(`${pathTo(paths.connect, elicitation)}${url.search}`, { cookies })",
    "posts",
    "leaves no code and no state in the history",
  ]),
  ...within(
    "oauth/answer.ts",
    [
      "flow: iss, where the address is right",
      "if (iss !== null && !isIssuer(iss, issuer)) return refuse(reasons.wrongIssuer)",
      "",
      "callback",
      "are told apart by `iss` as well, where the code arrives at the right address",
    ],
    [
      "flow: iss is missing",
      "if (iss === null && server.namesIssuer) return refuse(reasons.missingIssuer)",
      "",
      "callback",
      "missing although promised",
    ],
  ),
  ...within("oauth/exchange.ts", [
    "flow: the same redirect address at both ends",
    "redirect_uri: redirectUri, ",
    "",
    `${vaultTests}/oauth/oidc.test.ts`,
    "gives nothing for another verifier, another redirect address, or another attempt's nonce",
  ]),
  ...within("oauth/reasons.ts", [
    "flow: errors that no specification knows",
    '{ code: "provider_error", message: "The provider refused, for a reason of its own." }',
    "{ code: `provider_${error}`, message: error }",
    "outcomes",
    "reaches the waiting call as",
  ]),
]

/** Mutations that tests in a real browser notice. They take longer, because the tests wait for missing events. */
const inABrowser: readonly Mutation[] = [
  ...within("surfaces/web/assets/holdpoint.js", [
    "browser: a window that was blocked",
    "if (popup === null) return\n  event.preventDefault()",
    "event.preventDefault()\n  if (popup === null) return",
    "apps/server/test/stories/inbox.browser.test.ts",
    "opens in place where windows are blocked",
  ]),
  ...within("vault/consent/finish.ts", [
    "browser: another Nextcloud account",
    "if (isDifferentAccount(before, account)) return",
    "if (false) return",
    "apps/server/test/stories/nextcloud-again.browser.test.ts",
    "another person has signed in at Nextcloud, alice confirms the account before it is used",
  ]),
]

const ofWhatIsKept: readonly Mutation[] = [
  ...within("oauth/token-request.ts", [
    "flow: the resource, when redeeming",
    ", ...(registration.resource === undefined ? {} : { resource: registration.resource })",
    "",
    `${vaultTests}/oauth/oidc.test.ts`,
    "is given the request beforehand where it takes that, and gives a token for one resource only",
  ]),
  ...within("vault/oauth/credentials.ts", [
    "flow: scopes as granted",
    'if (returned === undefined || scopes === "ignored") return requested',
    "if (returned !== null) return requested",
    "outcomes",
    "that the provider narrowed are recorded as granted, and the call that needs more is told",
  ]),
  ...within("vault/handle.ts", [
    "flow: no Authorization header goes along",
    'headers.delete("authorization")',
    "",
    `${vaultTests}/handle.test.ts`,
    "never sends the author's own Authorization header, whatever the kind of credentials",
  ]),
  ...within("vault/consent/enter.ts", [
    "flow: a key that is entered twice",
    "if (!(await parts.storage.records(flowKind).insert(flow))) return undefined",
    "await parts.storage.records(flowKind).insert(flow)",
    "entered",
    "sent at the same moment is tried once",
  ]),
  ...within("surfaces/web/end-pages.ts", [
    "flow: as whom one is connected",
    'html`Connected as <span class="account">${account}</span>`',
    '"Connected"',
    "fixation",
    "tells the person which account it is, once it is theirs",
  ]),
]

export const flowMutations: readonly Mutation[] = [...ofTheClick, ...ofTheAnswer, ...ofWhatIsKept, ...inABrowser]
