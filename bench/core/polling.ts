// The design that a hub replaces: each waiter polls the database. On a SQLite file, which answers such a query faster than
// any server, so the interval is what makes it slow.

import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import type { Bench } from "../bench.ts"
import { mean, pause, percentile, sharedNow } from "../measure.ts"
import type { Result } from "../result.ts"
import { removeStoreLocation } from "./store-locations.ts"

export async function measurePolling(bench: Bench): Promise<readonly Result[]> {
  const { pollEveryMs, pollers } = bench.sizes
  bench.progress(`${pollers} waiters polling every ${pollEveryMs.map((ms) => `${ms / 1_000} s`).join(", ")}`)
  // In parallel: together these are a few thousand queries a second, too few to slow each other.
  const results = await Promise.all(pollEveryMs.map((intervalMs) => poll(bench, intervalMs)))
  return results.flat()
}

async function poll(bench: Bench, intervalMs: number): Promise<readonly Result[]> {
  const { pollers, pollSamples, pollIntervals } = bench.sizes
  const file = join(bench.folder, `polling-${intervalMs}.db`)
  const database = new DatabaseSync(file)
  database.exec(
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE polled (id INTEGER PRIMARY KEY, answer TEXT)",
  )
  database.exec("BEGIN")
  const insert = database.prepare("INSERT INTO polled (id) VALUES (?)")
  for (let id = 0; id < pollers; id++) insert.run(id)
  database.exec("COMMIT")
  const select = database.prepare("SELECT answer FROM polled WHERE id = ?")
  const update = database.prepare("UPDATE polled SET answer = 'yes' WHERE id = ?")

  const answeredAt = new Map<number, number>()
  const latencies: number[] = []
  let queries = 0
  const look = (id: number): void => {
    queries++
    const start = select.get(id)?.answer === null ? undefined : answeredAt.get(id)
    if (start === undefined) return
    answeredAt.delete(id)
    latencies.push(sharedNow() - start)
  }

  const timers = Array.from({ length: pollers }, (_, id) => startPolling(() => look(id), intervalMs))
  // All pollers start within the first interval.
  await pause(intervalMs)
  const [start, queriesBefore] = [performance.now(), queries]
  const answers = momentsWithin(intervalMs * pollIntervals, pollSamples).map(async (moment, id) => {
    await pause(moment)
    answeredAt.set(id, sharedNow())
    update.run(id)
  })
  await pause(intervalMs * pollIntervals)
  const rate = (queries - queriesBefore) / ((performance.now() - start) / 1_000)
  await Promise.all(answers)
  while (latencies.length < pollSamples) await pause(intervalMs / 4)
  for (const stop of timers) stop()
  database.close()
  await removeStoreLocation({ engine: "sqlite", file })
  return toResults(intervalMs, { pollers, latencies, rate })
}

/** Waiters start at random moments, so their polls are spread. */
function startPolling(look: () => void, intervalMs: number): () => void {
  let timer: NodeJS.Timeout | undefined
  const first = setTimeout(() => {
    look()
    timer = setInterval(look, intervalMs)
  }, Math.random() * intervalMs)
  return () => {
    clearTimeout(first)
    clearInterval(timer)
  }
}

function momentsWithin(ms: number, count: number): readonly number[] {
  return Array.from({ length: count }, () => Math.random() * ms)
}

function toResults(
  intervalMs: number,
  measured: { readonly pollers: number; readonly latencies: readonly number[]; readonly rate: number },
): readonly Result[] {
  const name = `polling/${intervalMs}ms`
  return [
    { name: `${name}/wake/mean`, value: mean(measured.latencies), unit: "ms" },
    { name: `${name}/wake/p50`, value: percentile(measured.latencies, 50), unit: "ms" },
    { name: `${name}/wake/p99`, value: percentile(measured.latencies, 99), unit: "ms" },
    { name: `${name}/queries/${measured.pollers}`, value: measured.rate, unit: "/s" },
  ]
}
