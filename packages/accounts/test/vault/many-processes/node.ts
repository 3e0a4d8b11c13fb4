// A process with a vault of its own on the storage it is given. Each line names a connection; 250 callers use it at once,
// and what they got is printed. Started by tests.

import { createInterface } from "node:readline"
import { createAddresses, createHub, inbox, systemRuntime } from "@holdpoint/hub"
import { openPostgres } from "@holdpoint/hub/postgres"
import { createSealer, parseKeyRing } from "@holdpoint/hub/sealing"
import { createVault } from "../../../src/vault/vault.ts"
import { toTokenProvider } from "./provider.ts"

const callers = 250
const [database = "", schema = "", tokenUrl = "", keys = ""] = process.argv.slice(2)
const print = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value)}\n`)

const storage = await openPostgres(database, { schema })
const hub = createHub({ storage, outlets: [inbox()] })
const vault = createVault({
  storage,
  questions: hub,
  sealer: createSealer(parseKeyRing(keys, "the arguments")),
  providers: [toTokenProvider(tokenUrl)],
  fetch,
  addresses: createAddresses("https://hub.example"),
  runtime: systemRuntime,
})
print("open")

for await (const id of createInterface({ input: process.stdin })) {
  const handle = await vault.use(id)
  const got = await Promise.allSettled(Array.from({ length: callers }, () => handle.credentials()))
  const tokens = got.map((one) => (one.status === "fulfilled" ? one.value.fields.access_token : String(one.reason)))
  print({ callers: tokens.length, tokens: [...new Set(tokens)] })
}
await vault.close()
await hub.close()
await storage.close()
