// A process with the whole server on a given database. It reads orders as lines and prints the results. Tests start it, and it
// kills itself at the point they name.

import { flushCompileCache } from "node:module"
import { createInterface } from "node:readline"
import type { Need, Provider } from "@holdpoint/accounts"
import { outcomeOf } from "@holdpoint/accounts"
import { systemRuntime } from "@holdpoint/hub"
import { openPostgres } from "@holdpoint/hub/postgres"
import { parseKeyRing } from "@holdpoint/hub/sealing"
import { openSqlite } from "@holdpoint/hub/sqlite"
import type { IdentityProvider } from "@holdpoint/server/identity"
import { flowKind } from "@holdpoint/testkit/records"
import "@holdpoint/testkit/canaries/watch"
import { startServer } from "../../src/serve/server.ts"
import { killAt, type PointName, points } from "./points.ts"

export interface ProcessSettings {
  /** A file; with a schema, the URL of a Postgres. */
  readonly database: string
  readonly schema?: string
  readonly keys: string
  readonly port: number
  readonly people: IdentityProvider
  readonly providers: readonly Provider[]
  readonly dieAt?: PointName
  /** How far its clock is ahead, so that leases of a dead process have expired without waiting. */
  readonly aheadMs: number
}

export type Order =
  | { readonly do: "ask"; readonly need: Need }
  /** Waits for the connection, then uses it for one call to this address. */
  | { readonly do: "connect"; readonly need: Need; readonly call: string }
  | { readonly do: "wait"; readonly id: string }
  /** Processes every due flow now. */
  | { readonly do: "work" }
  | { readonly do: "look"; readonly need: Need; readonly id: string }

const settings = JSON.parse(process.argv[2] ?? "{}") as ProcessSettings
const opened = await (settings.schema === undefined
  ? openSqlite(settings.database)
  : openPostgres(settings.database, { schema: settings.schema }))
const keys = parseKeyRing(settings.keys, "the arguments")
const storage = settings.dieAt === undefined ? opened : killAt(opened, points[settings.dieAt])
const problems: string[] = []
const server = await startServer({
  ...{ storage, keys, host: "127.0.0.1", port: settings.port, network: { allowLoopback: true } },
  people: { from: "providers", providers: [settings.people] },
  providers: settings.providers,
  runtime: { ...systemRuntime, now: () => Date.now() + settings.aheadMs },
  report: (doing, error) => problems.push(`${doing}: ${error}`),
})
const { hub, vault } = server

async function follow(order: Order): Promise<unknown> {
  switch (order.do) {
    case "ask": {
      const question = await vault.ask(order.need)
      return { id: question.id, link: question.mode === "url" ? question.url : "" }
    }
    case "connect": {
      try {
        const connection = await vault.connect(order.need)
        return { account: connection.account?.id, status: (await connection.fetch(order.call)).status }
      } catch (error) {
        return { failed: outcomeOf(error)?.reason?.code ?? String(error) }
      }
    }
    case "wait":
      return hub.wait(order.id)
    case "work":
      return vault.consent.work().then(() => "worked")
    case "look": {
      const connections = await vault.list(order.need.owner)
      const flows = await storage
        .records(flowKind)
        .list({ tenant: order.need.owner.tenant, owner: order.id, limit: 100 })
      const trail = await hub.trail({ limit: 1_000 })
      return {
        question: (await hub.get(order.id))?.status,
        connections: connections.map(({ status }) => status),
        flows: flows.map(({ status }) => status),
        connected: trail.filter(({ kind }) => kind === "connected").length,
        problems,
      }
    }
  }
}

const print = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value)}\n`)

// Before the start: a killed process cannot write the compile cache at its end.
flushCompileCache()
print(server.publicUrl)
for await (const line of createInterface({ input: process.stdin })) print(await follow(JSON.parse(line) as Order))
await server.close()
await storage.close()
