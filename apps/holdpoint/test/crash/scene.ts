// A person, a provider and an identity provider that outlive the server's process, which is killed and restarted on the same
// database and address.

import { rm } from "node:fs/promises"
import { join } from "node:path"
import type { Need, Provider } from "@holdpoint/accounts"
import { toOwner } from "@holdpoint/accounts"
import { serializeKeyRing, withNewKey } from "@holdpoint/hub/sealing"
import { type Oidc, oidcClient, startOidc } from "@holdpoint/testkit/accounts/vault/providers/oidc"
import { scanSqlite } from "@holdpoint/testkit/canaries/databases"
import { noteCanary } from "@holdpoint/testkit/canaries/note"
import { freePort } from "@holdpoint/testkit/free-port"
import { type JarBrowser, openJarBrowser, type Visited } from "@holdpoint/testkit/holdpoint/pages/browser"
import { notesProvider } from "@holdpoint/testkit/holdpoint/pages/world"
import { createFolder, databaseUrl, newSchema, runSql } from "@holdpoint/testkit/hub/stores/engines"
import { type Child, startChild } from "@holdpoint/testkit/hub/stores/processes/child"
import type { PointName } from "./points.ts"
import type { Order, ProcessSettings } from "./process.ts"

export interface Scene {
  readonly notes: Oidc
  readonly need: Need
  readonly alice: JarBrowser
  /** The server's address, fixed since its first start. */
  url(): string
  start(options?: { readonly dieAt?: PointName; readonly aheadMs?: number }): Promise<RunningProcess>
  close(): Promise<void>
}

export interface RunningProcess {
  /** Orders are executed in sequence. Rejects when the process ends before it has answered. */
  tell<T>(order: Order): Promise<T>
  /** The signal that ended it, once it has ended. */
  readonly gone: Promise<NodeJS.Signals | null>
  stop(): Promise<void>
}

export type AskedQuestion = { readonly id: string; readonly link: string }

export interface SceneState {
  readonly question: string
  readonly connections: readonly string[]
  readonly flows: readonly string[]
  /** How many trail entries report an activated connection. */
  readonly connected: number
  readonly problems: readonly string[]
}

export const engines = {
  sqlite: async () => {
    const folder = await createFolder()
    return { database: join(folder, "hub.db"), destroy: () => remove(folder) }
  },
  postgres: async () => {
    const schema = newSchema()
    const destroy = (): Promise<void> => runSql(`DROP SCHEMA IF EXISTS ${schema} CASCADE`)
    return { database: databaseUrl(), schema, destroy }
  },
}

async function remove(folder: string): Promise<void> {
  scanSqlite(folder)
  await rm(folder, { recursive: true, force: true })
}

export async function openScene(
  engine: keyof typeof engines,
  others: readonly Provider[] = [],
  more: Partial<Need> = {},
): Promise<Scene> {
  const { destroy, ...where } = await engines[engine]()
  const [people, notes] = await Promise.all([startOidc(), startOidc({ scopes: ["notes.read"] })])
  const alice = openJarBrowser()
  const keys = serializeKeyRing(withNewKey())
  noteCanary("key", keys.trim().split(":")[1])
  const client = { id: oidcClient.id, secret: oidcClient.secret }
  const base: Omit<ProcessSettings, "aheadMs"> = {
    ...where,
    keys,
    port: 0,
    people: { id: "people", name: "People", issuer: people.issuer, client, tenant: "acme" },
    providers: [notesProvider(notes), ...others],
  }
  const running = new Set<RunningProcess>()
  let url = ""
  return {
    notes,
    alice,
    need: {
      owner: toOwner({ tenant: "acme", issuer: people.issuer, subject: "alice" }),
      provider: "notes",
      scopes: ["notes.read"],
      requester: { id: "note-taker" },
      ...more,
    },
    url: () => url,
    async start({ dieAt, aheadMs = 0 } = {}) {
      const port = url === "" ? await freePort() : Number(new URL(url).port)
      const settings: ProcessSettings = { ...base, port, aheadMs, ...(dieAt === undefined ? {} : { dieAt }) }
      const child = startChild("apps/holdpoint/test/crash/process.ts", JSON.stringify(settings))
      url = JSON.parse(await child.line()) as string
      for (const [provider, path] of [[people, "/signin/callback"] as const, [notes, "/oauth/callback/notes"] as const])
        provider.allowRedirect(`${url}${path}`)
      const one = toRunning(child)
      running.add(one)
      return one
    },
    async close() {
      await Promise.all([...running].map((one) => one.stop()))
      await Promise.all([people.close(), notes.close()])
      await destroy()
    },
  }
}

function toRunning(child: Child): RunningProcess {
  return {
    async tell<T>(order: Order): Promise<T> {
      child.say(JSON.stringify(order))
      return JSON.parse(await child.line()) as T
    },
    gone: child.gone.then(() => child.process.signalCode),
    async stop() {
      // The process may be waiting for something that never comes.
      child.process.kill("SIGKILL")
      await child.gone
    },
  }
}

/** Signs in if necessary, reads the page, presses the button and approves at the provider. Undefined: the server is down. */
export async function consent({ alice }: Pick<Scene, "alice">, link: string): Promise<Visited | undefined> {
  try {
    return await alice.submit(await alice.open(link), { do: "continue" })
  } catch (error) {
    if (error instanceof TypeError && error.message === "fetch failed") return undefined
    throw error
  }
}
