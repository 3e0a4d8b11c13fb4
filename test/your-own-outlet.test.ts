// The part of the guide passes the contract of outlets.

import { createAddresses, createMemoryStorage } from "@holdpoint/hub"
import type { LastingOutlet } from "@holdpoint/hub/outlets"
import type { Part, PartServer } from "@holdpoint/server/parts"
import { outletContract } from "@holdpoint/testing"
import { describe, test } from "vitest"
import { chat as chatPart } from "../examples/14-your-own-outlet/chat/part.ts"
import { startChat } from "../examples/14-your-own-outlet/service.ts"

const addresses = ["U-alice", "U-bob", "U-carol"] as const
const token = "the token of your bot"

// #region contract
describe("an outlet of your own", () => {
  for (const { name, run } of outletContract) {
    test(name, async () => {
      const [storage, chat] = [createMemoryStorage(), await startChat(addresses, token)]
      try {
        await run({
          open: async () => outletOf(chatPart({ url: chat.url, token, people: {} })),
          addresses,
          seen: async () => chat.open().map(({ to }) => to),
          storage: { open: async () => ({ ...storage, close: async () => {} }), destroy: async () => {} },
        })
      } finally {
        await chat.close()
        await storage.close()
      }
    })
  }
})
// #endregion

/** Opens the part as a server does. Its outlet uses only the addresses. */
function outletOf(part: Part): LastingOutlet {
  const server = { addresses: createAddresses("https://hub.example") } as PartServer
  const { outlet } = part.open(server)
  if (outlet === undefined) throw new Error("The part has no outlet.")
  return outlet
}
