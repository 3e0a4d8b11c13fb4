// Runs the areas one after another, in one process and one folder, and cleans up after them.

import { mkdir, mkdtemp, rm } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { pack } from "../scripts/pack.ts"
import { startPostgres, type TestPostgres } from "../test/postgres.ts"
import { measureA2a } from "./a2a/area.ts"
import { measureAgents } from "./agents/area.ts"
import { measureCore } from "./core/area.ts"
import { fsyncCost } from "./disk.ts"
import { measureGrowth } from "./growth/area.ts"
import { measureMcp } from "./mcp/area.ts"
import { measureNextcloud } from "./nextcloud/area.ts"
import { measurePeople } from "./people/area.ts"
import type { Result } from "./result.ts"
import { measureShell } from "./shell/area.ts"
import type { EngineName, Sizes } from "./sizes.ts"
import { measureStart } from "./start/area.ts"
import { measureVault } from "./vault/area.ts"

/** The parameters and resources that an area receives. */
export interface Bench {
  readonly sizes: Sizes
  readonly engines: readonly EngineName[]
  /** The folder for files, which is removed at the end. */
  readonly folder: string
  /** The URL of a Postgres, which is started on first use. */
  database(): Promise<string>
  /** The folder with our packages as they are published. */
  packages(): Promise<string>
  progress(doing: string): void
}

export type Area = (bench: Bench) => Promise<readonly Result[]>

export const areas: Readonly<Record<string, Area>> = {
  core: measureCore,
  growth: measureGrowth,
  vault: measureVault,
  mcp: measureMcp,
  nextcloud: measureNextcloud,
  agents: measureAgents,
  people: measurePeople,
  a2a: measureA2a,
  shell: measureShell,
  start: measureStart,
}

export interface BenchOptions {
  readonly sizes: Sizes
  /** The areas to run. Default: all. */
  readonly only?: readonly string[]
  readonly engines?: readonly EngineName[]
  /** The folder for files, on the disk that is measured. */
  readonly folder: string
  /** The Postgres to use. Default: DATABASE_URL, otherwise the benchmark starts one. */
  readonly databaseUrl?: string
  /** The folder with our packed packages. Default: the benchmark packs them when needed. */
  readonly packages?: string
  readonly progress?: (doing: string) => void
}

/** Inside the repository, where the compiler finds the types it needs. */
const builds = fileURLToPath(new URL("../build", import.meta.url))

export async function runBench(options: BenchOptions): Promise<readonly Result[]> {
  const { sizes, only = Object.keys(areas), engines = ["memory", "sqlite", "postgres"], databaseUrl } = options
  const progress = options.progress ?? (() => {})
  await mkdir(options.folder, { recursive: true })
  const folder = await mkdtemp(join(options.folder, "run-"))
  let postgres: Promise<TestPostgres> | undefined
  const database = async (): Promise<string> => {
    if (databaseUrl !== undefined) return databaseUrl
    if (postgres === undefined) progress("starting Postgres")
    postgres ??= startPostgres({ isDurable: true })
    return (await postgres).url
  }
  let build: string | undefined
  const packages = async (): Promise<string> => {
    if (options.packages !== undefined) return options.packages
    if (build !== undefined) return build
    progress("packing")
    await mkdir(builds, { recursive: true })
    build = await mkdtemp(join(builds, "bench-"))
    pack(build)
    return build
  }
  try {
    const results: Result[] = [{ name: "disk/fsync", value: fsyncCost(folder), unit: "ms" }]
    for (const name of only) {
      const area = areas[name]
      if (area === undefined) throw new Error(`There is no area “${name}”; there are ${Object.keys(areas).join(", ")}.`)
      const measured = await area({
        sizes,
        engines,
        folder,
        database,
        packages,
        progress: (doing) => progress(`${name}: ${doing}`),
      })
      results.push(...measured)
    }
    return results
  } finally {
    // A database that failed to start has already reported the error.
    const started = await postgres?.catch(() => undefined)
    await started?.stop()
    if (build !== undefined) await rm(build, { recursive: true, force: true })
    await rm(folder, { recursive: true, force: true })
  }
}
