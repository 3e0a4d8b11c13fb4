// The keys that a provider's data may have, level by level: `true` where any value may follow.

import type {
  ApiCall,
  ApiKeyProvider,
  BasicProvider,
  DisabledProbe,
  Endpoints,
  LoginFlowProvider,
  McpServerProvider,
  OAuthProvider,
  OAuthQuirks,
  Probe,
} from "@holdpoint/hub/internal"

export interface Keys {
  readonly [name: string]: Keys | true
}

/** Requires every key of T, so that a new one cannot be forgotten here. */
type Names<T> = Readonly<Record<keyof T, Keys | true>>

const call: Names<Required<ApiCall>> = { method: true, url: true, headers: true, body: true, accepts: true }
const probe: Names<Required<Probe>> = { when: true, call, says: { path: true, value: true } }
const disabled: Names<DisabledProbe> = { words: true, unless: { path: true, value: true }, call }
const base = {
  id: true,
  name: true,
  api: true,
  scopeWords: true,
  headers: true,
  timeoutMs: true,
  kind: true,
  probe,
  disabled,
} as const
const identity: Keys = { from: true, call, id: true, name: true, host: true, advice: true }
const help: Keys = { words: true, url: true }

const endpoints: Names<Required<Endpoints>> = {
  authorization: true,
  token: true,
  userinfo: true,
  revocation: true,
  pushedAuthorization: true,
  jwks: true,
  namesIssuer: true,
}

const quirks: Names<Required<OAuthQuirks>> = {
  deadGrantErrors: true,
  errorMap: true,
  neverExpires: true,
  assumedLifetime: true,
  refresh: true,
  scopeSeparator: true,
  scopeParameter: true,
  tokenPath: true,
  okMember: true,
  scopes: true,
  tokenRequest: true,
  tokenTypes: true,
  scopeImpliedBy: true,
  neverPresentExpired: true,
}

const oauth: Names<Required<OAuthProvider>> = {
  ...base,
  issuer: true,
  discovery: true,
  endpoints,
  client: { id: true, authentication: { method: true, secret: true, key: true, keyId: true } },
  pkce: true,
  baseScopes: true,
  authorizationParameters: true,
  resource: true,
  redirect: true,
  identity,
  revocation: { by: true, accepts: true, call, authorization: true, settings: true },
  quirks,
}

const mcpServer: Names<Required<McpServerProvider>> = {
  ...base,
  ...{ server: true, resource: true, issuer: true, registration: true, baseScopes: true },
  client: oauth.client,
}

const loginFlow: Names<Required<LoginFlowProvider>> = { ...base, server: true, rotateAfterMs: true, ownAccount: true }
const apiKey: Names<Required<ApiKeyProvider>> = {
  ...base,
  header: { name: true, prefix: true },
  test: call,
  identity,
  help,
}
const basic: Names<Required<BasicProvider>> = { ...base, test: call, identity, help }

/** The keys of a provider of this kind. Undefined for an unknown kind. */
export function keysOf(kind: unknown): Keys | undefined {
  return new Map<unknown, Keys>([
    ["oauth", oauth],
    ["mcp_server", mcpServer],
    ["login_flow", loginFlow],
    ["api_key", apiKey],
    ["basic", basic],
  ]).get(kind)
}
