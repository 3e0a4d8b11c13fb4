// Serves the tools on stdio to the client that starts this program.

import { createHub, createMemoryStorage, inbox } from "@holdpoint/hub"
import { withNewKey } from "@holdpoint/hub/sealing"
import { createMcp } from "@holdpoint/mcp"
import { createShop } from "./tools.ts"

const storage = createMemoryStorage()
const hub = createHub({ storage, outlets: [inbox()] })
const mcp = createMcp({
  name: "shop",
  server: createShop,
  ...{ hub, storage, keys: withNewKey() },
  // The person who started the client.
  callers: { local: { tenant: "local", issuer: "local", subject: "me" } },
  // No web pages: questions are shown by the client.
  addresses: "none",
})
await mcp.stdio().closed
await mcp.close()
await hub.close()
