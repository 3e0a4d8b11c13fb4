// A server in a child process: Holdpoint with a program's key, or bare node:http that holds every request.

import { randomBytes } from "node:crypto"
import { createServer, type Server as HttpServer } from "node:http"
import type { AddressInfo } from "node:net"
import { withNewKey } from "@holdpoint/hub/sealing"
import { createPrograms } from "@holdpoint/server/identity"
import { type Server, startServer } from "holdpoint/serve"
import { serve } from "../child.ts"
import { openStorage, type StoreLocation } from "../core/store-locations.ts"
import { pause, ratePerSecond } from "../measure.ts"

let server: Server | undefined
let bare: HttpServer | undefined

const audience = { tenant: "local", issuer: "local", subject: "alice" }

const commands = {
  async open({ location }: { readonly location: StoreLocation }) {
    const storage = await openStorage(location)
    server = await startServer({
      ...{ storage, keys: withNewKey(), host: "127.0.0.1", port: 0 },
      people: { from: "local", user: "alice", tenant: "local", secret: randomBytes(32) },
      hub: { limits: { pendingPerPerson: 1e9, pendingPerTenant: 1e9 } },
    })
    const programs = createPrograms({ storage, runtime: server.runtime })
    const may = { to: "anyone", modes: ["form"] } as const
    const { key, program } = await programs.add({ tenant: "local", name: "bench", may })
    return { url: server.address, key, requester: `program:${program.id}` }
  },

  async openBare(_: null) {
    bare = createServer(() => {})
    await new Promise<void>((resolve) => bare?.listen(0, "127.0.0.1", resolve))
    return { url: `http://127.0.0.1:${(bare.address() as AddressInfo).port}` }
  },

  /** Asks through the library in this process, and returns the questions per second. */
  async ask({ concurrency, ms }: { readonly concurrency: number; readonly ms: number }): Promise<number> {
    return ratePerSecond(
      async () => {
        const asked = await hub().ask({ ...question, audience, requester: { id: "library" } })
        hub().leave(asked.id)
      },
      { concurrency, ms },
    )
  },

  /** Asks new questions as the program, and returns their ids. */
  async askMany({ count, requester }: { readonly count: number; readonly requester: string }) {
    const ids: string[] = []
    while (ids.length < count) {
      const some = Array.from({ length: Math.min(256, count - ids.length) }, async () => {
        const lifetimeMs = 3_600_000
        const { id } = await hub().ask({
          ...question,
          audience,
          lifetimeMs,
          requester: { id: requester, name: "bench" },
        })
        hub().leave(id)
        return id
      })
      ids.push(...(await Promise.all(some)))
    }
    return ids
  },

  async memory({ settleMs }: { readonly settleMs: number }) {
    await pause(settleMs)
    globalThis.gc?.()
    globalThis.gc?.()
    const { rss, heapUsed: heap } = process.memoryUsage()
    return { rss, heap }
  },
}

export type PeopleCommands = typeof commands

serve(commands, async () => {
  bare?.closeAllConnections()
  bare?.close()
  await server?.close()
})

const question = {
  message: "Deploy to production?",
  form: Object.freeze({
    type: "object",
    properties: Object.freeze({ ok: { type: "boolean", title: "Yes" } }),
    required: ["ok"],
  }),
} as const

function hub(): Server["hub"] {
  if (server === undefined) throw new Error("The server is not open.")
  return server.hub
}
