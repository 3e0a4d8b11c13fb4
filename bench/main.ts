// The command line of the benchmark: measures, prints a table, writes JSON.

import { writeFile } from "node:fs/promises"
import { availableParallelism, cpus } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { areas, runBench } from "./bench.ts"
import { cheapFsyncMs } from "./disk.ts"
import { full, quick } from "./sizes.ts"
import { toTable } from "./table.ts"

const help = `npm run bench -- [options]

  --only AREA      measure only this area; may be repeated: ${Object.keys(areas).join(", ")}
  --quick          measure less of everything, in under a minute
  --json FILE      write the results to this file too
  --database URL   the Postgres database to use (default: DATABASE_URL, otherwise one is started)
  --folder DIR     where SQLite files are created, on the disk to measure (default: bench/out)
  --help           show this help
`

const options = {
  only: { type: "string", multiple: true },
  quick: { type: "boolean" },
  json: { type: "string" },
  database: { type: "string" },
  folder: { type: "string" },
  help: { type: "boolean" },
} as const

await main()

async function main(): Promise<void> {
  const flags = readFlags()
  if (flags.help) return void process.stdout.write(help)
  const results = await runBench({
    sizes: flags.quick ? quick : full,
    only: flags.only ?? Object.keys(areas),
    folder: flags.folder ?? join(import.meta.dirname, "out"),
    ...(flags.database === undefined ? {} : { databaseUrl: flags.database }),
    progress,
  })
  if (process.stderr.isTTY) process.stderr.write("\r\u001b[K")
  const machine = `${availableParallelism()} x ${cpus()[0]?.model ?? "unknown processor"}`
  process.stdout.write(`Node ${process.versions.node}, ${process.platform}, ${machine}\n\n${toTable(results)}\n`)
  const fsync = results.find(({ name }) => name === "disk/fsync")
  if (fsync !== undefined && fsync.value < cheapFsyncMs) {
    process.stdout.write(
      "\nThis disk does not wait for writes, so ratios of durable work mean little here. Use --folder.\n",
    )
  }
  if (flags.json !== undefined) await writeFile(flags.json, `${JSON.stringify(results, null, 2)}\n`)
}

function readFlags() {
  try {
    const { values } = parseArgs({ options })
    const unknown = values.only?.find((name) => !Object.hasOwn(areas, name))
    if (unknown !== undefined) throw new Error(`There is no area “${unknown}”.`)
    return values
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${help}`)
    process.exit(2)
  }
}

function progress(doing: string): void {
  process.stderr.write(process.stderr.isTTY ? `\r\u001b[K${doing}` : `${doing}\n`)
}
