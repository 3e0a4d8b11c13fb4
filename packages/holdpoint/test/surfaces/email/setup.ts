// The e-mail outlet as tests make it.

import { createAddresses } from "../../../src/core/addresses.ts"
import type { LastingOutlet } from "../../../src/ports/outlet.ts"
import type { Storage } from "../../../src/ports/storage.ts"
import { createTokens, withNewKey } from "../../../src/sealing/index.ts"
import { createEmailOutlet, type EmailOutletOptions } from "../../../src/surfaces/email/outlet.ts"

export const addresses = createAddresses("https://holdpoint.example")
export const tokens = createTokens(withNewKey())

export function createOutlet(
  { url }: { readonly url: string },
  { storage, smtp, ...more }: { readonly storage: Storage } & Partial<EmailOutletOptions>,
): LastingOutlet {
  const from = "Holdpoint <holdpoint@example.com>"
  return createEmailOutlet({ from, storage, addresses, tokens, ...more, smtp: { url, ...smtp } })
}
