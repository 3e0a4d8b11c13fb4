// Measures the time from a process's start to its response to `initialize` on stdio, and its memory: the command with
// an existing database, compared with a bare server. With Node's compile cache, and without it.

import { spawn } from "node:child_process"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import type { Area, Bench } from "../bench.ts"
import { interleave, median, medianRatio, pause } from "../measure.ts"
import type { Result } from "../result.ts"
import { prepareServers, type ServerPrograms } from "./packed.ts"

export const measureStart: Area = async (bench) => {
  const packed = await prepareServers(await bench.packages())
  // The first start creates the database and the cache.
  for (const side of ["bare", "ours"] as const) await start(bench, packed, { side, cache: "warm" })
  return [...(await measureTimes(bench, packed)), ...(await measureMemory(bench, packed))]
}

async function measureTimes(bench: Bench, packed: ServerPrograms): Promise<readonly Result[]> {
  const { starts } = bench.sizes
  let serial = 0
  const timed = (side: Side, cache: string) => async () => (await start(bench, packed, { side, cache })).ms
  const variants = {
    bare: timed("bare", "warm"),
    ours: timed("ours", "warm"),
    bareCold: () => timed("bare", `cold-${++serial}`)(),
    oursCold: () => timed("ours", `cold-${++serial}`)(),
  }
  const values = await interleave(variants, starts, (round) => bench.progress(`starts, round ${round} of ${starts}`))
  return [
    ...compared("nextcloud/start", "ms", values.ours, values.bare),
    ...compared("nextcloud/start/cold", "ms", values.oursCold, values.bareCold),
  ]
}

async function measureMemory(bench: Bench, packed: ServerPrograms): Promise<readonly Result[]> {
  // Only Linux has the memory of a process in a file.
  if (process.platform !== "linux") return []
  const resident = (side: Side) => async () =>
    (await start(bench, packed, { side, cache: "warm", wantsMemory: true })).mb
  const variants = { bare: resident("bare"), ours: resident("ours") }
  const rounds = Math.ceil(bench.sizes.starts / 3)
  const values = await interleave(variants, rounds, (round) => bench.progress(`memory, round ${round} of ${rounds}`))
  return compared("nextcloud/rss", "MB", values.ours, values.bare)
}

type Side = "bare" | "ours"

interface Wish {
  readonly side: Side
  /** The folder of the compile cache. */
  readonly cache: string
  readonly wantsMemory?: boolean
}

const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: { elicitation: { form: {}, url: {} } },
    clientInfo: { name: "bench", version: "1.0.0" },
  },
}

async function start(
  { folder, sizes }: Bench,
  packed: ServerPrograms,
  { side, cache, wantsMemory = false }: Wish,
): Promise<{ readonly ms: number; readonly mb: number }> {
  const args = side === "bare" ? packed.bare : [...packed.ours, "--database", join(folder, "nextcloud.db")]
  const env = { PATH: process.env.PATH, NODE_COMPILE_CACHE: join(folder, "compiled", cache) }
  const begin = performance.now()
  const server = spawn(process.execPath, args, { cwd: folder, env, stdio: ["pipe", "pipe", "pipe"] })
  const gone = new Promise<void>((resolve) => server.once("exit", () => resolve()))
  let errorOutput = ""
  server.stderr.on("data", (words) => (errorOutput += words))
  server.stdin.write(`${JSON.stringify(initialize)}\n`)
  const answer = await Promise.race([once(server.stdout), gone.then(() => "")])
  const ms = performance.now() - begin
  if (!answer.includes('"protocolVersion"')) throw new Error(`The server did not start: ${errorOutput || answer}`)
  if (wantsMemory) await pause(sizes.settleMs)
  const mb = wantsMemory ? await residentOf(server.pid) : Number.NaN
  // Node writes the compile cache when the process ends.
  server.stdin.end()
  await gone
  return { ms, mb }
}

const once = (stream: NodeJS.ReadableStream): Promise<string> =>
  new Promise((resolve) => stream.once("data", (data) => resolve(String(data))))

async function residentOf(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8")
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1_024
}

function compared(name: string, unit: string, ours: readonly number[], bare: readonly number[]): readonly Result[] {
  const baseline = `${name}/bare`
  return [
    { name: baseline, value: median(bare), unit },
    { name: `${name}/ours`, value: median(ours), unit, baseline, ratio: medianRatio(ours, bare) },
  ]
}
