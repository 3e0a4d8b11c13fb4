// An outlet of about seventy lines for a chat service passes the contract.

import { outletContract } from "@holdpoint/testing"
import { memory } from "@holdpoint/testkit/hub/stores/engines"
import { describe, test } from "vitest"
import { createChatOutlet } from "./outlet.ts"
import { startChatService } from "./service.ts"

describe("a chat outlet", () => {
  for (const { name, run } of outletContract) {
    test(name, async () => {
      const addresses = ["U-alice", "U-bob", "U-carol"] as const
      const [storage, service] = [await memory(), await startChatService(addresses)]
      try {
        await run({
          open: async () => createChatOutlet(service),
          addresses,
          seen: async () => service.open().map(({ channel }) => channel),
          storage,
        })
      } finally {
        await storage.destroy()
        await service.close()
      }
    })
  }
})
