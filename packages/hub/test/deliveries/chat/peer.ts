// A process that asks, or one that runs the chat outlet and serves its buttons. Tests start it and talk to it in lines.

import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { createInterface } from "node:readline"
import { createHub, form, yesNo } from "../../../src/index.ts"
import { elsewhere } from "../../../src/outlets.ts"
import { openSqlite } from "../../../src/stores/sqlite.ts"
import { fasterRuntime } from "../processes/faster.ts"
import { createChatOutlet, serveButtons } from "./outlet.ts"

const [path = "", url = ""] = process.argv.slice(2)
const personOf = (subject: string) => ({ tenant: "acme", issuer: "https://chat.example", subject })
const print = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value)}\n`)

const storage = await openSqlite(path)
const hub = createHub({
  storage,
  runtime: fasterRuntime,
  outlets: [url === "" ? elsewhere("chat") : createChatOutlet({ url })],
  directory: {
    async find(_kind, audience) {
      return audience.kind === "one" ? [{ address: audience.principal.subject, person: audience.principal }] : []
    },
  },
})
const buttons = serveButtons(hub, personOf).listen(0, "127.0.0.1")
await once(buttons, "listening")
print(`http://127.0.0.1:${(buttons.address() as AddressInfo).port}`)

for await (const subject of createInterface({ input: process.stdin })) {
  const asked = await hub.ask({
    message: "May this go out?",
    audience: personOf(subject),
    requester: { id: "peer" },
    form: form({ ok: yesNo() }),
    lifetimeMs: 86_400_000,
  })
  print(asked.id)
  void hub.wait(asked).then(print)
}
buttons.close()
await hub.close()
await storage.close()
