// Authenticates HTTP requests: who calls, and whether they may.

import type { AuthInfo } from "@modelcontextprotocol/server"
import type { Caller as Bearer } from "../../identity/resource/caller.ts"
import { readCalled } from "./incoming.ts"
import type { McpOptions, McpRequestInfo } from "./settings.ts"
import type { Caller } from "./surface.ts"
import { toError } from "./wire.ts"

/** The authenticated caller, for this surface and for the SDK. */
export interface AuthenticatedCaller {
  readonly caller: Caller
  readonly authInfo?: AuthInfo
  readonly bearer?: Bearer
}

export async function authenticate(
  callers: McpOptions["callers"],
  request: Request,
  { authInfo: given }: McpRequestInfo,
): Promise<AuthenticatedCaller | Response> {
  const known = given === undefined ? {} : { authInfo: given }
  if (callers === "anonymous") return { caller: { clientId: "" }, ...known }
  if (typeof callers === "function") {
    const found = await callers(request, known)
    if (found instanceof Response) return found
    if (found === undefined) return unauthorized()
    return { caller: { principal: found.principal, clientId: found.clientId ?? "" }, ...known }
  }
  if ("local" in callers) return { caller: { principal: callers.local, clientId: "" }, ...known }
  const bearer = await callers.authenticate(request)
  if (bearer instanceof Response) return bearer
  const { principal, clientId, scopes, token, expiresAt } = bearer
  const authInfo: AuthInfo = {
    ...{ token, clientId, expiresAt, scopes: [...scopes], extra: { principal } },
    resourceMetadataUrl: callers.metadataUrl,
  }
  Object.defineProperty(authInfo, "resource", resourceOf(callers))
  return { caller: { principal, clientId }, authInfo, bearer }
}

const resources = new WeakMap<object, PropertyDescriptor>()

/**
 * `resource` of the SDK's AuthInfo. A URL can be changed, so requests do not share one; it is made when a handler looks at
 * it, since few do and many requests are held at the same time. The getter is the same for all requests.
 */
function resourceOf(callers: { readonly resource: string }): PropertyDescriptor {
  const known = resources.get(callers)
  if (known !== undefined) return known
  const { resource } = callers
  const descriptor = { get: () => new URL(resource), enumerable: true, configurable: true }
  resources.set(callers, descriptor)
  return descriptor
}

/**
 * Returns a 403 response when the token lacks scopes of this server. They are never requested by a question, and are
 * checked before anything runs.
 */
export function lacksScopes(
  { callers, scopesFor }: McpOptions,
  { bearer }: AuthenticatedCaller,
  body: unknown,
): Response | undefined {
  if (scopesFor === undefined || bearer === undefined || typeof callers !== "object" || "local" in callers)
    return undefined
  const messages = Array.isArray(body) ? body : [body]
  const needed = messages.flatMap((message) => {
    const called = readCalled(message)
    return called === undefined ? [] : scopesFor(called)
  })
  return needed.length === 0 ? undefined : callers.challenge(bearer, needed)
}

const unauthorized = (): Response =>
  toResponse(401, toError(null, -32_001, "Unauthorized: this server does not know who calls"))

export const toResponse = (status: number, body: object): Response => Response.json(body, { status })
