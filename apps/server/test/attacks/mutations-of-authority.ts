// Checks of the built-in authorization server, and of tokens that other issuers issue for our server.

import { type Mutation, within } from "./mutation.ts"

const tests = "packages/holdpoint/test/identity/authorization"
const resource = "packages/holdpoint/test/identity/resource"

const ofPrograms: readonly Mutation[] = [
  ...within(
    "identity/authorization/documents.ts",
    [
      "authority: a document that redirects",
      '{ ...fetchOptions, redirect: "manual" }',
      '{ ...fetchOptions, redirect: "follow" }',
      `${tests}/documents.test.ts`,
      "that redirects is not followed, not even to where a request may go",
    ],
    [
      "authority: what an allowed program said last",
      "keep: (clientId, metadata) => write(clientId, JSON.stringify(metadata))",
      "keep: async () => {}",
      `${tests}/strangers.test.ts`,
      "end no program that somebody has allowed",
    ],
    [
      "authority: fetches of an allowed program",
      "kept: createPace(perMinute, runtime)",
      "kept: () => false",
      `${tests}/strangers.test.ts`,
      "do not have it fetched without end either: then what it said last counts",
    ],
    [
      "authority: fetches for strangers",
      "strange: createPace(perMinute, runtime)",
      "strange: () => false",
      `${tests}/strangers.test.ts`,
      "end no program that somebody has allowed",
    ],
    [
      "authority: nothing of a program without consent",
      "if (last === undefined) return answer",
      "",
      `${tests}/documents.test.ts`,
      "of a program that was never allowed is not stored",
    ],
  ),
  ...within("fetching/guarded-fetch.ts", [
    "authority: documents inside our network",
    "assertAllowed(rules, request.url)",
    "void assertAllowed",
    `${tests}/documents.test.ts`,
    "is never fetched: the fetch is guarded",
  ]),
  ...within("identity/authorization/clients.ts", [
    "authority: what registers itself is public",
    '      token_endpoint_auth_method: "none",\n      // RFC 8252',
    "      token_endpoint_auth_method: String(token_endpoint_auth_method) as never,\n      // RFC 8252",
    `${tests}/documents.test.ts`,
    "gives a public client, whatever it asks for, and works to the end",
  ]),
  ...within("identity/authorization/responses.ts", [
    "authority: errors go to checked programs only",
    "if (context.path === routes.authorization) await holdBack(context, registered, page)",
    "",
    `${tests}/strangers.test.ts`,
    "does not redirect to a program that is not verified",
  ]),
]

const ofRequests: readonly Mutation[] = [
  ...within(
    "identity/authorization/adapter.ts",
    [
      "authority: requests for the minute",
      "if (isTooOften()) throw",
      "if (isTooOften() && false) throw",
      `${tests}/strangers.test.ts`,
      "are kept no more often than allowed, and the program is told to come back",
    ],
    [
      "authority: size of a request",
      "if (JSON.stringify(payload).length > longestRequest)",
      "if (false)",
      `${tests}/strangers.test.ts`,
      "take up little room each",
    ],
    [
      "authority: a code that was used",
      "revokeByGrantId: (grantId) => artifacts.removeGroup(ofGrant(grantId), kind)",
      "revokeByGrantId: async () => {}",
      `${tests}/attacks.test.ts`,
      "a code that was used ends what came of it",
    ],
    [
      "authority: one of eight redeems",
      'if ((await artifacts.consume(kind, id)) === "consumed") return',
      'if ((await artifacts.consume(kind, id)) !== "gone") return',
      `${tests}/races.test.ts`,
      "let one of eight redeem a code, and who comes second ends what the first one got",
    ],
    [
      "authority: one of eight refreshes",
      'if ((await artifacts.consume(kind, id)) === "consumed") return',
      'if ((await artifacts.consume(kind, id)) !== "gone") return',
      `${tests}/races.test.ts`,
      "let one of eight use a refresh token, and who comes second ends the family",
    ],
  ),
  ...within("identity/authorization/configuration.ts", [
    "authority: one server for each token",
    "resource === undefined || Array.isArray(params?.resource)",
    "resource === undefined",
    `${tests}/attacks.test.ts`,
    "takes two servers for none",
  ]),
  ...within("identity/authorization/resources.ts", [
    "authority: the server's own scopes",
    "named.filter((scope) => Object.hasOwn(scopes, scope))",
    "named",
    `${tests}/attacks.test.ts`,
    "gives the scopes of the server and no others, and all of them to who names none",
  ]),
  ...within("identity/resource/jwt.ts", [
    "whether the grant of a token stands",
    '(await by.isRevoked(verdict.claims)) ? refuse("inactive") : verdict',
    "verdict",
    "packages/holdpoint/test/identity/authorization/lifetimes.test.ts",
    "of a program that its person withdrew is refused at once, and no other",
  ]),
  ...within(
    "identity/authorization/granted.ts",
    [
      "who gives an access token back",
      'claims?.client_id === client && typeof grant === "string"',
      'typeof grant === "string"',
      "packages/holdpoint/test/identity/authorization/lifetimes.test.ts",
      "is revoked only by the program that it was issued to, and an unknown token changes nothing",
    ],
    [
      "an access token that is given back",
      "await artifacts.removeGroup(ofGrant(grant))",
      "await Promise.resolve(ofGrant(grant))",
      "packages/holdpoint/test/identity/authorization/lifetimes.test.ts",
      "that its program gives back is refused at once, on every node",
    ],
  ),
  ...within("identity/authorization/requests.ts", [
    "authority: the browser that began",
    "if (!isSameBrowser(cookies, cookieName(issuer, id), cookieValue(secret, id))) return undefined",
    "void [cookies, secret, isSameBrowser]",
    `${tests}/attacks.test.ts`,
    "is not there for any browser but the one that began",
  ]),
  ...within(
    "identity/authorization/consents.ts",
    [
      "authority: grants of the consent that stands",
      "(await read(between))?.grants.includes(grant) === true",
      "(await read(between)) !== undefined && grant !== undefined",
      `${tests}/strangers.test.ts`,
      "does not bring back what was granted before",
    ],
    [
      "authority: consent for one address",
      "before?.redirectUri === redirectUri ? before.scopes : []",
      "before?.scopes ?? []",
      `${tests}/lifetimes.test.ts`,
      "is asked again when the program has its answers sent elsewhere, or wants the person asked",
    ],
    [
      "authority: programs on the machine",
      "if (staysOnMachine(consent.redirectUri)) return false",
      "",
      `${tests}/lifetimes.test.ts`,
      "is always asked of a program on their machine, which any other program could claim to be",
    ],
  ),
]

const ofTokens: readonly Mutation[] = [
  ...within("identity/resource/introspection.ts", [
    "token: revoked",
    "if (cached !== undefined && Math.abs(now() - cached.at) < cacheMs) return cached.claims",
    "if (cached !== undefined) return cached.claims",
    `${resource}/introspection.test.ts`,
    "makes a revoked token stop within that moment",
  ]),
  ...within("identity/resource/server.ts", [
    "token: asked of its own issuer",
    "if (named !== undefined) return trusted.get(named)",
    "if (named !== undefined && trusted.has(named)) return trusted.get(named)",
    `${resource}/introspection.test.ts`,
    "is not shown the tokens of others",
  ]),
  ...within("oauth/client.ts", [
    "token: introspection that redirects",
    'redirect: "manual" } as RequestInit',
    'redirect: "follow" } as RequestInit',
    `${resource}/introspection.test.ts`,
    "is a redirect, which would take the token elsewhere",
  ]),
  ...within("identity/resource/cached.ts", [
    "token: a storm of unknown keys",
    "if (failed === undefined && isWithin(renewedAt, times.renewMs)) return undefined",
    "",
    `${resource}/keys.test.ts`,
    "are fetched once more for a storm of unknown names",
  ]),
  ...within("fetching/guarded-fetch.ts", [
    "token: keys inside our network",
    "assertAllowed(rules, request.url)",
    "void assertAllowed",
    `${resource}/keys.test.ts`,
    "does not lead into our network",
  ]),
]

export const authorityMutations: readonly Mutation[] = [...ofPrograms, ...ofRequests, ...ofTokens]
