// A process with its own hub on the given storage; it executes commands in lines of JSON and prints the results. Tests
// start it.

import { createInterface } from "node:readline"
import type { Connection } from "@holdpoint/accounts"
import { toOwner } from "@holdpoint/accounts"
import type { Storage } from "@holdpoint/hub"
import { createHub, form, inbox, isHoldpointError, text } from "@holdpoint/hub"
import { openPostgres } from "@holdpoint/hub/postgres"
import { openSqlite } from "@holdpoint/hub/sqlite"
import { connectionKind } from "../../../../../packages/accounts/src/vault/records.ts"
import type { EntryKind } from "../../../../../packages/hub/src/ports/trail.ts"

export type Order =
  | { readonly do: "ask" | "ask url" }
  | { readonly do: "wait" | "watch" | "open" | "complete"; readonly id: string }
  | { readonly do: "accept"; readonly id: string; readonly note?: string }
  | { readonly do: "hear"; readonly id: string }
  | { readonly do: "connect" | "refresh" | "disconnect"; readonly id: string }

const [engine, database, schema] = process.argv.slice(2)
const alice = { tenant: "acme", issuer: "https://id.example", subject: "alice" }
const print = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value)}\n`)

const open = (): Promise<Storage> =>
  engine === "sqlite" ? openSqlite(database!) : openPostgres(database!, { schema: schema! })

const input = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
print("ready")
await input.next()
const storage = await open().catch((error: unknown) => {
  print(isHoldpointError(error) ? error.code : String(error))
  process.exit(1)
})
const hub = createHub({ storage, outlets: [inbox()], limits: { pendingPerPerson: 1_000 } })
print("open")

for (let line = await input.next(); line.done !== true; line = await input.next()) {
  void follow(JSON.parse(line.value) as Order)
}
await hub.close()
await storage.close()

async function follow(order: Order): Promise<void> {
  const base = { message: "May this go out?", audience: alice, requester: { id: "peer" } }
  switch (order.do) {
    case "ask":
      return print({ id: (await hub.ask({ ...base, form: form({ note: text() }) })).id })
    case "ask url":
      return print({ id: (await hub.ask({ ...base, url: "https://hub.example/connect" })).id })
    case "wait": {
      const outcome = hub.wait(order.id)
      print("waiting")
      return print(await outcome)
    }
    case "watch":
      for await (const { revision, kind } of hub.watch({ id: order.id })) print({ revision, kind })
      return print("watched")
    case "open":
      return print((await hub.open(order.id)).ok)
    case "complete":
      return print((await hub.complete(order.id)).ok)
    case "accept": {
      const content = order.note === undefined ? {} : { content: { note: order.note } }
      return print((await hub.answer(order.id, { by: alice, action: "accept", ...content })).ok)
    }
    case "hear":
      storage.trail.subscribe((entries) => {
        for (const { id, kind, detail } of entries) if (id === order.id) print({ kind, ...detail })
      })
      return print("hearing")
    case "connect":
      return print(
        await storage.records(connectionKind).insert(connectionOf(order.id, 1), toEntry(order.id, "connected")),
      )
    case "refresh":
      return print(
        await storage.records(connectionKind).replace(connectionOf(order.id, 2), toEntry(order.id, "refreshed")),
      )
    case "disconnect":
      return print(
        await storage.records(connectionKind).remove(connectionOf(order.id, 2), toEntry(order.id, "disconnected")),
      )
  }
}

function toEntry(id: string, kind: EntryKind) {
  return { id, tenant: alice.tenant, kind, at: Date.now(), detail: { via: `peer ${process.pid}` } } as const
}

function connectionOf(id: string, version: number): Connection {
  const owned = { tenant: alice.tenant, owner: toOwner(alice), connectedBy: alice, provider: "calendar" }
  const grant = { scopes: [], issuedAt: 0, hasRefreshToken: false, createdAt: 0 }
  return { id, version, status: "active", ...owned, ...grant }
}
