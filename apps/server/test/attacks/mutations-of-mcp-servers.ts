// Checks of accounts at third-party MCP servers: their metadata, their authorization servers, and our client
// registration.

import { type Mutation, within } from "./mutation.ts"

const tests = "packages/holdpoint/test"
const story = `${tests}/http/mcp-server.test.ts`

export const mcpServerMutations: readonly Mutation[] = [
  ...within(
    "oauth/protected-resource.ts",
    [
      "metadata is about this resource",
      "URL.parse(resource)?.href !== new URL(expected).href",
      "URL.parse(resource)?.href === undefined",
      story,
      "whose metadata is about another resource is refused (RFC 9728 §3.3)",
    ],
    [
      "metadata stands on the server's origin",
      "URL.parse(named)?.origin === origin ? [named] : undefined",
      "[named]",
      story,
      "whose challenge names a document elsewhere is refused, and that document is not fetched",
    ],
    [
      "a found authorization server has https",
      "isEndpoint(issuer, isLoopbackHttp(server))",
      "isEndpoint(issuer, true)",
      `${tests}/oauth/protected-resource.test.ts`,
      "is refused",
    ],
  ),
  ...within("oauth/protected-resource.ts", [
    "a foreign server's scopes are scopes",
    "?.filter(isScope).slice(0, mostScopes)",
    "",
    `${tests}/oauth/protected-resource.test.ts`,
    "names scopes that are scopes, and not without end",
  ]),
  ...within("vault/mcp-server/find.ts", [
    "the configured authorization server counts",
    "!resource.issuers.includes(issuer)",
    "false",
    story,
    "that no longer names the configured authorization server is refused",
  ]),
  ...within(
    "vault/mcp-server/client.ts",
    [
      "registration is switched on",
      "provider.registration === true && ",
      "",
      story,
      "is not registered at, and says what to do, where that is not switched on",
    ],
    [
      "a document is served by https",
      'newClients.byDocument && document.startsWith("https:")',
      "newClients.byDocument",
      story,
      "gets no document from pages that it cannot reach by https",
    ],
  ),
  ...within(
    "vault/mcp-server/pin.ts",
    [
      "tokens stay with their authorization server",
      "[pinnedFields.issuer]: issuer,",
      '[pinnedFields.issuer]: "https://login.example",',
      story,
      "that names another authorization server later gets no tokens: they stay where the consent was",
    ],
    [
      "a configured secret goes to its issuer only",
      "client?.id === id && (expected === undefined || expected === issuer)",
      "client?.id === id",
      `${tests}/vault/pin.test.ts`,
      "leaves a configured secret in the configuration, and uses it at its own authorization server only",
    ],
  ),
  ...within("vault/credentials.ts", [
    "our client is not shown to authors",
    "= withoutPin(fields)",
    "= fields",
    story,
    "shows authors the access token, and nothing of our client",
  ]),
  ...within("vault/presets/define.ts", [
    "a secret needs an issuer",
    'client === undefined || method === "none" || issuer !== undefined',
    "true",
    story,
    "has a secret only together with the authorization server that it goes to",
  ]),
]
