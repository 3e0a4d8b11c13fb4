// Checks of requests to an MCP endpoint: their senders and sizes, and the sealed texts that clients return.

import { type Mutation, within } from "./mutation.ts"

const ofTexts: readonly Mutation[] = [
  ...within(
    "packages/mcp/src/server/state.ts",
    [
      "mcp: states that are too long are refused",
      " || text.length > mostCharacters) return undefined",
      ") return undefined",
      "packages/mcp/test/server/parts/state.test.ts",
      "is refused without being opened when it is longer than any issued one",
    ],
    [
      "mcp: a state is not a session",
      'const sessionPurpose = "mcp session"',
      'const sessionPurpose = "mcp state"',
      "packages/mcp/test/server/parts/state.test.ts",
      "is not accepted as a session, and a session is not accepted as a state",
    ],
  ),
  ...within("packages/hub/src/sealing/cipher.ts", [
    "mcp: altered states are refused",
    ' || bytes.toString("base64url") !== encoded) return undefined',
    ") return undefined",
    "packages/mcp/test/server/parts/state.test.ts",
    "is refused when any one of its characters was changed, and when one is missing or added",
  ]),
  ...within("tools/url-mode-conformance/src/check-context.ts", [
    "conformance: a limit at the first question of a revision is not a skipped check",
    " ||\n    (askedKeys.has(personAndMode) && hasMode(context.revision, mode) && isError(callState))",
    "",
    "tools/url-mode-conformance/test/blocked.test.ts",
    "when the tool stops asking at the first question of a later revision",
  ]),
  ...within(
    "packages/mcp/src/server/stdin.ts",
    [
      "mcp: a line on stdio that is too long is skipped",
      "if (size <= mostBytes) return Buffer.concat(parts)",
      "if (size > 0) return Buffer.concat(parts)",
      "packages/mcp/test/server/behaviour/odd-input.test.ts",
      "is refused with that id, and the next is served",
    ],
    [
      "mcp: the id of an answer is not mistaken for that of a request",
      "id === undefined || !isRequest.test(members)",
      "id === undefined",
      "packages/mcp/test/server/behaviour/odd-input.test.ts",
      "is reported, and the next is served",
    ],
  ),
  ...within(
    "packages/mcp/src/server/body.ts",
    [
      "mcp: a body with a declared size is limited",
      'if (declared > mostBytes) return { ok: false, reason: "too_large" }',
      "",
      "packages/mcp/test/server/endpoint-access.test.ts",
      "that is larger than allowed is refused with 413 and not read to its end",
    ],
    [
      "mcp: a body without a declared size is limited",
      "await readText(request, mostBytes)",
      "await request.text()",
      "packages/mcp/test/server/endpoint-access.test.ts",
      "that is larger than allowed is refused with 413 and not read to its end",
    ],
  ),
]

const ofCallers: readonly Mutation[] = [
  ...within(
    "packages/mcp/src/server/origin-check.ts",
    [
      "mcp: host names are checked",
      "if (!hostCheck.ok) return toRefusal(hostCheck.message)",
      "",
      "packages/mcp/test/server/endpoint-access.test.ts",
      "is refused before anything runs if it is foreign",
    ],
    [
      "mcp: web pages may not call a server on this machine",
      "if (origin === null || pages.has(origin) || isNeighbour(origin, host)) return undefined",
      "if (origin !== undefined) return undefined",
      "packages/mcp/test/server/endpoint-access.test.ts",
      "may not call a server on this machine",
    ],
    [
      "mcp: pages on this machine may not call a server elsewhere",
      "isLoopback(`http://${host}`) && ",
      "",
      "packages/mcp/test/server/endpoint-access.test.ts",
      "on this machine may not call a server that is elsewhere",
    ],
  ),
  ...within("packages/mcp/src/server/http.ts", [
    "mcp: a server for each request",
    "const factory = withReportedErrors(surface, withAccessTools(surface, options))",
    "const make = withReportedErrors(surface, withAccessTools(surface, options))\n  let one: ReturnType<typeof make> | undefined\n  const factory: typeof make = (given) => (one ??= make(given))",
    "packages/mcp/test/server/endpoint-access.test.ts",
    "has a server of its own, which serves no other",
  ]),
  ...within("packages/mcp/src/server/http.ts", [
    "mcp: rights are checked before anything runs",
    "if (scopeRefusal !== undefined) return scopeRefusal",
    "",
    "packages/mcp/test/server/behaviour/forged-ids.test.ts",
    "are required of every kind of request, not only of those that may ask",
  ]),
  ...within(
    "packages/server/src/identity/resource/judge.ts",
    [
      "token: the audience is checked",
      "![aud].flat().some((audience) => audiences.includes(audience as string))",
      "false",
      "packages/server/test/identity/resource/tokens.test.ts",
      "the audience of another server",
    ],
    [
      "token: the issuer is checked",
      "iss !== issuer]",
      "false]",
      "packages/server/test/identity/resource/introspection.test.ts",
      "of another issuer",
    ],
    [
      "token: the expiry is checked",
      "Number(exp) <= nowSeconds - toleranceSeconds",
      "false",
      "packages/server/test/identity/resource/introspection.test.ts",
      "is never believed beyond the expiry that it named",
    ],
    [
      "token: a token bound to a key is refused",
      "cnf !== undefined",
      "false",
      "packages/server/test/identity/resource/tokens.test.ts",
      "a binding to a key (DPoP)",
    ],
    [
      "token: an ID token is refused by its hash",
      '["nonce", "at_hash", "c_hash", "s_hash"]',
      "[]",
      "packages/server/test/identity/resource/tokens.test.ts",
      "an ID token without a nonce, by its hash",
    ],
  ),
  ...within(
    "packages/server/src/identity/resource/jwt.ts",
    [
      "token: only allowed algorithms",
      "[...(issuer.algorithms ?? signatureAlgorithms)]",
      '[...(issuer.algorithms ?? signatureAlgorithms), "HS256"]',
      "packages/server/test/identity/resource/tokens.test.ts",
      "causes no request for the keys when its algorithm is not allowed",
    ],
    [
      "token: the type is checked",
      'if (!isMarked(protectedHeader.typ, issuer.typ ?? "at+jwt")) return refuse("not_access")',
      "",
      "packages/server/test/identity/resource/tokens.test.ts",
      "an ID token's type",
    ],
  ),
  ...within("packages/server/src/identity/resource/server.ts", [
    "token: the scopes that every caller needs",
    "return challenge(caller, []) ?? caller",
    "return caller",
    "packages/server/test/identity/resource/scopes.test.ts",
    "is not reached without the scopes that every caller needs",
  ]),
  ...within("packages/server/src/identity/resource/bearer.ts", [
    "token: only in the header",
    'if (new URL(request.url).searchParams.has("access_token"))',
    "if (false)",
    "packages/server/test/identity/resource/bearer.test.ts",
    "in the address is refused, even beside one in the header",
  ]),
]

export const mcpRequestMutations: readonly Mutation[] = [...ofTexts, ...ofCallers]
