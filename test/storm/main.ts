// The command line of the storm.

import { endWrong, readCommandLine } from "@holdpoint/testkit/command-line"
import setupRunFolder from "@holdpoint/testkit/run-folder"
import { type FaultName, faultNames } from "./faults.ts"
import { runStorm, type StormReport } from "./storm.ts"

const help = `npm run storm -- --minutes N [options]

Starts several real holdpoint serve processes on one database, asks and answers through every surface while processes,
connections and disks fail, and then compares what clients, receivers and the database have seen. Exit code 1: something
was lost, doubled, stuck or untrue.

  --minutes N     how long the storm blows, such as 0.5 or 10
  --sqlite        the database is SQLite (default)
  --postgres      the database is a Postgres that the storm starts
  --seed S        a whole number, from which everything random comes (default: a random one, which is printed)
  --faults LIST   ${faultNames.join(",")}, or none (default: all)
  --nodes N       how many processes (default: 4)
  --json          print the report as JSON
  --help          show this help
`

const { flags } = readCommandLine(help, {
  flags: {
    ...{ minutes: { type: "string" }, seed: { type: "string" }, faults: { type: "string" }, nodes: { type: "string" } },
    ...{ sqlite: { type: "boolean" }, postgres: { type: "boolean" }, json: { type: "boolean" } },
  } as const,
})

const seconds = 60 * readNumber("minutes", flags.minutes, /^\d{1,3}(\.\d{1,3})?$/)
const seed = flags.seed === undefined ? Math.floor(Math.random() * 1e9) : readNumber("seed", flags.seed, /^\d{1,9}$/)
const nodes = flags.nodes === undefined ? undefined : readNumber("nodes", flags.nodes, /^[1-9]$/)
if (flags.sqlite && flags.postgres) endWrong("Write --sqlite or --postgres, not both.", help)

const removeFolder = setupRunFolder()
try {
  const report = await runStorm({
    ...{ seconds, seed, nodes, faults: readFaults(flags.faults) },
    engine: flags.postgres ? "postgres" : "sqlite",
    progress: (words) => void process.stderr.write(`${words}\n`),
  })
  process.stdout.write(flags.json ? `${JSON.stringify(report, null, 2)}\n` : toTable(report))
  process.exitCode = report.findings.length === 0 ? 0 : 1
} finally {
  removeFolder()
}

function readNumber(name: string, text: string | undefined, shape: RegExp): number {
  if (text === undefined) return endWrong(`--${name} is missing.`, help)
  if (!shape.test(text) || Number(text) === 0) return endWrong(`--${name} cannot be “${text}”.`, help)
  return Number(text)
}

function readFaults(text: string | undefined): readonly FaultName[] {
  if (text === undefined) return faultNames
  if (text === "none") return []
  const names = text.split(",")
  const unknown = names.find((name) => !faultNames.includes(name as FaultName))
  if (unknown !== undefined) return endWrong(`There is no fault “${unknown}”.`, help)
  return names as readonly FaultName[]
}

function toTable({ seed, engine, counts, findings, traces, skipped }: StormReport): string {
  const width = Math.max(...Object.keys(counts).map(({ length }) => length))
  const rows = Object.entries(counts).map(([name, count]) => `  ${name.padEnd(width)}  ${count}`)
  const lines = findings.map(({ rule, ids, words }) => `  ${rule}: ${ids.join(", ")}\n    ${words}`)
  const notes = skipped.map((words) => `  skipped: ${words}`)
  return `${[`${engine}, seed ${seed}`, ...rows, ...notes, `${findings.length} findings`, ...lines, ...traces].join("\n")}\n`
}
