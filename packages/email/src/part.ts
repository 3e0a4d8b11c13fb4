// E-mail as a part of a server: its outlet, the unsubscribe page, and what the account page says about the address.

import { createTokens } from "@holdpoint/hub/sealing"
import type { Part } from "@holdpoint/server/parts"
import { createDeadAddresses } from "./dead-addresses.ts"
import { createEmailOutlet, type EmailOptions } from "./outlet.ts"
import { createEmailPages } from "./pages.ts"

/** The time in which a person can answer elsewhere before they get a mail. */
const delayMs = 10 * 60_000

/** Notifies people of questions by e-mail: pass it to `createHoldpoint` among its `parts`. */
export const email = (options: EmailOptions): Part => ({
  name: "email",
  title: "E-mail",
  delayMs,
  open({ hub, storage, keys, addresses, runtime, ownLadders }) {
    const tokens = createTokens(keys)
    const deadAddresses = createDeadAddresses(storage, runtime)
    return {
      outlet: createEmailOutlet({
        ...options,
        storage,
        addresses,
        runtime,
        tokens,
        zoneOf: async (person) => (await ownLadders.get(person)).quiet?.zone,
      }),
      ...createEmailPages({ hub, ownLadders, tokens, deadAddresses }),
    }
  },
})
