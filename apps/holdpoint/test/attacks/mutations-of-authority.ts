// Checks of the built-in authorization server, and of tokens that other issuers issue for our server.

import { type Mutation, within } from "./mutation.ts"

const ofPrograms: readonly Mutation[] = [
  ...within(
    "packages/server/src/identity/authorization/documents.ts",
    [
      "authority: a document that redirects",
      '{ ...fetchOptions, redirect: "manual" }',
      '{ ...fetchOptions, redirect: "follow" }',
      "packages/server/test/identity/authorization/documents.test.ts",
      "that redirects is not followed, even to an allowed address",
    ],
    [
      "authority: the last document of an allowed program counts",
      "keep: (clientId, metadata) => write(clientId, JSON.stringify(metadata))",
      "keep: async () => {}",
      "packages/server/test/identity/authorization/strangers.test.ts",
      "do not end a program that a person has allowed",
    ],
    [
      "authority: fetches for an allowed program are limited",
      "kept: createRateLimit(perMinute, runtime)",
      "kept: () => false",
      "packages/server/test/identity/authorization/strangers.test.ts",
      "do not cause endless fetches of an allowed program's document: the last one stays valid",
    ],
    [
      "authority: fetches for strangers are limited",
      "strange: createRateLimit(perMinute, runtime)",
      "strange: () => false",
      "packages/server/test/identity/authorization/strangers.test.ts",
      "do not end a program that a person has allowed",
    ],
    [
      "authority: a program without consent is not stored",
      "if (lastDocument === undefined) return answer",
      "",
      "packages/server/test/identity/authorization/documents.test.ts",
      "of a program that was never allowed is not stored",
    ],
  ),
  ...within("packages/fetching/src/guarded-fetch.ts", [
    "authority: documents inside our network",
    "assertAllowed(rules, request.url)",
    "void assertAllowed",
    "packages/server/test/identity/authorization/documents.test.ts",
    "is never fetched: the fetch is guarded",
  ]),
  ...within("packages/server/src/identity/authorization/clients.ts", [
    "authority: a client that registers itself is public",
    '      token_endpoint_auth_method: "none",\n      // RFC 8252',
    "      token_endpoint_auth_method: String(token_endpoint_auth_method) as never,\n      // RFC 8252",
    "packages/server/test/identity/authorization/documents.test.ts",
    "creates a public client, whatever the program asks for, and the client gets tokens",
  ]),
  ...within("packages/server/src/identity/authorization/responses.ts", [
    "authority: errors go to checked programs only",
    "if (context.path === routes.authorization) await holdBack(context, registered, page)",
    "",
    "packages/server/test/identity/authorization/strangers.test.ts",
    "does not redirect to a program that is not verified",
  ]),
]

const ofRequests: readonly Mutation[] = [
  ...within(
    "packages/server/src/identity/authorization/adapter.ts",
    [
      "authority: requests per minute are limited",
      "if (isTooOften()) throw",
      "if (isTooOften() && false) throw",
      "packages/server/test/identity/authorization/strangers.test.ts",
      "are stored only up to the limit, and the program is told to try again later",
    ],
    [
      "authority: the size of a request is limited",
      "if (JSON.stringify(payload).length > longestRequest)",
      "if (false)",
      "packages/server/test/identity/authorization/strangers.test.ts",
      "are limited in size",
    ],
    [
      "authority: a reused code ends its tokens",
      "revokeByGrantId: (grantId) => artifacts.removeGroup(ofGrant(grantId), kind)",
      "revokeByGrantId: async () => {}",
      "packages/server/test/identity/authorization/attacks.test.ts",
      "a second use of a code revokes the tokens of the first",
    ],
    [
      "authority: one of eight redeems",
      'if ((await artifacts.consume(kind, id)) === "consumed") return',
      'if ((await artifacts.consume(kind, id)) !== "gone") return',
      "packages/server/test/identity/authorization/races.test.ts",
      "let one of eight requests redeem a code, and the others end the tokens that it got",
    ],
    [
      "authority: one of eight refreshes",
      'if ((await artifacts.consume(kind, id)) === "consumed") return',
      'if ((await artifacts.consume(kind, id)) !== "gone") return',
      "packages/server/test/identity/authorization/races.test.ts",
      "let one of eight requests use a refresh token, and the others end its family",
    ],
  ),
  ...within("packages/server/src/identity/authorization/configuration.ts", [
    "authority: one server for each token",
    "resource === undefined || Array.isArray(params?.resource)",
    "resource === undefined",
    "packages/server/test/identity/authorization/attacks.test.ts",
    "a request for two servers is refused",
  ]),
  ...within("packages/server/src/identity/authorization/configuration.ts", [
    "authority: a refresh token is not used up by a request for another server",
    "assertGrantedResource(context, token)\n",
    "\n",
    "packages/server/test/identity/authorization/lifetimes.test.ts",
    "is not used up by a refused request with an unknown resource",
  ]),
  ...within("packages/server/src/identity/authorization/resources.ts", [
    "authority: only the server's own scopes",
    "requestedScopes.filter((scope) => Object.hasOwn(scopes, scope))",
    "requestedScopes",
    "packages/server/test/identity/authorization/attacks.test.ts",
    "a request gets only scopes of the server, and all of them when it names none",
  ]),
  ...within("packages/server/src/identity/resource/jwt.ts", [
    "a token is refused when its grant is revoked",
    '(await issuer.isRevoked(verdict.claims)) ? refuse("inactive") : verdict',
    "verdict",
    "packages/server/test/identity/authorization/lifetimes.test.ts",
    "of a program that its person withdrew is refused immediately, and no other",
  ]),
  ...within(
    "packages/server/src/identity/authorization/grant-claim.ts",
    [
      "only its program revokes an access token",
      'claims?.client_id === client && typeof grant === "string"',
      'typeof grant === "string"',
      "packages/server/test/identity/authorization/lifetimes.test.ts",
      "is revoked only by the program that it was issued to, and an unknown token changes nothing",
    ],
    [
      "a revoked access token is refused",
      "await artifacts.removeGroup(ofGrant(grant))",
      "await Promise.resolve(ofGrant(grant))",
      "packages/server/test/identity/authorization/lifetimes.test.ts",
      "that its program revokes is refused immediately, on every node",
    ],
  ),
  ...within("packages/server/src/identity/authorization/requests.ts", [
    "authority: the browser that began",
    "if (!isSameBrowser(cookies, cookieName(issuer, id), cookieValue(secret, id))) return undefined",
    "void [cookies, secret, isSameBrowser]",
    "packages/server/test/identity/authorization/attacks.test.ts",
    "is visible only to the browser that began it",
  ]),
  ...within(
    "packages/server/src/identity/authorization/consents.ts",
    [
      "authority: only grants of the current consent",
      "(await read(consentKey))?.grants.includes(grant) === true",
      "(await read(consentKey)) !== undefined && grant !== undefined",
      "packages/server/test/identity/authorization/strangers.test.ts",
      "does not bring back what was granted before",
    ],
    [
      "authority: consent is for one redirect address",
      "stored?.redirectUri === redirectUri ? stored.scopes : []",
      "stored?.scopes ?? []",
      "packages/server/test/identity/authorization/lifetimes.test.ts",
      "is requested again for another redirect URI, or when the program sends prompt=consent",
    ],
    [
      "authority: programs on the person's machine are always asked about",
      "if (staysOnMachine(consent.redirectUri)) return false",
      "",
      "packages/server/test/identity/authorization/lifetimes.test.ts",
      "is always requested for a program on the person's machine, which any program could claim to be",
    ],
  ),
]

const ofTokens: readonly Mutation[] = [
  ...within("packages/server/src/identity/resource/introspection.ts", [
    "token: a revoked token is refused",
    "if (cached !== undefined && Math.abs(now() - cached.requestedAt) < cacheMs) return cached.claims",
    "if (cached !== undefined) return cached.claims",
    "packages/server/test/identity/resource/introspection.test.ts",
    "ends the use of a revoked token within ten seconds",
  ]),
  ...within("packages/server/src/identity/resource/server.ts", [
    "token: only its own issuer introspects it",
    "if (issuerName !== undefined) return trustedIssuers.get(issuerName)",
    "if (issuerName !== undefined && trustedIssuers.has(issuerName)) return trustedIssuers.get(issuerName)",
    "packages/server/test/identity/resource/introspection.test.ts",
    "is not asked about tokens of other issuers",
  ]),
  ...within("packages/accounts/src/oauth/client.ts", [
    "token: introspection follows no redirect",
    'redirect: "manual" } as RequestInit',
    'redirect: "follow" } as RequestInit',
    "packages/server/test/identity/resource/introspection.test.ts",
    "may be a redirect, which would send the token elsewhere",
  ]),
  ...within("packages/server/src/identity/resource/cached.ts", [
    "token: unknown keys cause few requests",
    "if (failed === undefined && isYoungerThan(renewedAt, times.renewMs)) return undefined",
    "",
    "packages/server/test/identity/resource/keys.test.ts",
    "are fetched only once more for a burst of unknown key ids",
  ]),
  ...within("packages/fetching/src/guarded-fetch.ts", [
    "token: keys are not fetched inside our network",
    "assertAllowed(rules, request.url)",
    "void assertAllowed",
    "packages/server/test/identity/resource/keys.test.ts",
    "causes no request into our network",
  ]),
]

export const authorityMutations: readonly Mutation[] = [...ofPrograms, ...ofRequests, ...ofTokens]
