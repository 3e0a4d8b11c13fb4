// Checks of the data that a call brings and of the requests that it causes: states, tokens, refreshes.

import { type Mutation, within } from "./mutation.ts"

const library = "packages/holdpoint/test"
const mcp = `${library}/surfaces/mcp`
const authority = `${library}/identity/authorization`
const resource = `${library}/identity/resource`

const verified = "await jwtVerify(token, findKey, { algorithms, clockTolerance, currentDate })"
const believed = `await import("jose").then((jose) => ({
        payload: jose.decodeJwt(token),
        protectedHeader: jose.decodeProtectedHeader(token),
        unused: [algorithms, clockTolerance, currentDate, jwtVerify],
      }))`

const ofStates: readonly Mutation[] = [
  ...within("surfaces/mcp/state.ts", [
    "call: a state that is not text",
    'typeof text !== "string" || ',
    "",
    `${mcp}/parts/state.test.ts`,
    "is refused when it is not a text, or longer than any issued one",
  ]),
  ...within("sealing/tokens.ts", [
    "call: a state that can be read",
    "encrypt(key, [purpose, current], Buffer.from(text))",
    'Buffer.from(text).toString("base64url")',
    `${mcp}/parts/state.test.ts`,
    "says nothing of what is in it",
  ]),
  ...within("asking/once.ts", [
    "call: what was done before",
    'if (earlier?.kind === "done") return earlier.value as T',
    "",
    `${mcp}/behaviour/once.test.ts`,
    "runs once in a call, whichever process each round reaches",
  ]),
  ...within("surfaces/mcp/progress.ts", [
    "call: progress of one's own question",
    "surface.followers.follow(elicitation.id, onEntry)",
    "surface.followers.followAll(onEntry)",
    `${mcp}/progress.test.ts`,
    "keeps two people apart who chose the same token",
  ]),
]

const ofTokens: readonly Mutation[] = [
  ...within(
    "identity/resource/jwt.ts",
    ["call: tokens without a signature", verified, believed, `${resource}/tokens.test.ts`, "no signature at all"],
    ["call: keys taken for secrets", verified, believed, `${resource}/tokens.test.ts`, "HS256 with the public key"],
    ["call: keys of another issuer", verified, believed, `${resource}/tokens.test.ts`, "one trusted issuer's key for"],
    [
      "call: keys that come along",
      verified,
      believed,
      `${resource}/tokens.test.ts`,
      "a key that it brings along (jwk)",
    ],
  ),
  ...within("identity/resource/judge.ts", [
    "call: tokens without an audience",
    "![aud].flat().some((one) => audiences.includes(one as string))",
    "aud !== undefined && ![aud].flat().some((one) => audiences.includes(one as string))",
    `${resource}/tokens.test.ts`,
    "no audience",
  ]),
  ...within("identity/resource/bearer.ts", [
    "call: two tokens",
    "if (/,\\s*bearer\\b/i.test(header)) return",
    'const [first = ""] = header.split(/,\\s*(?=bearer)/i)\n  if (first !== header) return { kind: "token", token: first.slice(7) }\n  if (false) return',
    `${resource}/bearer.test.ts`,
    "is refused when there are two, in one header or in two",
  ]),
  ...within("surfaces/mcp/incoming.ts", [
    "call: rights by the address of a resource",
    'method.startsWith("resources/") ? "uri" : "name"',
    'memberOf(memberOf(message, "params"), "name") === undefined ? "uri" : "name"',
    `${mcp}/behaviour/forged-ids.test.ts`,
    "is its address for the rights that are needed",
  ]),
]

const ofTheAuthority: readonly Mutation[] = [
  ...within("identity/authorization/configuration.ts", [
    "call: a request without an address",
    "allowOmittingSingleRegisteredRedirectUri: false",
    "allowOmittingSingleRegisteredRedirectUri: true",
    `${authority}/attacks.test.ts`,
    "gets a page, and leads nowhere",
  ]),
  ...within("identity/authorization/adapter.ts", [
    "call: answers when there are too many",
    'kind === "Interaction" && payload.result === undefined',
    'kind === "Interaction"',
    `${authority}/strangers.test.ts`,
    "can still be answered when there are too many",
  ]),
  ...within("identity/authorization/consents.ts", [
    "call: more than was allowed",
    "return consent.scopes.every((scope) => before.includes(scope))",
    "return before.length > 0",
    "apps/server/test/authorization/consent.test.ts",
    "is not asked again, and asked again as soon as more is wanted",
  ]),
  ...within("identity/authorization/requests.ts", [
    "call: the link of somebody's request",
    "if (!isSameBrowser(cookies, cookieName(issuer, id), cookieValue(secret, id))) return undefined",
    "void [cookies, secret, isSameBrowser]",
    "apps/server/test/authorization/consent.test.ts",
    "who has the link of another person's request sees nothing and decides nothing",
  ]),
]

const ofRequests: readonly Mutation[] = [
  ...within("vault/refresh.ts", [
    "call: one node has the lease",
    "leased.ok && (await connections.replace(leased.next))",
    "leased.ok && ((await connections.replace(leased.next)) || leased.ok)",
    `${library}/vault/refresh.test.ts`,
    "is refreshed once for 250 callers on each of three nodes",
  ]),
  ...within("vault/outbox.ts", [
    "call: grants are given back by themselves",
    "await retryRevocation(parts, revocation)",
    "void [retryRevocation, revocation]",
    `${library}/vault/revoke.test.ts`,
    "is shredded here, kept sealed in the outbox, and tried by itself until it has",
  ]),
  ...within("vault/consent/finish.ts", [
    "call: more scopes in the same connection",
    "await mergeInto(parts, before.id, pending.id, facts)",
    "void mergeInto\n  await activate(parts, pending.id, facts)",
    "outcomes",
    "that are added keep the old grant until the new one is there, in the same connection",
  ]),
  ...within("http/connect.ts", [
    "call: a page that shows what is new",
    'if (begun.kind === "outdated") return showAgain(site, facts)',
    'if (begun.kind === "outdated") return back(elicitation)',
    "apps/server/test/pages/widen.test.ts",
    "is shown again when more was asked for since, and grants nothing unseen",
  ]),
]

const ofVisits: readonly Mutation[] = [
  ...within("core/transition.ts", [
    "call: a visit of somebody else",
    "!isAddressed(current, event.by)) {",
    "false) {",
    "visit",
    "cannot be answered by another person, even with a token of their own session",
  ]),
  ...within("surfaces/web/address.ts", [
    "call: the host stands out",
    "${scheme}<b>${host}</b>${url.slice(start.length)}",
    "${scheme}${host}${url.slice(start.length)}",
    "visit",
    "the path cannot pass for the host, whatever it contains",
  ]),
  ...within("http/visit.ts", [
    "call: where a visit leads",
    "const address = visitedAddress(elicitation, visit.site.addresses)\n  if (visitStateOf(linked)",
    'const address = visit.url.searchParams.get("url") ?? visitedAddress(elicitation, visit.site.addresses)\n  if (visitStateOf(linked)',
    "visit",
    "nothing in a request changes where it leads",
  ]),
]

export const callMutations: readonly Mutation[] = [
  ...ofStates,
  ...ofTokens,
  ...ofTheAuthority,
  ...ofRequests,
  ...ofVisits,
]
