// What goes wrong in a storm, one kind at a time, at moments that the seed decides.

import type { StormDatabase } from "./database.ts"
import type { Nodes } from "./nodes.ts"
import type { StormProxy } from "./proxy.ts"
import type { Random } from "./random.ts"
import { linger, type World } from "./world.ts"

export const faultNames = ["kill", "term", "restart", "cut", "full", "clock", "hang"] as const
export type FaultName = (typeof faultNames)[number]

export interface FaultParts {
  readonly world: World
  readonly nodes: Nodes
  readonly proxy: StormProxy
  readonly database: StormDatabase
  /** The shift of each node's clock, which a restart keeps. */
  readonly shifts: number[]
  /** The nodes that are being started again. */
  readonly restarts: Promise<void>[]
}

type Fault = (parts: FaultParts, random: Random) => Promise<void>

/** Ends a node and starts it again a moment later, while other faults go on. Half of the nodes always stay. */
const end =
  (signal: "SIGKILL" | "SIGTERM"): Fault =>
  async ({ world, nodes, shifts, restarts }, random) => {
    const readyNodes = () => nodes.ports.flatMap((_, at) => (nodes.isReady(at) ? [at] : []))
    while (readyNodes().length <= nodes.ports.length / 2) {
      if (!world.isBlowing()) return
      await linger(world, 100)
    }
    const at = random.pick(readyNodes())
    const ended = nodes.end(at, signal)
    world.history.count(signal === "SIGKILL" ? "kills" : "terminations")
    const delayMs = random.between(0, 1_000)
    restarts.push(ended.then(() => linger(world, delayMs)).then(() => nodes.start(at, shifts[at])))
  }

const table: Readonly<Record<Exclude<FaultName, "hang">, Fault>> = {
  kill: end("SIGKILL"),
  term: end("SIGTERM"),
  async restart({ world, database }, random) {
    if (database.halt === undefined || database.resume === undefined) return
    await database.halt()
    await linger(world, random.between(0, 1_500))
    await database.resume()
    world.history.count("database restarts")
  },
  async cut({ world, proxy, database }, random) {
    world.history.count("cut connections of clients", proxy.cut(random, 0.3))
    world.history.count("cut connections of nodes", database.cut?.(random, 0.5) ?? 0)
  },
  async full({ world, database: { disk } }, random) {
    if (disk.fill === undefined) return
    disk.fill()
    await linger(world, random.between(500, 2_500))
    disk.free()
    world.history.count("full disks")
  },
  async clock(parts, random) {
    const { shifts, world } = parts
    shifts[random.between(0, shifts.length - 1)] = random.pick([-2_000, -1_000, 1_000, 2_000])
    world.history.count("shifted clocks")
    // The shift counts from the next start of that node, so every node is restarted with its own sooner or later.
    await table.term(parts, random)
  },
}

/** Causes one fault after another while the storm blows. */
export async function blow(parts: FaultParts, names: readonly FaultName[], random: Random): Promise<void> {
  const kinds = names.filter((name) => name !== "hang")
  if (kinds.length === 0) return
  // Each kind once in every round, so that short storms have all of them.
  let round: Exclude<FaultName, "hang">[] = []
  for (let count = 0; parts.world.isBlowing(); count++) {
    const own = random.fork(`fault ${count}`)
    await linger(parts.world, own.between(300, 1_800))
    if (!parts.world.isBlowing()) return
    if (round.length === 0) round = shuffled(kinds, own)
    const kind = round.pop()
    if (kind !== undefined) await table[kind](parts, own)
  }
}

function shuffled<T>(list: readonly T[], random: Random): T[] {
  return list
    .map((value) => ({ value, order: random.next() }))
    .sort((one, other) => one.order - other.order)
    .map(({ value }) => value)
}
