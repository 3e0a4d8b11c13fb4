// The overhead of a call through a connection with a fresh token, compared with the same call by hand. The fetch
// answers at once; storage is sealed and the vault is real.

import type { ConnectionHandle, Fetch, OAuthProvider } from "@holdpoint/accounts"
import { createVault } from "@holdpoint/accounts"
import { createAddresses, createHub, inbox, systemRuntime } from "@holdpoint/hub"
import { createSealer, withNewKey } from "@holdpoint/hub/sealing"
import { connectionKind } from "../../packages/accounts/src/vault/records.ts"
import type { Area, Bench } from "../bench.ts"
import { newStoreLocation, openStorage, removeStoreLocation } from "../core/store-locations.ts"
import { interleave, median, percentile } from "../measure.ts"
import type { Result } from "../result.ts"
import type { EngineName } from "../sizes.ts"
import { newConnection } from "./connections.ts"

export const calendar: OAuthProvider = {
  id: "calendar",
  name: "Calendar",
  kind: "oauth",
  api: ["https://api.calendar.example"],
  discovery: "none",
  endpoints: { authorization: "https://calendar.example/authorize", token: "https://calendar.example/token" },
  client: { id: "bench", authentication: { method: "none" } },
  pkce: "S256",
  redirect: "context",
  identity: { from: "nothing" },
  revocation: { by: "nothing" },
}

const url = "https://api.calendar.example/v1/events?from=2026-01-01"
const answer = new Response("{}")
const stub: Fetch = async () => answer

export const measureFetch: Area = async (bench) => {
  const results: Result[] = []
  for (const engine of bench.engines) results.push(...(await measureOn(bench, engine)))
  return results
}

async function measureOn(bench: Bench, engine: EngineName): Promise<readonly Result[]> {
  const location = await newStoreLocation(bench, engine)
  const storage = await openStorage(location)
  const hub = createHub({ storage, outlets: [inbox()] })
  const sealer = createSealer(withNewKey())
  const vault = createVault({
    storage,
    questions: hub,
    sealer,
    providers: [calendar],
    fetch: stub,
    addresses: createAddresses("https://hub.example"),
    runtime: systemRuntime,
  })
  try {
    const connection = newConnection(sealer, "person")
    await storage.records(connectionKind).insert(connection)
    return await compare(bench, engine, await vault.use(connection.id))
  } finally {
    await vault.close()
    await hub.close()
    await storage.close()
    await removeStoreLocation(location)
  }
}

async function compare(bench: Bench, engine: EngineName, handle: ConnectionHandle): Promise<readonly Result[]> {
  const { sliceMs, rounds } = bench.sizes
  const { headers } = await handle.credentials()
  const init = { method: "POST", headers: { "content-type": "application/json" }, body: "{}" }
  const variants = {
    byHand: () => typicalMicros(() => stub(url, { ...init, headers: { ...init.headers, ...headers } }), sliceMs),
    connection: () => typicalMicros(() => handle.fetch(url, init), sliceMs),
  }
  const progress = (round: number): void => bench.progress(`${engine}: calls, round ${round} of ${rounds}`)
  await interleave(variants, 1, () => {})
  const values = await interleave(variants, rounds, progress)
  const more = values.connection.map((value, round) => value - (values.byHand[round] ?? 0))
  return [
    { name: `${engine}/call/by-hand/p50`, value: median(values.byHand), unit: "µs" },
    { name: `${engine}/call/connection/p50`, value: median(values.connection), unit: "µs" },
    { name: `${engine}/call/more/p50`, value: median(more), unit: "µs" },
  ]
}

/** The typical time of one call in microseconds, with calls one after another. */
async function typicalMicros(call: () => Promise<unknown>, ms: number): Promise<number> {
  const took: number[] = []
  const end = performance.now() + ms
  for (let now = performance.now(); now < end; ) {
    await call()
    const then = performance.now()
    took.push((then - now) * 1_000)
    now = then
  }
  return percentile(took, 50)
}
