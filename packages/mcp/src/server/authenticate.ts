// Authenticates HTTP requests: who the caller is, and whether their token has the scopes that this server requires.

import type { Caller as Bearer } from "@holdpoint/hub/internal"
import type { AuthInfo } from "@modelcontextprotocol/server"
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
  { authInfo: hostAuthInfo }: McpRequestInfo,
): Promise<AuthenticatedCaller | Response> {
  const auth = hostAuthInfo === undefined ? {} : { authInfo: hostAuthInfo }
  if (callers === "anonymous") return { caller: { clientId: "" }, ...auth }
  if (typeof callers === "function") {
    const result = await callers(request, auth)
    if (result instanceof Response) return result
    if (result === undefined) return unauthorized()
    return { caller: { principal: result.principal, clientId: result.clientId ?? "" }, ...auth }
  }
  if ("local" in callers) {
    const refusal = await callers.refusal?.(request)
    return refusal === undefined
      ? { caller: { principal: callers.local, clientId: "" }, ...auth }
      : unauthorized(refusal)
  }
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
 * Returns the property `resource` of the SDK's AuthInfo, as a getter that all requests share to save memory. It creates
 * a new URL each time, because a URL is mutable and few handlers read it.
 */
function resourceOf(callers: { readonly resource: string }): PropertyDescriptor {
  const cached = resources.get(callers)
  if (cached !== undefined) return cached
  const { resource } = callers
  const descriptor = { get: () => new URL(resource), enumerable: true, configurable: true }
  resources.set(callers, descriptor)
  return descriptor
}

/**
 * Returns a 403 response when the token lacks scopes that `scopesFor` requires, otherwise undefined. Called before a
 * handler runs, because a question cannot obtain these scopes.
 */
export function scopeRefusalOf(
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

const unauthorized = (words = "this server does not know who is calling"): Response =>
  toResponse(401, toError(null, -32_001, `Unauthorized: ${words}`))

export const toResponse = (status: number, body: object): Response => Response.json(body, { status })
