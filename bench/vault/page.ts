// The time for the connect page over HTTP on this machine, for a browser that has opened it before, up to the last byte;
// compared with the same bytes from a server that does nothing else.

import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { OAuthProvider } from "@holdpoint/accounts"
import { withNewKey } from "@holdpoint/hub/sealing"
import { startServer } from "holdpoint/serve"
import type { Area, Bench } from "../bench.ts"
import { newStoreLocation, openStorage, removeStoreLocation } from "../core/store-locations.ts"
import { interleave, median, percentile } from "../measure.ts"
import type { Result } from "../result.ts"
import type { EngineName } from "../sizes.ts"
import { calendar } from "./fetch.ts"

export const measurePage: Area = async (bench) => {
  const results: Result[] = []
  for (const engine of bench.engines) results.push(...(await measureOn(bench, engine, calendar)))
  return results
}

async function measureOn(bench: Bench, engine: EngineName, provider: OAuthProvider): Promise<readonly Result[]> {
  const location = await newStoreLocation(bench, engine)
  const storage = await openStorage(location)
  const people = { from: "local", user: "bench", secret: new Uint8Array(32) } as const
  const server = await startServer({
    storage,
    keys: withNewKey(),
    people,
    providers: [provider],
    host: "127.0.0.1",
    port: 0,
  })
  try {
    const owner = { kind: "person", tenant: "local", issuer: "local", subject: "bench" } as const
    const scopes = ["events.read", "events.write"]
    const asked = await server.vault.ask({ owner, provider: provider.id, scopes, requester: { id: "bench" } })
    const url = `${server.publicUrl}/connect/${asked.id}`
    const first = await fetch(url)
    const cookie = first.headers
      .getSetCookie()
      .map((line) => line.split(";")[0])
      .join("; ")
    const page = await first.text()
    if (!first.ok || !page.includes("Calendar")) throw new Error(`The connect page was not served: ${first.status}.`)
    return await compare(bench, engine, { url, cookie, page })
  } finally {
    await server.close()
    await storage.close()
    await removeStoreLocation(location)
  }
}

async function compare(
  bench: Bench,
  engine: EngineName,
  { url, cookie, page }: { readonly url: string; readonly cookie: string; readonly page: string },
): Promise<readonly Result[]> {
  const bare = createServer((_request, response) => response.setHeader("content-type", "text/html").end(page))
  await new Promise<void>((resolve) => bare.listen(0, "127.0.0.1", resolve))
  const bareUrl = `http://127.0.0.1:${(bare.address() as AddressInfo).port}/`
  const { sliceMs, rounds } = bench.sizes
  const variants = { bare: () => typicalMs(bareUrl, "", sliceMs), page: () => typicalMs(url, cookie, sliceMs) }
  try {
    await interleave(variants, 1, () => {})
    const values = await interleave(variants, rounds, (round) =>
      bench.progress(`${engine}: connect pages, round ${round} of ${rounds}`),
    )
    return [
      { name: `${engine}/page/bare/p50`, value: median(values.bare), unit: "ms" },
      { name: `${engine}/page/connect/p50`, value: median(values.page), unit: "ms" },
    ]
  } finally {
    bare.closeAllConnections()
    bare.close()
  }
}

async function typicalMs(url: string, cookie: string, ms: number): Promise<number> {
  const took: number[] = []
  const end = performance.now() + ms
  for (let now = performance.now(); now < end; ) {
    const response = await fetch(url, { headers: { cookie } })
    await response.arrayBuffer()
    if (!response.ok) throw new Error(`The page answered ${response.status}.`)
    const then = performance.now()
    took.push(then - now)
    now = then
  }
  return percentile(took, 50)
}
