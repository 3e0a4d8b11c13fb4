// Checks of what is sent, believed and kept: providers, addresses, sealing, leases.

import { type Mutation, within } from "./mutation.ts"

const vaultTests = "packages/holdpoint/test/vault"
const fetchingTests = "packages/holdpoint/test/fetching"
const sealingTests = "packages/holdpoint/test/sealing"

export const vaultMutations: readonly Mutation[] = [
  ...within(
    "oauth/answer.ts",
    [
      "iss is compared",
      "if (iss !== null && !isIssuer(iss, issuer)) return refuse(reasons.wrongIssuer)",
      "",
      "callback",
      "is refused by name before anything is redeemed",
    ],
    [
      "iss is there",
      "if (iss === null && server.namesIssuer) return refuse(reasons.missingIssuer)",
      "",
      "callback",
      "is refused by name before anything is redeemed",
    ],
    [
      "no parameter twice",
      "if (new Set(names).size !== names.length) return refuse(reasons.malformedAnswer)",
      "",
      "callback",
      "that is there twice is not redeemed",
    ],
  ),
  ...within("oauth/exchange.ts", [
    "PKCE at the end",
    'if (registration.pkce !== "none" && secrets.verifier === undefined) return refuse(reasons.wrongState)',
    "",
    "advisories",
    "without its verifier is not redeemed",
  ]),
  ...within("oauth/id-token.ts", [
    "nonce",
    "expectedNonce: nonce,",
    'expectedNonce: JSON.parse(atob(idToken.split(".")[1] ?? "")).nonce,',
    "providers",
    "that returns an ID token of another attempt is refused",
  ]),
  ...within(
    "oauth/server.ts",
    [
      "PKCE at the start",
      'if (data.pkce === "S256" && !list(said.code_challenge_methods_supported)?.includes("S256"))',
      "if (false)",
      "providers",
      "is refused, and the person is not redirected",
    ],
    [
      "issuer of a document",
      "if (issuer === undefined || said.issuer !== issuer)",
      "if (issuer === undefined)",
      "providers",
      "is refused, and the person is not redirected",
    ],
    [
      "addresses of a document",
      'return url.protocol === "https:" || (allowLoopback && isLoopbackHttp(address))',
      "return true",
      "providers",
      "is refused, and the person is not redirected",
    ],
  ),
  ...within("fetching/within-origin.ts", [
    "metadata of the same origin",
    "next === undefined || next.origin !== url.origin ||",
    "next === undefined ||",
    "packages/holdpoint/test/oauth/server.test.ts",
    "does not follow one to another host",
  ]),
  ...within(
    "oauth/client.ts",
    [
      "no redirect with a secret",
      'redirect: "manual" } as RequestInit',
      'redirect: "follow" } as RequestInit',
      "providers",
      "is refused: neither code nor secret goes there",
    ],
    [
      "audience of an assertion",
      "{ aud: issuer }",
      "{ aud: [issuer, server.metadata.token_endpoint] }",
      `${vaultTests}/oauth/client.test.ts`,
      "names the issuer as its only audience",
    ],
  ),
  ...within(
    "fetching/guarded-fetch.ts",
    [
      "addresses are judged",
      "assertAllowed(rules, request.url)",
      "void assertAllowed",
      "providers",
      "is not asked by any kind of provider",
    ],
    [
      "look-ups are judged",
      "if (!answers.every(({ address }) => rules.mayConnect(hostname, address, protocol)))",
      "if (false)",
      `${fetchingTests}/guarded-fetch.test.ts`,
      "that a host name leads to are refused",
    ],
  ),
  ...within(
    "fetching/address.ts",
    [
      "public addresses",
      'if (reach !== "public") return "it is not a public address"',
      "",
      `${fetchingTests}/address.test.ts`,
      "is refused",
    ],
    [
      "plain http",
      'return isPlain ? "only https is allowed" : undefined',
      "return undefined",
      `${fetchingTests}/address.test.ts`,
      "is refused: https only",
    ],
  ),
  ...within("fetching/redirect.ts", [
    "nothing for another origin",
    ".filter(([name]) => harmless.has(name))",
    "",
    `${fetchingTests}/guarded-fetch.test.ts`,
    "take credentials along within the origin, and nothing that could be one beyond",
  ]),
  ...within("vault/handle.ts", [
    "the provider's own addresses",
    "&& allowed.has(target.origin)) return target",
    ") return target",
    "entered",
    "is sent to the provider's own addresses and nowhere else",
  ]),
  ...within(
    "vault/entered.ts",
    [
      "tried before it is kept",
      "if (isYes(test, answer.status)) return undefined",
      "return undefined",
      `${vaultTests}/entered.test.ts`,
      "works with the statuses that the data accepts, and no others",
    ],
    ["the last four characters", "key.slice(-4)", "key", "entered", "never shows a key again"],
  ),
  ...within("vault/login-flow.ts", [
    "the configured server",
    "if (URL.parse(server)?.origin !== new URL(provider.server).origin)",
    "if (false)",
    `${vaultTests}/login-flow.test.ts`,
    "throws away a login for another server, and sends it nowhere",
  ]),
  ...within(
    "sealing/cipher.ts",
    [
      "bound to the tenant",
      "[format, ...binding]",
      "[format, ...binding.toSpliced(0, 1)]",
      `${sealingTests}/seal.test.ts`,
      "opens nothing with another tenant",
    ],
    [
      "bound to the owner",
      "[format, ...binding]",
      "[format, ...binding.toSpliced(1, 1)]",
      `${sealingTests}/seal.test.ts`,
      "opens nothing with another owner",
    ],
    [
      "bound to the record",
      "[format, ...binding]",
      "[format, ...binding.toSpliced(2, 1)]",
      `${sealingTests}/seal.test.ts`,
      "opens nothing with another record",
    ],
  ),
  ...within(
    "sealing/seal.ts",
    [
      "bound to the field",
      "  field,\n  generation,\n]",
      "  generation,\n]",
      `${sealingTests}/seal.test.ts`,
      "opens nothing with swapped fields",
    ],
    [
      "bound to the generation",
      "  field,\n  generation,\n]",
      "  field,\n]",
      `${sealingTests}/seal.test.ts`,
      "opens nothing with another generation",
    ],
  ),
  ...within("sealing/sealed-storage.ts", [
    "answers are sealed",
    "if (content === undefined) return elicitation",
    "if (content !== null) return elicitation",
    `${sealingTests}/sealed-storage.test.ts`,
    "keeps content as one sealed text, and gives it back as it was",
  ]),
  ...within("core/connection.ts", [
    "only the lease's holder writes",
    "if (current.lease?.holder !== event.holder)",
    "if (false)",
    `${vaultTests}/refresh.test.ts`,
    "that was taken over refuses a late write",
  ]),
  ...within("vault/revoke.ts", [
    "use stops first",
    "  await stopUse(parts, id, options)\n  if (plan === undefined)",
    "  if (plan === undefined)",
    `${vaultTests}/revoke.test.ts`,
    "stops use, tells all nodes, gives the grant back and shreds, in this order",
  ]),
]
