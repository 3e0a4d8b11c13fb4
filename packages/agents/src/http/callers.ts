// Identifies the callers of the run API. People prove who they are by their browser's session, by an access token for
// this API, or by a short-lived token that a program got for them; in local mode by their own browser, or by the key of
// their programs. An API key identifies only a program.

import type { Principal } from "@holdpoint/hub"
import type { ResourceServer } from "@holdpoint/hub/internal"
import type { Site } from "@holdpoint/server"
import { signedIn } from "@holdpoint/server/http"
import { createResourceServer } from "@holdpoint/server/identity"
import type { AgentsConfig, ApiKeyConfig } from "../definition.ts"
import { findKey, toProgram } from "./api-keys.ts"
import type { Origins } from "./origins.ts"
import { type PersonTokens, personTokenPrefix } from "./person-tokens.ts"
import { problem } from "./problem.ts"

/** The path of the run API. Access tokens are issued for it. */
export const runPath = "/run"

/**
 * The run API as a resource: add it to the resources of the built-in authorization server, so that programs can get
 * tokens in a person's name.
 */
export const runResource = {
  resource: runPath,
  name: "The agents of this server",
  scopes: {
    "agents.run":
      "Talk to the agents in your name, read your conversations with them, and see and answer the questions in these conversations",
  },
}

export interface RunCaller {
  readonly principal: Principal
  /** False for a program that called with an API key: it cannot be asked, and has no accounts. */
  readonly isPerson: boolean
  /** False for the person's own programs in local mode: their Yes comes from their browser. */
  readonly mayApprove: boolean
  /**
   * Whether the caller sees the person's questions from everywhere, as in the inbox: the person's browser, and their own
   * programs in local mode. All others see only the questions in the person's conversations with agents.
   */
  readonly seesInbox: boolean
  /** The API key that the program called with, or that the person's token was made with. */
  readonly key?: ApiKeyConfig
  /** The only conversation that the caller may use. */
  readonly conversation?: string
}

export type RunCallers = (request: Request) => Promise<RunCaller | Response>

export interface CallersParts {
  readonly site: Site
  readonly config: Pick<AgentsConfig, "apiKeys">
  readonly origins: Origins
  readonly personTokens: PersonTokens
  /** Verifies access tokens for this API. */
  readonly resource: ResourceServer | undefined
}

/**
 * Creates the verifier of access tokens for this API, from the built-in authorization server and from `agents.issuers`.
 * Undefined when there is no issuer.
 */
export function createRunResource(
  { addresses, authorization, guardedFetch: fetch, runtime, report }: Site,
  { issuers = [] }: Pick<AgentsConfig, "issuers">,
): ResourceServer | undefined {
  const all = [...(authorization === undefined ? [] : [authorization.tokenIssuer]), ...issuers]
  if (all.length === 0) return undefined
  const scopes = Object.keys(runResource.scopes)
  const resource = `${addresses.publicUrl}${runPath}`
  const { name } = runResource
  return createResourceServer({ resource, name, issuers: all, scopes, requires: scopes, fetch, runtime, report })
}

export function createRunCallers(parts: CallersParts): RunCallers {
  const { config, site } = parts
  const apiKeys = config.apiKeys ?? []
  return async (request) => {
    const text = request.headers.get("x-api-key")
    const bearer = /^bearer\s+(\S+)\s*$/i.exec(request.headers.get("authorization") ?? "")?.[1]
    // OpenAI's clients send their API key as a bearer token.
    const key = findKey(apiKeys, text ?? bearer ?? "")
    if (key !== undefined)
      return { principal: toProgram(key), isPerson: false, mayApprove: false, seesInbox: false, key }
    if (text !== null)
      return unauthorized(parts, "unknown_key", "This API key is not in agents.apiKeys. Check the key.")
    if (bearer?.startsWith(personTokenPrefix)) return personOf(parts, bearer)
    // Any user of the machine can reach the port, so that the address alone does not make a caller the person.
    const here = await site.personHere(request)
    if (here !== undefined && "refusal" in here) return unauthorized(parts, "not_the_person", here.refusal)
    if (here !== undefined) return { ...here, isPerson: true, seesInbox: true }
    return request.headers.has("authorization") ? bearerOf(parts, request) : sessionOf(parts, request)
  }
}

function personOf(parts: CallersParts, token: string): RunCaller | Response {
  const tokenContent = parts.personTokens.open(token)
  return tokenContent === undefined
    ? unauthorized(parts, "invalid_token", tokenEnded)
    : { ...tokenContent, isPerson: true, mayApprove: true, seesInbox: false }
}

const tokenEnded = "This token has expired or was revoked. Get a new one from your server and try again."

async function bearerOf(parts: CallersParts, request: Request): Promise<RunCaller | Response> {
  const { resource } = parts
  if (resource === undefined)
    return unauthorized(
      parts,
      "no_tokens",
      "This server has no identity provider whose tokens it accepts. Sign in with a browser.",
    )
  const caller = await resource.authenticate(request)
  if (!(caller instanceof Response)) {
    const { principal } = caller
    return { principal, isPerson: true, mayApprove: true, seesInbox: false }
  }
  const { error, error_description: detail } = (await caller.json()) as Readonly<Record<string, string>>
  return withHeaders(problem({ status: caller.status, code: error ?? "", detail: detail ?? "" }), caller.headers)
}

/** Copies the headers of a refusal that clients act on. */
function withHeaders(response: Response, from: Headers): Response {
  for (const name of ["www-authenticate", "retry-after"]) {
    const value = from.get(name)
    if (value !== null) response.headers.set(name, value)
  }
  return response
}

/** Finds the session by its cookie. Any page can make a browser send it, so it counts only from this server's pages. */
async function sessionOf(parts: CallersParts, request: Request): Promise<RunCaller | Response> {
  const { origins, site } = parts
  const { identity, addresses } = site
  const session =
    "begin" in identity && origins.isOwnPage(request) ? await signedIn(request, { identity, addresses }) : undefined
  return session === undefined
    ? unauthorized(parts, "not_signed_in", notSignedIn)
    : { principal: session.principal, isPerson: true, mayApprove: true, seesInbox: true }
}

const notSignedIn = "The caller is unknown. Sign in on this server's pages, or send a token that was issued for /run."

/** RFC 9728 §5.1: the challenge has the URL of the metadata, which list the trusted authorization servers. */
function unauthorized({ resource }: CallersParts, code: string, detail: string): Response {
  const response = problem({ status: 401, code, detail })
  const error = code === "invalid_token" ? ['error="invalid_token"'] : []
  const from = resource === undefined ? [] : [`resource_metadata="${resource.metadataUrl}"`]
  const scope = `scope="${Object.keys(runResource.scopes).join(" ")}"`
  response.headers.set("www-authenticate", `Bearer ${[...error, ...from, scope].join(", ")}`)
  return response
}
