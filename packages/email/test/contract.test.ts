// The outlet passes the contract of lasting outlets, with a real SMTP server. A person sees a mail once, however often it
// was sent with one Message-ID, and until a mail of its thread says that it is over.

import { outletContract } from "@holdpoint/testing"
import { startMailServer } from "@holdpoint/testkit/email/mail-server"
import type { ReceivedMail } from "@holdpoint/testkit/email/received"
import { memory } from "@holdpoint/testkit/hub/stores/engines"
import { describe, test } from "vitest"
import { createOutlet } from "./setup.ts"

describe("the e-mail outlet", () => {
  for (const { name, run } of outletContract) {
    // Each has a server of its own, which waits 100 ms before it greets.
    test.concurrent(name, async () => {
      const [storage, server] = [await memory(), await startMailServer()]
      try {
        await run({
          open: async () => createOutlet(server, { storage: await storage.open(), sayWhenOver: true }),
          addresses: ["alice@example.com", "bob@example.com", "carol@example.com"],
          async seen() {
            const threadOf = ({ headers, messageId }: ReceivedMail) => headers.get("references") ?? messageId
            const isOver = ({ subject }: ReceivedMail) => subject.startsWith("Over:")
            const over = new Set(server.mails.filter(isOver).map(threadOf))
            const open = server.mails.filter((mail) => !over.has(threadOf(mail)))
            return [...new Map(open.map(({ messageId, to }) => [messageId, to])).values()]
          },
          storage,
        })
      } finally {
        await storage.destroy()
        await server.close()
      }
    })
  }
})
