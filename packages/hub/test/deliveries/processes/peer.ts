// A process with its own hub and an outlet that writes to a folder; it dies where it is told to. Tests start it and
// talk to it in lines of JSON.

import { createInterface } from "node:readline"
import type { Storage } from "../../../src/index.ts"
import { createHub, form, text } from "../../../src/index.ts"
import type { LastingOutlet } from "../../../src/outlets.ts"
import { elsewhere } from "../../../src/outlets.ts"
import { openPostgres } from "../../../src/stores/postgres.ts"
import { openSqlite } from "../../../src/stores/sqlite.ts"
import { createFolderOutlet } from "../folder-outlet.ts"
import { fasterRuntime } from "./faster.ts"

export interface PeerOptions {
  readonly engine: "sqlite" | "postgres"
  readonly database: string
  readonly schema?: string
  /** Absent in a process that only asks. */
  readonly folder?: string
  /** The point at which the process kills itself with kill -9. */
  readonly dies?: "before posting" | "after posting" | "before withdrawing" | "after withdrawing"
}

export type Order = { readonly do: "ask"; readonly delayMs?: number } | { readonly do: "answer"; readonly id: string }

const options = JSON.parse(process.argv[2]!) as PeerOptions
const alice = { tenant: "acme", issuer: "https://id.example", subject: "alice" }
const print = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value)}\n`)

const { engine, database, schema = "" } = options
const storage: Storage = await (engine === "sqlite" ? openSqlite(database) : openPostgres(database, { schema }))
const hub = createHub({
  storage,
  runtime: fasterRuntime,
  outlets: [options.folder === undefined ? elsewhere("folder") : mortal(createFolderOutlet(options.folder))],
  directory: { find: async () => [{ address: "alice", person: alice }] },
})
print("open")

for await (const line of createInterface({ input: process.stdin })) {
  const order = JSON.parse(line) as Order
  if (order.do === "ask") {
    const draft = { message: "May this go out?", audience: alice, requester: { id: "peer" }, lifetimeMs: 86_400_000 }
    const delays = order.delayMs === undefined ? {} : { delays: { folder: order.delayMs } }
    print((await hub.ask({ ...draft, form: form({ note: text() }) }, delays)).id)
  } else {
    print((await hub.answer(order.id, { by: alice, action: "accept", content: { note: "yes" } })).ok)
  }
}
await hub.close()
await storage.close()

function mortal(outlet: LastingOutlet): LastingOutlet {
  const dieIf = (when: PeerOptions["dies"]): void => {
    if (options.dies === when) process.kill(process.pid, "SIGKILL")
  }
  return {
    ...outlet,
    async post(...given) {
      dieIf("before posting")
      const posted = await outlet.post(...given)
      dieIf("after posting")
      return posted
    },
    async withdraw(...given) {
      dieIf("before withdrawing")
      await outlet.withdraw(...given)
      dieIf("after withdrawing")
    },
  }
}
