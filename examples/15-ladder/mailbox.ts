// A mail server in this process, which stores the subjects of received messages.

import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { SMTPServer } from "smtp-server"

export interface Mailbox {
  readonly url: string
  subjects(): readonly string[]
  close(): Promise<void>
}

export async function startMailbox(): Promise<Mailbox> {
  const subjects: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    disableReverseLookup: true,
    async onData(stream, _session, done) {
      const unfolded = (await text(stream)).replace(/\r\n[ \t]+/g, " ")
      subjects.push(/^Subject: (.*)\r$/m.exec(unfolded)?.[1] ?? "")
      done()
    },
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    subjects: () => subjects,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
