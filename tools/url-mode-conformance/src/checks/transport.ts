// A web page that the person has open must not be able to call the server in their name.

import type { UrlModeCheck } from "../check.ts"
import { expect } from "../check.ts"
import { bothModes } from "../check-context.ts"
import { exchange } from "../exchange.ts"
import { sendModern } from "../modern-client.ts"

const foreign = { origin: "https://somewhere-else.example" }

export const transport: readonly UrlModeCheck[] = [
  {
    id: "transport-origin",
    title: "A request from a foreign web page is refused",
    level: "must",
    spec: {
      "2026-07-28": "basic/transports/streamable-http",
      "2025-11-25": "basic/transports#security-warning",
      "2025-06-18": "basic/transports#security-warning",
    },
    async run(context) {
      if (context.isModern) {
        const request = { method: "tools/list", params: {}, capabilities: bothModes, headers: foreign }
        const { status } = await sendModern(context.client(), request).reply
        expect(status === 403, "HTTP 403", `HTTP ${status}`)
        return
      }
      const { target, revision } = context
      const { status, ended } = await exchange({
        fetch: target.fetch,
        url: target.url,
        headers: { ...target.people?.first, ...foreign },
        body: {
          jsonrpc: "2.0",
          id: 1,
          method: "initialize",
          params: {
            protocolVersion: revision,
            capabilities: bothModes,
            clientInfo: { name: "url-mode-checks", version: "1" },
          },
        },
        signal: AbortSignal.timeout(context.legMs),
        onMessage: () => undefined,
      })
      await ended
      expect(status >= 400 && status < 500, "HTTP 403", `HTTP ${status}`)
    },
  },
]
