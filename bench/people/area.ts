// Measures programs that ask over HTTP: the rate of questions beside the library's, and the memory of requests that
// wait for a person beside the same requests held by bare node:http.

import { Agent, type ClientRequest, request } from "node:http"
import type { Area, Bench } from "../bench.ts"
import { type Child, startChild } from "../child.ts"
import { newStoreLocation, removeStoreLocation } from "../core/store-locations.ts"
import { interleave, median, medianRatio, ratePerSecond } from "../measure.ts"
import type { Result } from "../result.ts"
import type { AskingCommands } from "./asking-child.ts"
import type { PeopleCommands } from "./people-child.ts"
import { measureSlack } from "./slack.ts"

const concurrency = 16

export const measurePeople: Area = async (bench) => [
  ...(await measureAsking(bench)),
  ...(await measureWaiting(bench)),
  ...(await measureSlack(bench)),
]

async function measureAsking(bench: Bench): Promise<readonly Result[]> {
  const { rounds, sliceMs } = bench.sizes
  return withServer(bench, async (child, { url, key }) => {
    const agent = new Agent({ keepAlive: true, maxSockets: concurrency })
    const client = startChild<AskingCommands>(clientFile)
    const variants = (ms: number) => ({
      library: () => child.call("ask", { concurrency, ms }),
      http: () => ratePerSecond(() => ask(url, key, agent), { concurrency, ms }),
      sockets: () => client.call("ask", { url, key, body, concurrency, ms }),
    })
    await interleave(variants(150), 1, () => {})
    const { library, http, sockets } = await interleave(variants(sliceMs), rounds, (round) =>
      bench.progress(`asking over HTTP, round ${round} of ${rounds}`),
    )
    agent.destroy()
    await client.stop()
    const name = `sqlite/people/ask/c${concurrency}`
    const baseline = `${name}/library`
    return [
      { name: baseline, value: median(library), unit: "/s" },
      { name: `${name}/http`, value: median(http), unit: "/s", baseline, ratio: medianRatio(http, library) },
      { name: `${name}/sockets`, value: median(sockets), unit: "/s", baseline, ratio: medianRatio(sockets, library) },
    ]
  })
}

async function measureWaiting(bench: Bench): Promise<readonly Result[]> {
  const { waitingCallers: count } = bench.sizes
  bench.progress(`${count} waiting requests, bare`)
  const bare = await withBare((child, url) =>
    hold(
      bench,
      child,
      Array.from({ length: count }, () => ({ url })),
    ),
  )
  bench.progress(`${count} waiting requests`)
  const ours = await withServer(bench, async (child, { url, key, requester }) => {
    const ids = await child.call("askMany", { count, requester })
    const headers = { authorization: `Bearer ${key}` }
    return hold(
      bench,
      child,
      ids.map((id) => ({ url: `${url}/api/questions/${id}?wait=120`, headers })),
    )
  })
  const name = `sqlite/people/waiting/${count}`
  const baseline = `${name}/bare`
  return [
    { name: baseline, value: bare.rss, unit: "KiB" },
    { name: `${name}/rss`, value: ours.rss, unit: "KiB", baseline, ratio: ours.rss / bare.rss },
    { name: `${name}/heap`, value: ours.heap, unit: "KiB" },
  ]
}

interface HeldRequest {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
}

const warmUps = 200

/** Measures the memory of each held request, in KiB. The first requests only warm up the server. */
async function hold({ sizes }: Bench, child: Child<PeopleCommands>, all: readonly HeldRequest[]) {
  const { settleMs } = sizes
  const agent = new Agent({ keepAlive: true, maxSockets: all.length })
  const open: ClientRequest[] = []
  const send = async (some: readonly HeldRequest[]): Promise<void> => {
    for (const { url, headers = {} } of some) {
      const sent = request(url, { headers, agent })
      // The requests fail when their server ends, which is expected.
      sent.on("error", () => {})
      open.push(sent)
      await new Promise<void>((resolve) => sent.end(resolve))
    }
  }
  const first = Math.min(warmUps, Math.floor(all.length / 2))
  await send(all.slice(0, first))
  const before = await child.call("memory", { settleMs })
  await send(all.slice(first))
  const after = await child.call("memory", { settleMs })
  for (const sent of open) sent.destroy()
  agent.destroy()
  const each = (member: keyof typeof after): number => (after[member] - before[member]) / (all.length - first) / 1_024
  return { rss: each("rss"), heap: each("heap") }
}

interface ApiAddress {
  readonly url: string
  readonly key: string
  readonly requester: string
}

async function withServer<T>(
  bench: Bench,
  work: (child: Child<PeopleCommands>, opened: ApiAddress) => Promise<T>,
): Promise<T> {
  const location = await newStoreLocation(bench, "sqlite")
  const child = startChild<PeopleCommands>(file)
  try {
    return await work(child, await child.call("open", { location }))
  } finally {
    await child.stop()
    await removeStoreLocation(location)
  }
}

async function withBare<T>(work: (child: Child<PeopleCommands>, url: string) => Promise<T>): Promise<T> {
  const child = startChild<PeopleCommands>(file)
  try {
    return await work(child, (await child.call("openBare", null)).url)
  } finally {
    await child.stop()
  }
}

const file = new URL("./people-child.ts", import.meta.url).pathname
const clientFile = new URL("./asking-child.ts", import.meta.url).pathname

const body = JSON.stringify({
  message: "Deploy to production?",
  form: { type: "object", properties: { ok: { type: "boolean", title: "Yes" } }, required: ["ok"] },
  audience: { issuer: "local", subject: "alice" },
})

function ask(url: string, key: string, agent: Agent): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, "content-length": String(Buffer.byteLength(body)) }
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/api/questions`, { method: "POST", headers, agent }, (response) => {
      response.resume()
      response.on("end", () =>
        response.statusCode === 201 ? resolve() : reject(new Error(`HTTP status ${response.statusCode}`)),
      )
    })
    sent.on("error", reject)
    sent.end(body)
  })
}
