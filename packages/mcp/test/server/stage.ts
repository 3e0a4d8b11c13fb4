// The stage for the cells of the matrix: one client for all cells of a kind, and strangers.

import { rmSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Storage } from "@holdpoint/hub"
import type { KeyRing } from "@holdpoint/hub/sealing"
import { createKeyFile, withNewKey } from "@holdpoint/hub/sealing"
import { openSqlite } from "@holdpoint/hub/sqlite"
import { alice, bob } from "@holdpoint/testkit/fixtures"
import type { Answering, ClientKind, Endpoint, TestClient } from "@holdpoint/testkit/mcp/server/clients/client"
import { open } from "@holdpoint/testkit/mcp/server/clients/open"
import { openRaw, openRawModern, rawDraft } from "@holdpoint/testkit/mcp/server/clients/raw"
import { createPersonAtPages } from "@holdpoint/testkit/mcp/server/person"
import type { Settings } from "@holdpoint/testkit/mcp/server/world"
import { createWorld } from "@holdpoint/testkit/mcp/server/world"
import { makeScratchFolder } from "@holdpoint/testkit/scratch"
import type { Stage } from "./observe-cell.ts"

export interface OpenStage extends Stage {
  close(): Promise<void>
}

/** The settings that an author would use for clients of the drafts; none for others. */
const settingsFor = (kind: ClientKind): Settings => (kind === "raw draft" ? { drafts: true, urlWay: "error" } : {})

/** A client that is never asked. */
const mute = { capabilities: {}, answer: () => ({ action: "cancel" as const }) }

export async function openHttpStage(kind: ClientKind, legacy: "sessions" | "stateless"): Promise<OpenStage> {
  const world = await createWorld({ legacy, ...settingsFor(kind) })
  const [mine, theirs] = await Promise.all([world.endpoint(alice), world.endpoint(bob)])
  const modern = openRawModern(theirs)
  const legacies = await Promise.all([theirs, mine].map((endpoint) => openRaw(rawDraft, endpoint, mute)))
  const { stage, client } = await onStage(kind, mine, (one) => ({
    client: one,
    person: world.person,
    reports: world.reports,
    strangers: { modern, legacy: legacies },
  }))
  return Object.assign(stage, {
    async close() {
      await Promise.all([client, modern, ...legacies].map((one) => one.close()))
      await world.close()
    },
  })
}

export interface StdioHouse {
  stage(kind: ClientKind): Promise<OpenStage>
  close(): Promise<void>
}

/** One storage file for the serving child processes and the person. Strangers have their own child processes. */
export async function openStdioHouse(): Promise<StdioHouse> {
  const folder = makeScratchFolder("mcp")
  const database = join(folder, "holdpoint.db")
  const keyFile = join(folder, "holdpoint.keys")
  const keys: KeyRing = withNewKey()
  createKeyFile(keyFile, keys)
  const storage: Storage = await openSqlite(database)
  const person = createPersonAtPages(storage, keys)
  const endpointOf = (subject: string, settings: Settings = {}): Endpoint => ({
    transport: "stdio",
    command: process.execPath,
    args: ["--no-warnings", script, database, keyFile, subject, JSON.stringify(settings)],
    env: {},
  })
  const modern = openRawModern(endpointOf("bob"))
  const legacy = await openRaw(rawDraft, endpointOf("bob"), mute)
  return {
    async stage(kind) {
      const { stage, client } = await onStage(kind, endpointOf("alice", settingsFor(kind)), (one) => ({
        client: one,
        person,
        // A child process prints its reports to standard error.
        reports: [],
        strangers: { modern, legacy: [legacy] },
      }))
      return Object.assign(stage, { close: () => client.close() })
    },
    async close() {
      await Promise.all([modern.close(), legacy.close()])
      await person.close()
      await storage.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const script = fileURLToPath(new URL("fixture-stdio.ts", import.meta.url))

async function onStage(
  kind: ClientKind,
  endpoint: Endpoint,
  toParts: (client: TestClient) => Omit<Stage, "answer">,
): Promise<{ readonly stage: Stage; readonly client: TestClient }> {
  const slot: { answer: Answering } = { answer: () => ({ action: "cancel" }) }
  const client = await open(kind, endpoint, { answer: (prompt, withdrawn) => slot.answer(prompt, withdrawn) })
  return { client, stage: Object.assign(slot, toParts(client)) }
}
