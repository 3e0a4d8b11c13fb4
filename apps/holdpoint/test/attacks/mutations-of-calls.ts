// Checks of the data that a call brings and of the requests that it causes: states, tokens, refreshes.

import { type Mutation, within } from "./mutation.ts"

const verified = "await jwtVerify(token, findKey, { algorithms, clockTolerance, currentDate })"
const believed = `await import("jose").then((jose) => ({
        payload: jose.decodeJwt(token),
        protectedHeader: jose.decodeProtectedHeader(token),
        unused: [algorithms, clockTolerance, currentDate, jwtVerify],
      }))`

const ofStates: readonly Mutation[] = [
  ...within("packages/mcp/src/server/state.ts", [
    "call: a state must be text",
    'typeof text !== "string" || ',
    "",
    "packages/mcp/test/server/parts/state.test.ts",
    "is refused when it is not a text, or longer than any issued one",
  ]),
  ...within("packages/hub/src/sealing/tokens.ts", [
    "call: a state is encrypted",
    "encrypt(key, [purpose, current], Buffer.from(text))",
    'Buffer.from(text).toString("base64url")',
    "packages/mcp/test/server/parts/state.test.ts",
    "reveals nothing of its content",
  ]),
  ...within("packages/calls/src/once.ts", [
    "call: an effect is not repeated",
    'if (earlierEntry?.kind === "done") return earlierEntry.value as T',
    "",
    "packages/mcp/test/server/behaviour/once.test.ts",
    "runs once in a call, whichever process each round reaches",
  ]),
  ...within("packages/mcp/src/server/progress.ts", [
    "call: progress reaches only the person's own call",
    "surface.followers.follow(elicitation.id, onEntry)",
    "surface.followers.followAll(onEntry)",
    "packages/mcp/test/server/progress.test.ts",
    "keeps the progress of two people with the same token apart",
  ]),
]

const ofTokens: readonly Mutation[] = [
  ...within(
    "packages/server/src/identity/resource/jwt.ts",
    [
      "call: tokens without a signature are refused",
      verified,
      believed,
      "packages/server/test/identity/resource/tokens.test.ts",
      "no signature at all",
    ],
    [
      "call: a public key is not used as a secret",
      verified,
      believed,
      "packages/server/test/identity/resource/tokens.test.ts",
      "HS256 with the public key",
    ],
    [
      "call: keys of another issuer are not used",
      verified,
      believed,
      "packages/server/test/identity/resource/tokens.test.ts",
      "one trusted issuer's key for",
    ],
    [
      "call: keys inside a token are not used",
      verified,
      believed,
      "packages/server/test/identity/resource/tokens.test.ts",
      "an embedded key (jwk)",
    ],
  ),
  ...within("packages/server/src/identity/resource/judge.ts", [
    "call: tokens without an audience are refused",
    "![aud].flat().some((audience) => audiences.includes(audience as string))",
    "aud !== undefined && ![aud].flat().some((audience) => audiences.includes(audience as string))",
    "packages/server/test/identity/resource/tokens.test.ts",
    "no audience",
  ]),
  ...within("packages/server/src/identity/resource/bearer.ts", [
    "call: two tokens are refused",
    "if (/,\\s*bearer\\b/i.test(header)) return",
    'const [first = ""] = header.split(/,\\s*(?=bearer)/i)\n  if (first !== header) return { kind: "token", token: first.slice(7) }\n  if (false) return',
    "packages/server/test/identity/resource/bearer.test.ts",
    "is refused when there are two, in one header or in two",
  ]),
  ...within("packages/mcp/src/server/incoming.ts", [
    "call: rights depend on the address of a resource",
    'method.startsWith("resources/") ? "uri" : "name"',
    'memberOf(memberOf(message, "params"), "name") === undefined ? "uri" : "name"',
    "packages/mcp/test/server/behaviour/forged-ids.test.ts",
    "is its address when the required scopes are looked up",
  ]),
]

const ofTheAuthority: readonly Mutation[] = [
  ...within("packages/server/src/identity/authorization/configuration.ts", [
    "call: an authorization request without a redirect address",
    "allowOmittingSingleRegisteredRedirectUri: false",
    "allowOmittingSingleRegisteredRedirectUri: true",
    "packages/server/test/identity/authorization/attacks.test.ts",
    "gets an error page, and no redirect",
  ]),
  ...within("packages/server/src/identity/authorization/adapter.ts", [
    "call: open requests can be answered when there are too many",
    'kind === "Interaction" && payload.result === undefined',
    'kind === "Interaction"',
    "packages/server/test/identity/authorization/strangers.test.ts",
    "can still be answered when the limit is reached",
  ]),
  ...within("packages/server/src/identity/authorization/consents.ts", [
    "call: a request for more than was allowed is asked about",
    "return consent.scopes.every((scope) => scopes.includes(scope))",
    "return scopes.length > 0",
    "apps/holdpoint/test/authorization/consent.test.ts",
    "is not asked for again until the program wants more or insists",
  ]),
  ...within("packages/server/src/identity/authorization/requests.ts", [
    "call: the link of another person's request",
    "if (!isSameBrowser(cookies, cookieName(issuer, id), cookieValue(secret, id))) return undefined",
    "void [cookies, secret, isSameBrowser]",
    "apps/holdpoint/test/authorization/consent.test.ts",
    "with the link of another person's request sees nothing and decides nothing",
  ]),
]

const ofRequests: readonly Mutation[] = [
  ...within("packages/accounts/src/vault/refresh.ts", [
    "call: one node has the lease",
    "leased.ok && (await connections.replace(leased.next))",
    "leased.ok && ((await connections.replace(leased.next)) || leased.ok)",
    "packages/accounts/test/vault/refresh.test.ts",
    "is refreshed once for 250 callers on each of three nodes",
  ]),
  ...within("packages/accounts/src/vault/revocation-outbox.ts", [
    "call: grants are revoked automatically",
    "looks: true",
    "looks: false",
    "packages/accounts/test/vault/revoke.test.ts",
    "is kept sealed in the outbox, not in the connection, and is retried until it succeeds",
  ]),
  ...within("packages/accounts/src/vault/consent/finish.ts", [
    "call: more scopes in the same connection",
    "await mergeInto(parts, previous.id, pending.id, confirmation)",
    "void mergeInto\n  await activate(parts, pending.id, confirmation)",
    "outcomes",
    "that are added keep the old grant until the new one exists, in the same connection",
  ]),
  ...within("packages/server/src/http/connect.ts", [
    "call: an outdated page is shown again",
    'if (result.kind === "outdated") return showAgain(site, facts)',
    'if (result.kind === "outdated") return backToPage(elicitation)',
    "apps/holdpoint/test/pages/widen.test.ts",
    "is shown again when more was requested since, and grants nothing unseen",
  ]),
]

const ofVisits: readonly Mutation[] = [
  ...within("packages/hub/src/core/transition.ts", [
    "call: a visit of another person",
    "!isAddressed(current, event.by)) {",
    "false) {",
    "visit",
    "cannot be answered by another person, even with a token of their own session",
  ]),
  ...within("packages/server/src/web/address.ts", [
    "call: the host stands out",
    "${scheme}<b>${host}</b>${url.slice(start.length)}",
    "${scheme}${host}${url.slice(start.length)}",
    "visit",
    "the path cannot be mistaken for the host",
  ]),
  ...within("packages/server/src/http/visit.ts", [
    "call: the request does not change where a visit leads",
    "const address = visitedAddress(elicitation, visit.site.addresses)\n  if (visitStateOf(linked)",
    'const address = visit.url.searchParams.get("url") ?? visitedAddress(elicitation, visit.site.addresses)\n  if (visitStateOf(linked)',
    "visit",
    "nothing in a request changes where the page leads",
  ]),
]

export const callMutations: readonly Mutation[] = [
  ...ofStates,
  ...ofTokens,
  ...ofTheAuthority,
  ...ofRequests,
  ...ofVisits,
]
