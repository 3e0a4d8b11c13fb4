// Adjusts oidc-provider's responses: headers, metadata reduced to what applies, registration limits, and the page for
// errors that cannot go to the client.

import type { Configuration, KoaContextWithOIDC } from "oidc-provider"
import { staysOnMachine } from "./clients.ts"
import { routes } from "./configuration.ts"
import type { ProblemPage, RequestProblem } from "./problem.ts"
import type { RegistrationLimit } from "./registration.ts"
import { wellKnown } from "./request-routing.ts"
import type { Resources } from "./resources.ts"

interface ResponseOptions {
  readonly resources: Resources
  readonly limit: RegistrationLimit | undefined
  /** The ids of clients that the administrator registered. */
  readonly registered: ReadonlySet<string>
  readonly page: ProblemPage | undefined
  /** Revokes a signed token for the authenticated client; oidc-provider cannot revoke those. */
  readonly revoke: (token: string, client: string) => Promise<void>
}

const headers = {
  "content-security-policy":
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
}

export function createResponseMiddleware({ resources, limit, registered, page, revoke }: ResponseOptions) {
  return async (context: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> => {
    context.set(headers)
    if (context.path === routes.registration && context.method === "POST") {
      const problem = await limit?.()
      if (problem !== undefined) return refuse(context, problem)
    }
    // Only `response_mode=query` is supported; this makes oidc-provider refuse every other mode.
    if ((context.query.response_mode ?? "query") !== "query")
      context.query = { ...context.query, response_mode: "unsupported" }
    await next()
    if (context.path === wellKnown && isObject(context.body)) context.body = toMetadata(context.body, resources)
    if (context.path === routes.authorization) await holdBack(context, registered, page)
    if (context.path === routes.revocation) await revokeIfSigned(context, revoke)
  }
}

/** Revokes a signed token. oidc-provider refuses to, but has authenticated the client by then. */
async function revokeIfSigned(context: KoaContextWithOIDC, revoke: ResponseOptions["revoke"]): Promise<void> {
  if (!isObject(context.body) || context.body.error !== "unsupported_token_type") return
  const { client, params } = context.oidc
  if (client === undefined) return
  await revoke(String(params?.token), client.clientId)
  context.status = 200
  context.body = ""
}

function refuse(context: KoaContextWithOIDC, problem: string): void {
  context.status = 429
  context.set({ "retry-after": "60", "cache-control": "no-store" })
  context.body = { error: "temporarily_unavailable", error_description: problem }
}

/**
 * RFC 9700 §4.11.2: an intentionally invalid request must not turn this server into an open redirector. Before the
 * person was asked, the browser is only redirected to a registered client or to a program on the person's own machine.
 */
async function holdBack(
  context: KoaContextWithOIDC,
  registered: ReadonlySet<string>,
  page: ProblemPage | undefined,
): Promise<void> {
  const href = context.response.get("location")
  // Our own redirects are paths without a host.
  const { host, search } = URL.parse(href) ?? {}
  if (host === undefined || registered.has(String(context.query.client_id)) || staysOnMachine(href)) return
  context.remove("location")
  context.status = 400
  const error = new URLSearchParams(search).get("error") ?? ""
  await tell(context, page, { ...toProblem(error), next: { href, host } })
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Buffer.isBuffer(value)

const openIdMember = /^(?:claim|id_token_|subject_types_|acr_|userinfo_|request_|require_|backchannel_)/

function toMetadata(
  metadata: Readonly<Record<string, unknown>>,
  { all }: Resources,
): Readonly<Record<string, unknown>> {
  const entries = Object.entries(metadata).filter(([name]) => !openIdMember.test(name))
  return {
    ...Object.fromEntries(entries),
    scopes_supported: [...new Set(all.flatMap(({ scopes }) => Object.keys(scopes)))],
    response_modes_supported: ["query"],
    revocation_endpoint_auth_methods_supported: metadata.token_endpoint_auth_methods_supported,
  }
}

/** Renders errors that must not go to a redirect address. */
export function showProblem(page: ProblemPage | undefined): NonNullable<Configuration["renderError"]> {
  return (context, { error }) => tell(context, page, toProblem(error))
}

const toProblem = (error: string): RequestProblem => ({
  title: "This request cannot be answered",
  words: words[error] ?? "The program that sent you here asked in a way that this server does not understand.",
})

async function tell(
  context: Parameters<NonNullable<Configuration["renderError"]>>[0],
  page: ProblemPage | undefined,
  problem: RequestProblem,
): Promise<void> {
  context.set("cache-control", "no-store")
  context.type = page === undefined ? "text/plain; charset=utf-8" : "text/html; charset=utf-8"
  context.body = page === undefined ? `${problem.title}. ${problem.words}\n` : await page(problem)
}

const words: Readonly<Record<string, string>> = {
  invalid_client:
    "This server does not know the program that sent you here, or cannot read that program's description of itself.",
  invalid_client_metadata: "The program that sent you here describes itself in a way that this server does not allow.",
  invalid_redirect_uri: "The program that sent you here wants its answer sent to an address that is not its own.",
  temporarily_unavailable: "This server is getting too many requests at the moment. Try again in a minute.",
  session_not_found:
    "The request took too long, was answered already, or was begun in another browser. Go back to the program that sent you here and start again.",
}
