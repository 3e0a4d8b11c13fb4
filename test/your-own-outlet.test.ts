// The outlet of the guide passes the contract of outlets.

import { createMemoryStorage } from "@holdpoint/hub"
import { outletContract } from "@holdpoint/testing"
import { describe, test } from "vitest"
import { createChatOutlet } from "../examples/14-your-own-outlet/outlet.ts"
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
          open: async () =>
            createChatOutlet({ url: chat.url, token, pageOf: (id) => `https://hub.example/inbox/${id}` }),
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
