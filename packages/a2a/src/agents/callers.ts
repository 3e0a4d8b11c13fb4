// Authenticates callers over A2A. A person needs an access token for this resource; in local mode, the key of their
// programs, or their own browser. API keys, person tokens of the run API and claims in a message are ignored.

import type { AgentsConfig } from "@holdpoint/agents"
import { problem } from "@holdpoint/agents/internal"
import type { Principal } from "@holdpoint/hub"
import type { ResourceServer } from "@holdpoint/hub/internal"
import type { Site } from "@holdpoint/server"
import { createResourceServer } from "@holdpoint/server/identity"

/** The path above the addresses of all agents. Access tokens are issued for this path. */
export const a2aPath = "/a2a"

/**
 * The agents as a protected resource, for programs that get a token in a person's name. Separate from the run API and
 * the MCP server, so that those do not accept a token that one agent sends to another.
 */
export const a2aResource = {
  resource: a2aPath,
  name: "The agents of this server, for other agents",
  scopes: { "agents.run": "Talk to the agents in your name" },
}

export interface A2aCaller {
  readonly person: Principal
  /** False for the person's own programs in local mode: their Yes comes from their browser. */
  readonly mayApprove: boolean
}

export interface A2aCallers {
  /** Returns the person of the request, or the response that refuses the request. */
  authenticate(request: Request): Promise<A2aCaller | Response>
  /** Verifies tokens. Undefined in local mode. */
  readonly resource: ResourceServer | undefined
  /** What callers send as their bearer token, in words. */
  readonly token: string
  /** The built-in authorization server, if it issues tokens for this resource. */
  readonly issuer: string | undefined
}

/** Undefined when there is no way to authenticate callers: then A2A is not served. */
export function createA2aCallers(site: Site, { issuers = [] }: Pick<AgentsConfig, "issuers">): A2aCallers | undefined {
  const { identity, authorization, addresses, guardedFetch: fetch, runtime, report } = site
  if ("principal" in identity)
    return {
      authenticate: (request) => personHere(request, site),
      resource: undefined,
      issuer: undefined,
      token: "The key of the programs of the person at this machine",
    }
  const isIssued = authorization?.resources.some(({ resource }) => resource === `${authorization.issuer}${a2aPath}`)
  const ownAuthorization = isIssued === true ? authorization : undefined
  const allIssuers = [...(ownAuthorization === undefined ? [] : [ownAuthorization.tokenIssuer]), ...issuers]
  if (allIssuers.length === 0) return undefined
  const scopes = Object.keys(a2aResource.scopes)
  const resourceUrl = `${addresses.publicUrl}${a2aPath}`
  const resource = createResourceServer({
    resource: resourceUrl,
    name: a2aResource.name,
    issuers: allIssuers,
    ...{ scopes, requires: scopes, fetch, runtime, report },
  })
  return {
    resource,
    token: `An access token of a person for the resource ${resourceUrl}`,
    issuer: ownAuthorization?.issuer,
    async authenticate(request) {
      const caller = await resource.authenticate(request)
      return caller instanceof Response ? caller : { person: caller.principal, mayApprove: true }
    },
  }
}

async function personHere(request: Request, site: Site): Promise<A2aCaller | Response> {
  const caller = await site.personHere(request)
  if (caller !== undefined && !("refusal" in caller)) return { person: caller.principal, mayApprove: caller.mayApprove }
  const refusal = problem({ status: 401, code: "not_the_person", detail: caller?.refusal ?? "" })
  refusal.headers.set("www-authenticate", "Bearer")
  return refusal
}
