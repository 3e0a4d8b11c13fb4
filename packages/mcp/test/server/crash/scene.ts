// Servers that can be killed, their shared database, and the person at the pages, who survives them.

import { once } from "node:events"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { rm } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Elicitation, Hub } from "@holdpoint/hub"
import { createHub, inbox } from "@holdpoint/hub"
import { openPostgres } from "@holdpoint/hub/postgres"
import { serializeKeyRing, withNewKey } from "@holdpoint/hub/sealing"
import { openSqlite } from "@holdpoint/hub/sqlite"
import { scanSqlite } from "@holdpoint/testkit/canaries/databases"
import { noteCanary } from "@holdpoint/testkit/canaries/note"
import { createFolder, databaseUrl, reuseSchemas } from "@holdpoint/testkit/hub/stores/engines"
import { startChild } from "@holdpoint/testkit/hub/stores/processes/child"
import { until } from "@holdpoint/testkit/mcp/server/behaviour/house"
import type { Endpoint } from "@holdpoint/testkit/mcp/server/clients/client"
import { programAt } from "@holdpoint/testkit/programs"
import { callKind } from "../../../../calls/src/records.ts"
import type { ServerSettings } from "./server.ts"

export interface Server {
  readonly url: string
  /** Kills the server with SIGKILL, so that it cannot clean up. */
  kill(): Promise<void>
  stop(): Promise<void>
}

export interface Scene {
  readonly hub: Hub
  start(): Promise<Server>
  /** An endpoint of a stdio server of the client's own, which ends with it. */
  stdio(): Endpoint
  /** Whether the servers know that the client of a call is gone. */
  isUnheard(): Promise<boolean>
  /** Whether a call is stored: until its result counts as delivered. */
  hasCalls(): Promise<boolean>
  /** Lets slow effects finish. */
  letGo(): void
  /** The one question that is open. */
  question(): Promise<Elicitation>
  /** What the tools did, in order. */
  deeds(): readonly string[]
  close(): Promise<void>
}

export const engines = ["SQLite", "Postgres"] as const

const schemas = reuseSchemas()
/** For the end of a test file that opens scenes. */
export const dropSchemas = (): Promise<void> => schemas.close()

export async function openScene(engine: (typeof engines)[number]): Promise<Scene> {
  const folder = await createFolder()
  const where =
    engine === "SQLite" ? { database: join(folder, "hub.db") } : { database: databaseUrl(), schema: schemas.take() }
  const keys = serializeKeyRing(withNewKey())
  noteCanary("key", keys.trim().split(":")[1])
  const settings = { ...where, keys, deeds: join(folder, "deeds"), go: join(folder, "go") }
  const storage = await ("schema" in where
    ? openPostgres(where.database, { schema: where.schema })
    : openSqlite(where.database))
  const hub = createHub({ storage, outlets: [inbox()] })
  const running = new Set<Server>()

  return {
    hub,
    async start() {
      const child = startChild(
        "packages/mcp/test/server/crash/server.ts",
        JSON.stringify(settings satisfies ServerSettings),
      )
      const port = await child.line()
      const end = async (how: () => void): Promise<void> => {
        running.delete(server)
        if (child.process.exitCode !== null || child.process.signalCode !== null) return
        const exited = once(child.process, "exit")
        how()
        await exited
      }
      const server: Server = {
        url: `http://127.0.0.1:${port}/mcp`,
        kill: () => end(() => child.process.kill("SIGKILL")),
        stop: () => end(() => child.process.stdin?.end()),
      }
      running.add(server)
      return server
    },
    stdio: () => ({
      transport: "stdio",
      command: process.execPath,
      args: [...programAt(script), JSON.stringify({ ...settings, isStdio: true } satisfies ServerSettings)],
      env: {},
    }),
    async isUnheard() {
      const calls = await storage.records(callKind).list({ tenant: "acme", limit: 9 })
      return calls.some(({ isUnheard }) => isUnheard === true)
    },
    hasCalls: async () => (await storage.records(callKind).list({ tenant: "acme", limit: 1 })).length > 0,
    letGo: () => writeFileSync(settings.go, ""),
    async question() {
      const openQuestions: Elicitation[] = []
      await until(async () => openQuestions.push(...(await hub.list({ tenant: "acme", state: "open", limit: 2 }))) > 0)
      return openQuestions[0] as Elicitation
    },
    deeds: () => (existsSync(settings.deeds) ? readFileSync(settings.deeds, "utf8").split("\n").slice(0, -1) : []),
    async close() {
      await Promise.all([...running].map((server) => server.stop()))
      await hub.close()
      await storage.close()
      if ("schema" in where) await schemas.giveBack(where.schema)
      else scanSqlite(folder)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const script = fileURLToPath(new URL("server.ts", import.meta.url))

/** An endpoint of one server, which can be moved to another. */
export function endpointTo(first: Server): Extract<Endpoint, { transport: "http" }> & { moveTo(next: Server): void } {
  let at = first
  return {
    transport: "http",
    url: "http://127.0.0.1/mcp",
    async fetch(_url, init) {
      const response = await fetch(at.url, init).catch((error: unknown) => {
        // Requests that the client aborted when it closed are ignored.
        if (init?.signal?.aborted === true) return new Response(null, { status: 202 })
        throw error
      })
      return untilGone(response)
    },
    moveTo(next) {
      at = next
    },
  }
}

/** Ends the response of a killed server without an error. */
function untilGone(response: Response): Response {
  const reader = response.body?.getReader()
  if (reader === undefined) return response
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }))
      if (done || value === undefined) controller.close()
      else controller.enqueue(value)
    },
    cancel: () => reader.cancel().catch(() => {}),
  })
  return new Response(body, { status: response.status, headers: response.headers })
}
