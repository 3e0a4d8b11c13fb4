// A process that runs jobs on the given storage, and starts one on request. Tests kill it. Each effect of a job is a
// line in a file.

import { appendFileSync } from "node:fs"
import { createAsking } from "@holdpoint/calls"
import { createHub, form, inbox, text } from "@holdpoint/hub"
import { openPostgres } from "@holdpoint/hub/postgres"
import { createSealer, parseKeyRing } from "@holdpoint/hub/sealing"
import { openSqlite } from "@holdpoint/hub/sqlite"
import { createJobs } from "@holdpoint/testkit/calls/plain/carrier"
import { alice } from "@holdpoint/testkit/fixtures"

export interface ProgramSettings {
  readonly database: string
  /** The schema, for Postgres. */
  readonly schema?: string
  readonly keys: string
  readonly deeds: string
  /** The step in which the first process hangs. */
  readonly stuckIn?: string
}

const { database, schema, keys, deeds, stuckIn } = JSON.parse(process.argv[2] ?? "{}") as ProgramSettings
const storage = await (schema === undefined ? openSqlite(database) : openPostgres(database, { schema }))
const hub = createHub({ storage, outlets: [inbox()] })
const asking = createAsking({ hub, storage, sealer: createSealer(parseKeyRing(keys, "the test")) })

const note = async (deed: string): Promise<string> => {
  appendFileSync(deeds, `${deed}\n`)
  if (deed === stuckIn) await new Promise(() => {})
  return deed
}
const jobs = createJobs(asking, alice, async ({ order }: { readonly order: number }, ask) => {
  const step = ask.scope(`order ${order}`)
  await step.once("draft", ({ again }) => note(`draft ${order}${again ? " again" : ""}`), { repeatable: true })
  if (!(await step.confirm("sure", `Refund order ${order}?`))) return note(`kept ${order}`)
  await step.once("refund", () => note(`refund ${order}`))
  const { why } = await step.form("why", "Why?", form({ why: text() }))
  return step.once("tell", () => note(`tell ${order}: ${why}`))
})
process.stdout.write("ready\n")
process.stdin.on(
  "data",
  (data) => void jobs.start({ order: Number(String(data)) }).then(() => process.stdout.write("started\n")),
)
process.stdin.on("end", async () => {
  await jobs.close()
  await asking.close()
  await hub.close()
  await storage.close()
})
