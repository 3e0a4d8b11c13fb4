// Checks that exist because of published advisories, and that no other file of mutations removes.

import { type Mutation, within } from "./mutation.ts"

const judged = "assertAllowed(rules, request.url)"

export const advisoryMutations: readonly Mutation[] = [
  ...within(
    "packages/accounts/src/oauth/server.ts",
    [
      "advisory: endpoints that run scripts",
      'return url.protocol === "https:" || (allowLoopback && isLoopbackHttp(address))',
      "return url.protocol !== null || (allowLoopback && isLoopbackHttp(address))",
      "providers",
      "a script as the authorization endpoint (CVE-2025-6514, CVE-2025-58444)",
    ],
    [
      "advisory: endpoints without encryption",
      'return url.protocol === "https:" || (allowLoopback && isLoopbackHttp(address))',
      'return url.protocol === "https:" || url.protocol === "http:" || (allowLoopback && isLoopbackHttp(address))',
      "providers",
      "plain HTTP for the token endpoint",
    ],
    [
      "advisory: the issuer of an identity provider",
      "if (issuer === undefined || members.issuer !== issuer)",
      "if (issuer === undefined)",
      "packages/server/test/identity/answers.test.ts",
      "begins no sign-in",
    ],
    [
      "advisory: a document of another issuer",
      "if (issuer === undefined || members.issuer !== issuer)",
      "if (issuer === undefined)",
      "providers",
      "another issuer (RFC 8414 §3.3)",
    ],
  ),
  ...within("packages/fetching/src/guarded-fetch.ts", [
    "advisory: a token endpoint inside our network",
    judged,
    "void assertAllowed",
    "providers",
    "with a token endpoint inside our network causes no request there (SSRF, CVE-2026-45609)",
  ]),
  ...within("packages/hub/src/core/question.ts", [
    "advisory: links that run scripts",
    "if (urlCheck.ok) return urlCheck.url",
    "if (urlCheck !== undefined) return url",
    "scripts",
    "is accepted neither for a question nor as a return target",
  ]),
  ...within("packages/server/src/http/request-checks.ts", [
    "advisory: a host without its port",
    "return host === new URL(addresses.publicUrl).host ||",
    'return host.split(":")[0] === new URL(addresses.publicUrl).hostname ||',
    "posts",
    "a foreign host name (DNS rebinding, CVE-2025-66414)",
  ]),
  ...within("packages/accounts/src/oauth/reasons.ts", [
    "advisory: text from a provider is not shown",
    'message: "The provider refused for an unknown reason."',
    "message: error",
    "scripts",
    "nor is an unknown `error` (CVE-2026-1721)",
  ]),
  ...within("packages/accounts/src/vault/consent/arrive.ts", [
    "advisory: who may approve",
    "findFailed(ownershipChecks) ?? findFailed(answerChecks)",
    "findFailed(answerChecks)",
    "advisories",
    "that one administrator began cannot be finished, confirmed or restarted by another (CVE-2026-45337)",
  ]),
  ...within("packages/hub/src/sealing/private-file.ts", [
    "advisory: a key file that others can read",
    "if ((stats.mode & 0o077) === 0)",
    "if (true)",
    "packages/hub/test/sealing/key-file.test.ts",
    "is refused with the permissions",
  ]),
  ...within("packages/server/src/http/assets.ts", [
    "advisory: asset files are found only by their exact names",
    'const asset = assets.get(part("name"))',
    `const { existsSync, readFileSync } = await import("node:fs")
  const file = \`packages/server/\${part("name").replaceAll("\\\\", "/")}\`
  const isFile = !file.includes("\\0") && existsSync(file)
  const asset = assets.get(part("name")) ?? (isFile ? { body: readFileSync(file), etag: "x", type: "x" } : undefined)`,
    "advisories",
    "in an address reach no file and bypass no check (CVE-2026-29045, CVE-2026-24473)",
  ]),
]
