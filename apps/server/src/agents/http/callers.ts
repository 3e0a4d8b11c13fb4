// Who calls the run API. A person is proved by their browser's session, by a token issued for this API, or in local mode
// by being at this machine. An API key proves a program and no person.

import { createHash, timingSafeEqual } from "node:crypto"
import type { Principal } from "@holdpoint/sdk"
import type { Site } from "@holdpoint/sdk/compose"
import { signedIn } from "@holdpoint/sdk/http"
import type { Identity } from "@holdpoint/sdk/identity"
import type { AgentsConfig } from "../definition.ts"
import { problem } from "./problem.ts"

/** The path of the API, for which tokens are issued. */
export const runPath = "/run"

export interface RunCaller {
  readonly principal: Principal
  /** False for a program that called with an API key: it cannot be asked, and has no accounts. */
  readonly isPerson: boolean
}

export type RunCallers = (request: Request) => Promise<RunCaller | Response>

type Callers = ReturnType<Site["callersAt"]>

/** Makes the check of callers. `tokens` are those of people, undefined when this server issues none. */
export function createRunCallers(site: Site, config: Pick<AgentsConfig, "origins" | "apiKeys">): RunCallers {
  const tokens: Callers | undefined = tokensOf(site)
  const isAllowed = createOriginCheck(site, config.origins ?? [])
  return async (request) => {
    const refused = isAllowed(request)
    if (refused !== undefined) return refused
    if (tokens !== undefined && "local" in tokens) return { principal: tokens.local, isPerson: true }
    const key = request.headers.get("x-api-key")
    if (key !== null) return programOf(config, key)
    if (request.headers.has("authorization")) return bearerOf(request, tokens)
    return sessionOf(request, site)
  }
}

function tokensOf(site: Site): Callers | undefined {
  return site.authorization === undefined && !("principal" in site.identity) ? undefined : site.callersAt(runPath)
}

/** Without it a web page could call this API at its visitor's own machine, or with their session. */
function createOriginCheck(
  { addresses }: Site,
  origins: readonly string[],
): (request: Request) => Response | undefined {
  const own = new URL(addresses.publicUrl)
  const pages = new Set([own.origin, ...origins])
  const isLocal = (hostname: string): boolean => localNames.has(hostname)
  return ({ headers, url }) => {
    const host = URL.parse(`http://${headers.get("host") ?? new URL(url).host}`)?.hostname ?? ""
    const origin = headers.get("origin")
    if (host !== own.hostname && !(isLocal(host) && isLocal(own.hostname)))
      return problem({ status: 403, code: "wrong_host", detail: `This server is reached as ${own.host}.` })
    if (origin === null || pages.has(origin)) return undefined
    const detail = `Pages of ${origin} may not call this API. Add it to agents.origins if they should.`
    return problem({ status: 403, code: "wrong_origin", detail })
  }
}

const localNames: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"])

function programOf({ apiKeys = [] }: Pick<AgentsConfig, "apiKeys">, key: string): RunCaller | Response {
  const digest = createHash("sha256").update(key).digest()
  const found = apiKeys.find(({ sha256 }) => {
    const known = Buffer.from(sha256, "hex")
    return known.length === digest.length && timingSafeEqual(known, digest)
  })
  if (found === undefined)
    return problem({ status: 401, code: "unknown_key", detail: "This API key is not one of agents.apiKeys." })
  const tenant = found.actsFor?.tenant ?? "local"
  return { principal: { tenant, issuer: "holdpoint:program", subject: found.id }, isPerson: false }
}

async function bearerOf(request: Request, tokens: Callers | undefined): Promise<RunCaller | Response> {
  if (tokens === undefined || "local" in tokens)
    return problem({ status: 401, code: "no_tokens", detail: "This server issues no tokens. Sign in with a browser." })
  const caller = await tokens.authenticate(request)
  return caller instanceof Response ? caller : { principal: caller.principal, isPerson: true }
}

/** Browsers send their cookies with the requests of any page, so only pages of this origin may use them. */
async function sessionOf(request: Request, { identity, addresses }: Site): Promise<RunCaller | Response> {
  const isOwnPage =
    request.headers.get("origin") === new URL(addresses.publicUrl).origin ||
    request.headers.get("sec-fetch-site") === "same-origin"
  const session =
    isOwnPage && "begin" in identity
      ? await signedIn(request, { identity: identity as Identity, addresses })
      : undefined
  if (session !== undefined) return { principal: session.principal, isPerson: true }
  const detail = "It is not known who calls. Sign in at this server's pages, or send a token that was issued for /run."
  return problem({ status: 401, code: "not_signed_in", detail })
}
