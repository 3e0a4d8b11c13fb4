// The e-mail outlet as tests make it.

import type { Storage } from "@holdpoint/hub"
import { createAddresses } from "@holdpoint/hub"
import type { LastingOutlet } from "@holdpoint/hub/outlets"
import { createTokens, withNewKey } from "@holdpoint/hub/sealing"
import { createEmailOutlet, type EmailOutletOptions } from "../src/outlet.ts"

export const addresses = createAddresses("https://holdpoint.example")
export const tokens = createTokens(withNewKey())

export function createOutlet(
  { url }: { readonly url: string },
  { storage, smtp, ...more }: { readonly storage: Storage } & Partial<EmailOutletOptions>,
): LastingOutlet {
  const from = "Holdpoint <holdpoint@example.com>"
  return createEmailOutlet({ from, storage, addresses, tokens, ...more, smtp: { url, ...smtp } })
}
