// Pending authorization requests: the data of the consent page, and the effect of the person's answer. A request
// belongs to the browser that began it. The person is read from the browser's session, never from the request.

import type { PrincipalId } from "@holdpoint/hub"
import type { Interaction, InteractionResults, Provider } from "oidc-provider"
import { cookieName, cookieValue, isSameBrowser } from "./browser.ts"
import { kindOf } from "./clients.ts"
import type { Consent, Consents } from "./consents.ts"
import type { Documents } from "./documents.ts"
import { toAccountId } from "./principal.ts"
import type { AuthorizationRequest, Requests } from "./request.ts"
import type { Resources } from "./resources.ts"

export interface RequestsParts {
  readonly issuer: string
  readonly engine: () => Promise<{ readonly provider: Provider; readonly secret: string }>
  readonly resources: Resources
  readonly registered: ReadonlySet<string>
  readonly consents: Consents
  readonly documents: Pick<Documents, "keep">
}

export function createRequests(parts: RequestsParts): Requests {
  const { issuer, engine, resources, registered, consents, documents } = parts
  async function settle(id: string, toResult: (provider: Provider) => Promise<InteractionResults>): Promise<void> {
    const { provider } = await engine()
    const interaction = await provider.Interaction.find(id)
    // The interaction may have expired; the next page then says so.
    if (interaction === undefined) return
    interaction.result = await toResult(provider)
    await interaction.persist()
  }

  return {
    async find(id, cookies) {
      const { provider, secret } = await engine()
      if (!isSameBrowser(cookies, cookieName(issuer, id), cookieValue(secret, id))) return undefined
      const interaction = await provider.Interaction.find(id)
      if (interaction === undefined) return undefined
      const { client_id, resource } = interaction.params
      const client = await provider.Client.find(String(client_id)).catch(() => undefined)
      const match = resources.find(resource)
      if (client === undefined || match === undefined) return undefined
      const { clientId, clientName } = client
      const kind = kindOf(clientId, registered)
      const requestingClient = { id: clientId, kind, ...(clientName === undefined ? {} : { name: clientName }) }
      return { ...toRequest(interaction), client: requestingClient, resource: match }
    },
    allowedBefore: (request, principal) => consents.allowedScopes(toConsent(request, principal)),
    isAllowed: async (request, principal) =>
      !request.wants.consent && (await consents.covers(toConsent(request, principal))),
    async allow(request, { principal, signedInAt }) {
      const { id, client, indicator, scopes } = request
      const accountId = toAccountId(principal)
      await settle(id, async (provider) => {
        if (client.kind === "document") {
          const document = await provider.Client.find(client.id).catch(() => undefined)
          if (document !== undefined) await documents.keep(client.id, document.metadata())
        }
        // A separate grant each time, so that revoking one installation of a client leaves the others.
        const grant = new provider.Grant({ accountId, clientId: client.id })
        grant.addResourceScope(indicator, scopes.join(" "))
        const grantId = await grant.save()
        await consents.remember(toConsent(request, principal), grantId)
        const ts = Math.floor(signedInAt / 1_000)
        return { login: { accountId, ts, remember: false }, consent: { grantId } }
      })
    },
    deny: ({ id }) => settle(id, async () => ({ error: "access_denied", error_description: "the person said no" })),
  }
}

function toConsent({ client, redirectUri, resource, scopes }: AuthorizationRequest, principal: PrincipalId): Consent {
  const { id, name } = client
  const nameField = name === undefined ? {} : { name }
  return {
    account: toAccountId(principal),
    ...{ client: id, redirectUri, scopes, resource: resource.resource, ...nameField },
  }
}

function toRequest({ uid, params, iat, exp, result, returnTo }: Interaction) {
  const prompts = String(params.prompt ?? "").split(" ")
  return {
    id: uid,
    redirectUri: String(params.redirect_uri),
    indicator: String(params.resource),
    scopes: String(params.scope ?? "").split(" "),
    wants: { consent: prompts.includes("consent"), signIn: prompts.includes("login") },
    createdAt: (iat + 1) * 1_000 - 1,
    expiresAt: exp * 1_000,
    ...(result === undefined ? {} : { next: new URL(returnTo).pathname }),
  }
}
