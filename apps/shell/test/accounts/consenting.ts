// A vault with a real authorization server as its provider, and a function by which a person consents there.

import { createHash, randomBytes } from "node:crypto"
import type { Vault } from "@holdpoint/accounts"
import { createGuardedFetch, createVault } from "@holdpoint/accounts"
import { oidc } from "@holdpoint/accounts/providers"
import type { Elicitation, Hub, Principal, Storage } from "@holdpoint/hub"
import { createAddresses, systemRuntime } from "@holdpoint/hub"
import type { KeyRing } from "@holdpoint/hub/sealing"
import { createSealer } from "@holdpoint/hub/sealing"
import type { Oidc } from "@holdpoint/testkit/accounts/vault/providers/oidc"
import { oidcClient } from "@holdpoint/testkit/accounts/vault/providers/oidc"
import { openBrowser } from "@holdpoint/testkit/accounts/vault/providers/person"
import { publicUrl } from "../open-shell.ts"

interface Parts {
  readonly hub: Hub
  readonly storage: Storage
  readonly keys: KeyRing
}

/** A vault with the provider `notes`, whose tokens can be introspected. */
export function vaultAt(server: Oidc, { hub, storage, keys }: Parts): Vault {
  const fetch = createGuardedFetch({ allowLoopback: true, timeoutMs: 20_000, maxBytes: 1_000_000, until: "body" })
  const provider = oidc({
    ...{ id: "notes", name: "Notes", issuer: server.issuer, clientId: oidcClient.id, clientSecret: oidcClient.secret },
    api: [server.address, "https://files.notes.example"],
  })
  return createVault({
    ...{ storage, questions: hub, providers: [provider], fetch, runtime: systemRuntime },
    ...{ sealer: createSealer(keys), addresses: createAddresses(publicUrl) },
  })
}

/** Acts as the person in a browser: presses the button, signs in at the provider as `user`, and returns. */
export async function giveConsent(
  { vault, hub, server }: { readonly vault: Vault; readonly hub: Hub; readonly server: Oidc },
  question: Elicitation,
  principal: Principal,
): Promise<void> {
  const visitor = { principal, session: createHash("sha256").update(randomBytes(8)).digest("hex") }
  server.settings.user = principal.subject
  await hub.open(question.id, { by: principal })
  const begun = await vault.consent.begin(question, visitor)
  if (begun.kind !== "begun") throw new Error(JSON.stringify(begun))
  const { browser } = begun
  const url = await vault.consent.departureUrl(question, visitor, browser)
  const redirectUri = new URL(url ?? "").searchParams.get("redirect_uri") ?? ""
  server.allowRedirect(redirectUri)
  const back = await openBrowser().follow(url ?? "", redirectUri)
  const address = `${back.origin}${back.pathname}`
  const context = back.pathname.split("/").at(-1) ?? ""
  const arrived = await vault.consent.arrive({
    ...{ parameters: back.searchParams, address, context },
    visitor: async () => visitor,
    browser: () => browser,
  })
  if (arrived.kind !== "back") throw new Error(JSON.stringify(arrived))
}
