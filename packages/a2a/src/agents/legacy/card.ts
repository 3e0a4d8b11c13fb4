// Converts an agent card to A2A 0.3 with the SDK, for clients that request this version. A request without a version
// gets the card of 1.0, which most clients read.

import type { AgentCard } from "@a2a-js/sdk"
import { LegacyRestTransportHandler } from "@a2a-js/sdk/compat/v0_3/server"
import { type A2ARequestHandler, ServerCallContext } from "@a2a-js/sdk/server"
import { absentVersion } from "../version.ts"

/** The card without signatures, because they apply to the card of 1.0. */
export async function legacyCardText(card: AgentCard): Promise<string> {
  // The SDK translates a card only inside the method that returns the card.
  const handler: Partial<A2ARequestHandler> = {
    getAuthenticatedExtendedAgentCard: async () => ({ ...card, signatures: [] }),
  }
  const context = new ServerCallContext({ requestedVersion: absentVersion })
  const legacy = new LegacyRestTransportHandler(handler as A2ARequestHandler)
  return JSON.stringify(await legacy.getAuthenticatedExtendedAgentCard(context))
}

/** Whether the client explicitly requested version 0.3. */
export const asksForLegacy = (version: string | undefined): boolean => /^0\.3(\.\d+)?$/.test(version?.trim() ?? "")
