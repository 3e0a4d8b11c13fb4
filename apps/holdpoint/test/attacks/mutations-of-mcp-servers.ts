// Checks of accounts at third-party MCP servers: their metadata, their authorization servers, and our client
// registration.

import { type Mutation, within } from "./mutation.ts"

const story = "packages/server/test/http/mcp-server.test.ts"

export const mcpServerMutations: readonly Mutation[] = [
  ...within(
    "packages/accounts/src/oauth/protected-resource.ts",
    [
      "metadata is about this resource",
      "URL.parse(resource)?.href !== new URL(expectedResource).href",
      "URL.parse(resource)?.href === undefined",
      story,
      "whose metadata is about another resource is refused (RFC 9728 §3.3)",
    ],
    [
      "metadata is on the server's origin",
      "URL.parse(challengeAddress)?.origin === origin ? [challengeAddress] : undefined",
      "[challengeAddress]",
      story,
      "whose challenge names a document elsewhere is refused, and that document is not fetched",
    ],
    [
      "a discovered authorization server uses https",
      "isEndpoint(issuer, isLoopbackHttp(server))",
      "isEndpoint(issuer, true)",
      "packages/accounts/test/oauth/protected-resource.test.ts",
      "is refused",
    ],
  ),
  ...within("packages/accounts/src/oauth/protected-resource.ts", [
    "a foreign server's scopes are validated",
    "?.filter(isScope).slice(0, mostScopes)",
    "",
    "packages/accounts/test/oauth/protected-resource.test.ts",
    "is reduced to valid scopes, and to at most 100 of them",
  ]),
  ...within("packages/accounts/src/vault/mcp-server/find.ts", [
    "only the configured authorization server counts",
    "!resource.issuers.includes(issuer)",
    "false",
    story,
    "that no longer names the configured authorization server is refused",
  ]),
  ...within(
    "packages/accounts/src/vault/mcp-server/client.ts",
    [
      "registration must be switched on",
      "provider.registration === true && ",
      "",
      story,
      "gets no registration when that is not enabled, and the page says how to enable it",
    ],
    [
      "a client document is served only by https",
      'newClients.byDocument && document.startsWith("https:")',
      "newClients.byDocument",
      story,
      "gets no client ID metadata document from pages without https",
    ],
  ),
  ...within(
    "packages/accounts/src/vault/mcp-server/pin.ts",
    [
      "tokens stay with their authorization server",
      "[pinnedFields.issuer]: issuer,",
      '[pinnedFields.issuer]: "https://login.example",',
      story,
      "that later names another authorization server does not move the tokens there",
    ],
    [
      "a configured secret goes to its issuer only",
      "client?.id === id && (configuredIssuer === undefined || configuredIssuer === issuer)",
      "client?.id === id",
      "packages/accounts/test/vault/pin.test.ts",
      "does not contain a configured secret, and uses it only at its own authorization server",
    ],
  ),
  ...within("packages/accounts/src/vault/credentials.ts", [
    "our client is not shown to authors",
    "= withoutPin(fields)",
    "= fields",
    story,
    "shows authors the access token, and nothing of our client",
  ]),
  ...within("packages/accounts/src/vault/presets/define.ts", [
    "a secret needs an issuer",
    'client === undefined || method === "none" || issuer !== undefined',
    "true",
    story,
    "may have a secret only together with the issuer that the secret is for",
  ]),
]
