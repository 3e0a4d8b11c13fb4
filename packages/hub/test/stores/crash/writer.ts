// A process that asks, opens, answers, completes and connects in many loops at once until it is killed. Before each step
// it prints "s" and a number; when the step is acknowledged "a", the number, and what was acknowledged.

import { writeSync } from "node:fs"
import { flushCompileCache } from "node:module"
import { keepConnecting } from "@holdpoint/testkit/hub/stores/crash/connections"
import { noting } from "@holdpoint/testkit/hub/stores/crash/notes"
import type { Elicitation, StepResult } from "../../../src/index.ts"
import { createHub, form, inbox, text } from "../../../src/index.ts"
import { openPostgres } from "../../../src/stores/postgres.ts"
import { openSqlite } from "../../../src/stores/sqlite.ts"

const [engine, database, schema] = process.argv.slice(2)
const storage = await (engine === "sqlite" ? openSqlite(database!) : openPostgres(database!, { schema: schema! }))
const limits = { pendingPerPerson: 1_000_000, pendingPerTenant: 1_000_000 }
const hub = createHub({ storage: noting(storage), outlets: [inbox()], limits })
let steps = 0
// Written for the next writers, because a killed process cannot write it at its end.
flushCompileCache()

/** Writes to the file descriptor synchronously, so that no printed line is lost with the process. */
const print = (line: string): void => void writeSync(1, `${line}\n`)

async function acknowledged(take: () => Promise<Elicitation | StepResult>): Promise<Elicitation> {
  const step = ++steps
  print(`s ${step}`)
  const result = await take()
  if ("ok" in result && !result.ok) throw new Error(result.refusal.message)
  const { id, revision, status } = "ok" in result ? result.elicitation : result
  print(`a ${step} ${id} ${revision} ${status}`)
  return "ok" in result ? result.elicitation : result
}

async function loop(number: number): Promise<never> {
  const by = { tenant: "acme", issuer: "https://id.example", subject: `person ${number}` }
  const base = {
    message: "May this go out?",
    audience: by,
    requester: { id: `loop ${number}` },
    lifetimeMs: 86_400_000,
  }
  for (let round = number; ; round++) {
    const asked = await acknowledged(() => hub.ask({ ...base, form: form({ note: text() }) }))
    const content = { note: `answer ${round}` }
    if (round % 5 > 0) await acknowledged(() => hub.answer(asked.id, { by, action: "accept", content }))
    const { id } = await acknowledged(() => hub.ask({ ...base, url: "https://hub.example/connect" }))
    await acknowledged(() => hub.open(id, { by }))
    if (round % 5 > 1) await acknowledged(() => hub.answer(id, { by, action: "accept" }))
    if (round % 5 > 2) await acknowledged(() => hub.complete(id))
  }
}

const connect = (): Promise<never> =>
  keepConnecting(storage, async ({ id, revision, status }, take) => {
    const step = ++steps
    print(`s ${step}`)
    if (!(await take())) throw new Error(`${status} of ${id} was not stored`)
    print(`a ${step} ${id} ${revision} ${status}`)
  })

await Promise.all([...Array.from({ length: 8 }, (_, number) => loop(number)), connect(), connect()])
