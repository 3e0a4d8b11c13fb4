// Checks a provider's data at startup, so that a mistake is reported then and not by a failed consent. Secret values
// appear in no message.

import type { Problem } from "@holdpoint/hub"
import { nearest } from "@holdpoint/hub/forms"
import type { McpServerProvider, OAuthClient, OAuthProvider, Provider } from "@holdpoint/hub/internal"
import { invalidConfig, unknownName } from "@holdpoint/hub/internal"
import { isEndpoint } from "../../oauth/server.ts"
import { type Keys, keysOf } from "./keys.ts"

/**
 * Returns the data of a provider of your own as it was given, or throws `invalid_config` with everything that is wrong
 * with it.
 */
export function defineProvider<P extends Provider>(provider: P): P {
  const problems = problemsOf(provider)
  if (problems.length === 0) return provider
  const providerWords = idForm.test(text(provider?.id)) ? `“${provider.id}”` : "without a usable id"
  throw invalidConfig(`The provider ${providerWords}`, problems)
}

const idForm = /^[a-z0-9]+(?:-[a-z0-9]+)*$/

function problemsOf(provider: Provider): readonly Problem[] {
  if (typeof provider !== "object" || provider === null) return [{ path: "", message: "Write an object." }]
  const keys = keysOf(provider.kind)
  if (keys === undefined)
    return [{ path: "kind", message: `Write one of ${kinds.join(", ")}.`, ...suggestionFor(provider.kind, kinds) }]
  return [
    ...unknownKeys(provider, keys, ""),
    ...judge([
      ["id", idForm.test(text(provider.id)), "Write lower-case letters, digits and hyphens, such as my-cloud."],
      ["name", text(provider.name).trim() !== "", "Write the name that people know it by."],
      ["api", isList(provider.api) && provider.api.length > 0, "Name at least one origin that calls may go to."],
      [
        "probe.when",
        provider.probe === undefined || (isList(provider.probe.when) && provider.probe.when.every(Number.isInteger)),
        "List statuses, such as 503.",
      ],
      ["timeoutMs", isTimeout(provider.timeoutMs), "Write milliseconds, a second or more."],
      ["headers", !namesHeader(provider.headers, "authorization"), "Holdpoint sets this header itself."],
    ]),
    ...originProblems(provider),
    ...(provider.kind === "oauth" ? oauthProblems(provider) : kindProblems(provider)),
    ...callProblems(provider),
  ]
}

const kinds = ["oauth", "mcp_server", "login_flow", "api_key", "basic"]

type CheckRow = readonly [path: string, holds: boolean, message: string]

function judge(rows: readonly CheckRow[]): Problem[] {
  return rows.filter(([, holds]) => !holds).map(([path, , message]) => ({ path, message }))
}

function originProblems({ api }: Provider): Problem[] {
  return (isList(api) ? api : []).flatMap((origin, index) => {
    const url = URL.parse(text(origin))
    const isOrigin = isEndpoint(origin, true) && url?.origin === origin
    return isOrigin
      ? []
      : [{ path: `api.${index}`, message: "Write an origin: https and a host, with nothing after it." }]
  })
}

function oauthProblems(provider: OAuthProvider): Problem[] {
  const { discovery, endpoints, issuer, client, identity, revocation, authorizationParameters } = provider
  const isDiscovered = ["oidc", "oauth2", "either"].includes(discovery)
  const { namesIssuer: _names, ...addresses } = endpoints ?? {}
  const scopes = provider.baseScopes ?? []
  const isRevokedByClient = revocation?.by === "call" && revocation.authorization === "basic_client"
  const hasSecret = ["basic", "post"].includes(text(client?.authentication?.method))
  return judge([
    ["discovery", isDiscovered || discovery === "none", "Write oidc, oauth2, either or none."],
    ["issuer", !isDiscovered || issuer !== undefined, "Discovery needs an issuer."],
    ["issuer", issuer === undefined || isEndpoint(issuer.replace("{tenantid}", "t"), true), httpsWords],
    ["endpoints", isDiscovered === (endpoints === undefined), 'Give endpoints with discovery "none", and only then.'],
    ...Object.entries(addresses).map(
      ([name, address]): CheckRow => [`endpoints.${name}`, isEndpoint(address, true), httpsWords],
    ),
    [
      "pkce",
      provider.pkce === "S256" || provider.pkce === "none",
      "Write S256, or none if the provider does not support PKCE.",
    ],
    [
      "redirect",
      ["context", "single"].includes(provider.redirect),
      "Write context, or single if the provider allows only one redirect address.",
    ],
    ["client.id", text(client?.id) !== "", "Write the id that the provider gave to this program."],
    ...clientRows(provider),
    ["identity.from", identities.includes(text(identity?.from)), `Write one of ${identities.join(", ")}.`],
    ["revocation.by", revocations.includes(text(revocation?.by)), `Write one of ${revocations.join(", ")}.`],
    ["identity", identity?.from !== "id_token" || scopes.includes("openid"), "An id token needs openid in baseScopes."],
    ["identity", identity?.from !== "id_token" || issuer !== undefined, "An id token needs an issuer to compare with."],
    [
      "identity",
      identity?.from !== "userinfo" || isDiscovered || endpoints?.userinfo !== undefined,
      "Give endpoints.userinfo.",
    ],
    [
      "revocation",
      revocation?.by !== "rfc7009" || isDiscovered || endpoints?.revocation !== undefined,
      "Give endpoints.revocation.",
    ],
    ["revocation.authorization", !isRevokedByClient || hasSecret, "Basic authentication of the client needs a secret."],
    ...Object.keys(authorizationParameters ?? {}).map(
      (name): CheckRow => [
        `authorizationParameters.${name}`,
        !reservedParameters.has(name),
        "Holdpoint sets this parameter itself.",
      ],
    ),
  ])
}

const identities = ["id_token", "userinfo", "token", "call", "nothing"]
const revocations = ["rfc7009", "call", "nothing"]
const httpsWords = "Write an https address."
const reservedParameters = new Set([
  ...["client_id", "response_type", "redirect_uri", "state", "nonce", "scope", "resource"],
  ...["code_challenge", "code_challenge_method", "request", "request_uri", "response_mode"],
])

interface ClientData {
  readonly client: OAuthClient
  readonly issuer?: string | undefined
}

function clientRows({ client, issuer }: ClientData): readonly CheckRow[] {
  const authentication = client?.authentication
  const path = "client.authentication"
  switch (authentication?.method) {
    case "none":
      return []
    case "basic":
    case "post":
      return [[`${path}.secret`, text(authentication.secret) !== "", "Write the secret that the provider gave."]]
    case "private_key_jwt": {
      const key: Readonly<Record<string, unknown>> = authentication.key ?? {}
      const isUsableKey = ["EC", "OKP", "RSA"].includes(text(key.kty)) && text(key.d) !== ""
      return [
        [`${path}.key`, isUsableKey, "Give a private JWK of type EC, OKP or RSA."],
        [path, issuer !== undefined, "The signed assertion names the issuer: give one."],
      ]
    }
    default:
      return [[path, false, "Write method none, basic, post or private_key_jwt."]]
  }
}

function mcpProblems(provider: McpServerProvider): Problem[] {
  const { server, resource, issuer, client, registration } = provider
  const method = client?.authentication?.method
  const isAtServer = (address: string): boolean => URL.parse(address)?.origin === URL.parse(server)?.origin
  return judge([
    ["server", isEndpoint(server, true), httpsWords],
    [
      "resource",
      resource === undefined || (isEndpoint(resource, true) && isAtServer(resource)),
      "Write an address at the server's origin.",
    ],
    ["issuer", issuer === undefined || isEndpoint(issuer, true), httpsWords],
    // Without an issuer, the foreign server's metadata would choose where the secret goes.
    [
      "issuer",
      client === undefined || method === "none" || issuer !== undefined,
      "A client with a secret needs the issuer that the secret is for.",
    ],
    [
      "client.id",
      client === undefined || text(client.id) !== "",
      "Write the id that the provider gave to this program.",
    ],
    ...(client === undefined ? [] : clientRows({ client, issuer })),
    ["registration", registration === undefined || typeof registration === "boolean", "Write true or false."],
    ["registration", client === undefined || registration !== true, "Leave this out: the configured client is used."],
  ])
}

function kindProblems(provider: Exclude<Provider, OAuthProvider>): Problem[] {
  if (provider.kind === "mcp_server") return mcpProblems(provider)
  if (provider.kind === "login_flow")
    return judge([
      ["server", isEndpoint(provider.server, true), httpsWords],
      ["rotateAfterMs", isInterval(provider.rotateAfterMs), "Write milliseconds, a minute or more."],
      [
        "ownAccount",
        ["undefined", "required", "confirm", "off"].includes(String(provider.ownAccount)),
        "Write required, confirm or off.",
      ],
    ])
  const help = provider.help?.url
  const rows: CheckRow[] = [["help.url", help === undefined || isEndpoint(help, true), httpsWords]]
  if (provider.kind === "api_key")
    rows.push([
      "header.name",
      /^[!#$%&'*+.^_`|~\w-]+$/.test(text(provider.header?.name)),
      "Write the name of a header.",
    ])
  return judge(rows)
}

/** Calls carry credentials, so their addresses must be among those that may get credentials. */
function callProblems(provider: Provider): Problem[] {
  const calls = {
    ...(provider.probe === undefined ? {} : { "probe.call": provider.probe.call }),
    ...(provider.kind === "api_key" || provider.kind === "basic" ? { test: provider.test } : {}),
    ...("identity" in provider && provider.identity?.from === "call"
      ? { "identity.call": provider.identity.call }
      : {}),
    ...(provider.kind === "oauth" && provider.revocation?.by === "call"
      ? { "revocation.call": provider.revocation.call }
      : {}),
  }
  return Object.entries(calls).flatMap(([path, call]) => {
    const origin = URL.parse(text(call?.url))?.origin
    const isAllowedOrigin = isList(provider.api) && origin !== undefined && provider.api.includes(origin)
    return isAllowedOrigin ? [] : [{ path: `${path}.url`, message: "Its origin must be one of those in api." }]
  })
}

/** Reports unknown keys at every level that has fixed names. */
function unknownKeys(value: unknown, keys: Keys, path: string): Problem[] {
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => {
    const memberPath = path === "" ? name : `${path}.${name}`
    if (!Object.hasOwn(keys, name)) return [unknownName(memberPath, name, Object.keys(keys))]
    const memberKeys = keys[name]
    return memberKeys === undefined || memberKeys === true ? [] : unknownKeys(member, memberKeys, memberPath)
  })
}

function suggestionFor(word: unknown, names: readonly string[]): { readonly suggestion?: string } {
  const suggestion = nearest(text(word), names)
  return suggestion === undefined ? {} : { suggestion: `Did you mean ${suggestion}?` }
}

function namesHeader(headers: Readonly<Record<string, string>> | undefined, header: string): boolean {
  return Object.keys(headers ?? {}).some((name) => name.toLowerCase() === header)
}

/** Whether rotations are at least a minute apart, so that one has ended before the next begins. */
const isInterval = (value: unknown): boolean => value === undefined || (typeof value === "number" && value >= 60_000)

const isTimeout = (value: unknown): boolean => value === undefined || (typeof value === "number" && value >= 1_000)

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)
const text = (value: unknown): string => (typeof value === "string" ? value : "")
