// The minimum cost of a round trip: two durable transactions, an insert and an update of a row of the same size, on the
// same driver with the same durability and nothing around them.

import { randomUUID } from "node:crypto"
import { DatabaseSync } from "node:sqlite"
import pg from "pg"
import { askOne, content, personOf } from "./question.ts"
import { openHub, type StoreLocation } from "./store-locations.ts"

export interface BareDatabase {
  roundTrip(): Promise<void>
  close(): Promise<void>
}

const columns = "id TEXT PRIMARY KEY, question TEXT NOT NULL, status TEXT NOT NULL, settled_at BIGINT, content TEXT"
const answer = JSON.stringify(content)

export async function openBare(location: Exclude<StoreLocation, { engine: "memory" }>): Promise<BareDatabase> {
  const question = await sampleQuestion()
  return location.engine === "sqlite" ? openSqliteBare(location.file, question) : openPostgresBare(location, question)
}

function openSqliteBare(file: string, question: string): BareDatabase {
  const database = new DatabaseSync(file)
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE bare (${columns})`)
  const insert = database.prepare("INSERT INTO bare (id, question, status) VALUES (?, ?, 'pending')")
  const update = database.prepare("UPDATE bare SET status = 'completed', settled_at = ?, content = ? WHERE id = ?")
  return {
    async roundTrip() {
      const id = randomUUID()
      insert.run(id, question)
      update.run(Date.now(), answer, id)
    },
    async close() {
      database.close()
    },
  }
}

async function openPostgresBare(location: { url: string; schema: string }, question: string): Promise<BareDatabase> {
  const client = new pg.Client(location.url)
  await client.connect()
  await assertDurable(client)
  const table = `${location.schema}.bare`
  await client.query(`CREATE SCHEMA IF NOT EXISTS ${location.schema}; CREATE TABLE ${table} (${columns})`)
  const insert = { name: "insert", text: `INSERT INTO ${table} (id, question, status) VALUES ($1, $2, 'pending')` }
  const update = {
    name: "update",
    text: `UPDATE ${table} SET status = 'completed', settled_at = $1, content = $2 WHERE id = $3`,
  }
  return {
    async roundTrip() {
      const id = randomUUID()
      await client.query({ ...insert, values: [id, question] })
      await client.query({ ...update, values: [Date.now(), answer, id] })
    },
    close: () => client.end(),
  }
}

async function assertDurable(client: pg.Client): Promise<void> {
  const { rows } = await client.query(
    "SELECT current_setting('fsync') = 'on' AND current_setting('synchronous_commit') <> 'off' AS durable",
  )
  if (rows[0]?.durable === true) return
  throw new Error("This Postgres does not wait for its disk (fsync or synchronous_commit is off): no comparison holds.")
}

async function sampleQuestion(): Promise<string> {
  const { hub, close } = await openHub({ engine: "memory" })
  const elicitation = await hub.get(await askOne(hub, personOf(0)))
  await close()
  return JSON.stringify(elicitation)
}
