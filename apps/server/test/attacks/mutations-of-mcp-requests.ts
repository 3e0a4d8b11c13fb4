// Checks of requests to an MCP endpoint: their senders and sizes, and the sealed texts that clients return.

import { type Mutation, within } from "./mutation.ts"

const tests = "packages/holdpoint/test/surfaces/mcp"
const parts = `${tests}/parts`
const resource = "packages/holdpoint/test/identity/resource"

const ofTexts: readonly Mutation[] = [
  ...within(
    "surfaces/mcp/state.ts",
    [
      "mcp: long states",
      " || text.length > mostCharacters) return undefined",
      ") return undefined",
      `${parts}/state.test.ts`,
      "is refused without being opened when it is longer than any issued one",
    ],
    [
      "mcp: states and sessions",
      'const sessionPurpose = "mcp session"',
      'const sessionPurpose = "mcp state"',
      `${parts}/state.test.ts`,
      "is not accepted as a session, and a session is not accepted as a state",
    ],
  ),
  ...within("sealing/cipher.ts", [
    "mcp: altered states",
    ' || bytes.toString("base64url") !== written) return undefined',
    ") return undefined",
    `${parts}/state.test.ts`,
    "is refused when any one of its characters was changed, and when one is missing or added",
  ]),
  ...within("packages/url-mode-conformance/src/check-context.ts", [
    "conformance: a limit at the first question of a revision is not a skipped check",
    " || (asked.has(personAndMode) && hasMode(context.revision, mode) && isError(callState))",
    "",
    "packages/url-mode-conformance/test/blocked.test.ts",
    "when the tool stops asking at the first question of a later revision",
  ]),
  ...within(
    "surfaces/mcp/stdin.ts",
    [
      "mcp: a line on stdio that is too long is left out",
      "if (size <= mostBytes) return Buffer.concat(parts)",
      "if (size > 0) return Buffer.concat(parts)",
      `${tests}/behaviour/odd-input.test.ts`,
      "a message that is too long is refused with words, with its id",
    ],
    [
      "mcp: the id of an answer is not taken for that of a request",
      "id === undefined || !isRequest.test(members)",
      "id === undefined",
      `${tests}/behaviour/odd-input.test.ts`,
      "a message that is too long and",
    ],
  ),
  ...within(
    "surfaces/mcp/body.ts",
    [
      "mcp: a body that says how large it is",
      'if (declared > mostBytes) return { ok: false, why: "too_large" }',
      "",
      `${tests}/endpoint-access.test.ts`,
      "that is larger than allowed is refused with 413 and not read to its end",
    ],
    [
      "mcp: a body that does not say how large it is",
      "await readText(request, mostBytes)",
      "await request.text()",
      `${tests}/endpoint-access.test.ts`,
      "that is larger than allowed is refused with 413 and not read to its end",
    ],
  ),
]

const ofCallers: readonly Mutation[] = [
  ...within(
    "surfaces/mcp/origin-check.ts",
    [
      "mcp: host names",
      "if (!hostCheck.ok) return toRefusal(hostCheck.message)",
      "",
      `${tests}/endpoint-access.test.ts`,
      "is refused before anything runs",
    ],
    [
      "mcp: web pages",
      "if (origin === null || pages.has(origin) || isNeighbour(origin, host)) return undefined",
      "if (origin !== undefined) return undefined",
      `${tests}/endpoint-access.test.ts`,
      "may not call a server on this machine",
    ],
    [
      "mcp: pages of this machine",
      "isLoopback(`http://${host}`) && ",
      "",
      `${tests}/endpoint-access.test.ts`,
      "on this machine may not call a server that is elsewhere",
    ],
  ),
  ...within("surfaces/mcp/http.ts", [
    "mcp: a server for each request",
    "const factory = reported(surface, withAccessTools(surface, options))",
    "const make = reported(surface, withAccessTools(surface, options))\n  let one: ReturnType<typeof make> | undefined\n  const factory: typeof make = (given) => (one ??= make(given))",
    `${tests}/endpoint-access.test.ts`,
    "has a server of its own, which serves no other",
  ]),
  ...within("surfaces/mcp/http.ts", [
    "mcp: rights before anything runs",
    "if (scopeRefusal !== undefined) return scopeRefusal",
    "",
    `${tests}/behaviour/forged-ids.test.ts`,
    "are asked of every kind of request, not only of those that may ask",
  ]),
  ...within(
    "identity/resource/judge.ts",
    [
      "token: audience",
      "![aud].flat().some((one) => audiences.includes(one as string))",
      "false",
      `${resource}/tokens.test.ts`,
      "the audience of another server",
    ],
    ["token: issuer", "iss !== issuer]", "false]", `${resource}/introspection.test.ts`, "of another issuer"],
    [
      "token: expiry",
      "Number(exp) <= nowSeconds - toleranceSeconds",
      "false",
      `${resource}/introspection.test.ts`,
      "is never believed beyond the expiry that it named",
    ],
    ["token: bound to a key", "cnf !== undefined", "false", `${resource}/tokens.test.ts`, "a binding to a key (DPoP)"],
    [
      "token: ID tokens",
      '["nonce", "at_hash", "c_hash", "s_hash"]',
      "[]",
      `${resource}/tokens.test.ts`,
      "an ID token without a nonce, by its hash",
    ],
  ),
  ...within(
    "identity/resource/jwt.ts",
    [
      "token: algorithms",
      "[...(by.algorithms ?? signatures)]",
      '[...(by.algorithms ?? signatures), "HS256"]',
      `${resource}/tokens.test.ts`,
      "causes no request for the keys when its algorithm is not allowed",
    ],
    [
      "token: type",
      'if (!isMarked(protectedHeader.typ, by.typ ?? "at+jwt")) return refuse("not_access")',
      "",
      `${resource}/tokens.test.ts`,
      "an ID token's type",
    ],
  ),
  ...within("identity/resource/server.ts", [
    "token: scopes that everybody needs",
    "return challenge(caller, []) ?? caller",
    "return caller",
    `${resource}/scopes.test.ts`,
    "is not reached without the scopes that everybody needs",
  ]),
  ...within("identity/resource/bearer.ts", [
    "token: in the header alone",
    'if (new URL(request.url).searchParams.has("access_token"))',
    "if (false)",
    `${resource}/bearer.test.ts`,
    "in the address is refused, also beside one in the header",
  ]),
]

export const mcpRequestMutations: readonly Mutation[] = [...ofTexts, ...ofCallers]
