// An agent's card as clients of 0.3 read it, translated by the SDK. They are given it when they ask for this version: a
// request for a card without a version is answered with the card of 1.0, which most clients read.

import type { AgentCard } from "@a2a-js/sdk"
import { LegacyRestTransportHandler } from "@a2a-js/sdk/compat/v0_3/server"
import { type A2ARequestHandler, ServerCallContext } from "@a2a-js/sdk/server"
import { absentVersion } from "../version.ts"

/** Without signatures: they are over the card of 1.0. */
export async function legacyCardText(card: AgentCard): Promise<string> {
  // The SDK translates cards within the operation that returns one.
  const handler: Partial<A2ARequestHandler> = {
    getAuthenticatedExtendedAgentCard: async () => ({ ...card, signatures: [] }),
  }
  const context = new ServerCallContext({ requestedVersion: absentVersion })
  const legacy = new LegacyRestTransportHandler(handler as A2ARequestHandler)
  return JSON.stringify(await legacy.getAuthenticatedExtendedAgentCard(context))
}

/** Whether a client asked for 0.3 by name. */
export const asksForLegacy = (version: string | undefined): boolean => /^0\.3(\.\d+)?$/.test(version?.trim() ?? "")
