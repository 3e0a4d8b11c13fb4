// Who calls over A2A. A person is proved by a token that an authorization server issued for this resource, or in local
// mode by being at this machine. Cookies, API keys and the run API's own tokens count for nothing here, and neither
// does anything in a message.

import type { Principal } from "@holdpoint/sdk"
import type { Site } from "@holdpoint/sdk/compose"
import { createResourceServer, type ResourceServer } from "@holdpoint/sdk/identity"
import type { AgentsConfig } from "../definition.ts"

/** The path below which each agent has its address, and for which tokens are issued. */
export const a2aPath = "/a2a"

/**
 * The agents as programs are told of them that ask for a token in a person's name. A resource of its own: a token that
 * one agent shows to another must not open the run API or the MCP server.
 */
export const a2aResource = {
  resource: a2aPath,
  name: "The agents of this server, for other agents",
  scopes: { "agents.run": "Talk to the agents in your name" },
}

export interface A2aCallers {
  /** The person in whose name the request is made, or the response that refuses it. */
  authenticate(request: Request): Promise<Principal | Response>
  /** Undefined in local mode. */
  readonly resource: ResourceServer | undefined
  /** The built-in authorization server, if it issues tokens for this resource. */
  readonly issuer: string | undefined
}

/** Undefined when no caller could prove a person: then A2A is not served. */
export function createA2aCallers(site: Site, { issuers = [] }: Pick<AgentsConfig, "issuers">): A2aCallers | undefined {
  const { identity, authorization, addresses, guardedFetch: fetch, runtime, report } = site
  if ("principal" in identity)
    return { authenticate: async () => identity.principal, resource: undefined, issuer: undefined }
  const isIssued = authorization?.resources.some(({ resource }) => resource === `${authorization.issuer}${a2aPath}`)
  const own = isIssued === true ? authorization : undefined
  const all = [...(own === undefined ? [] : [own.tokenIssuer]), ...issuers]
  if (all.length === 0) return undefined
  const scopes = Object.keys(a2aResource.scopes)
  const resource = createResourceServer({
    ...{ resource: `${addresses.publicUrl}${a2aPath}`, name: a2aResource.name, issuers: all },
    ...{ scopes, requires: scopes, fetch, runtime, report },
  })
  return {
    resource,
    issuer: own?.issuer,
    async authenticate(request) {
      const caller = await resource.authenticate(request)
      return caller instanceof Response ? caller : caller.principal
    },
  }
}
