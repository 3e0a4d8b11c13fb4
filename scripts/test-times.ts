// Shows where the processor time of a test run goes, by file, with its child processes and browsers. The arguments are
// vitest's: `npm run test:times -- --project db packages/hub`. Linux only.

import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { readVitestArguments } from "@holdpoint/testkit/command-line"
import { type FileNote, type Note, notesVariable, readNotes } from "../test/times/notes.ts"
import type { TreeTimes } from "../test/times/processes.ts"

interface Cost extends TreeTimes {
  readonly file: string
  /** Seconds. */
  readonly clock: number
}

const help = `npm run test:times -- [arguments of vitest]

Runs tests, and shows how much processor time each file took, with its child processes and browsers. Linux only.

  npm run test:times -- --project db packages/hub

  --help  show this help; for the flags of Vitest: npx vitest run --help
`

const root = fileURLToPath(new URL("..", import.meta.url))
const vitest = join(root, "node_modules/vitest/vitest.mjs")

const allOf = ({ own, started }: TreeTimes): number => own + started

const sumOf = (costs: readonly Cost[]): TreeTimes =>
  costs.reduce((sum, { own, started }) => ({ own: sum.own + own, started: sum.started + started }), {
    own: 0,
    started: 0,
  })

const vitestArguments = await readVitestArguments(help)
const folder = mkdtempSync(join(tmpdir(), "holdpoint-times-"))
const notesPath = join(folder, "notes.jsonl")
const { status } = spawnSync(process.execPath, [vitest, "run", ...vitestArguments], {
  cwd: root,
  env: { ...process.env, [notesVariable]: notesPath },
  stdio: "inherit",
})
print(readNotes(notesPath))
rmSync(folder, { recursive: true })
process.exitCode = status ?? 1

function costsFrom(notes: readonly Note[]): readonly Cost[] {
  const begun = new Map<number, FileNote>()
  return notes.flatMap((note) => {
    if (note.at === "run") return []
    const begin = begun.get(note.pid)
    begun.set(note.pid, note)
    if (note.at === "begin" || begin === undefined) return []
    const [own, started] = [note.own - begin.own, note.started - begin.started]
    return [{ file: relative(root, note.file), own, started, clock: (note.clock - begin.clock) / 1_000 }]
  })
}

function print(notes: readonly Note[]): void {
  const costs = costsFrom(notes)
  const { runner = 0, postgres = 0 } = notes.find((note) => note.at === "run") ?? {}
  const row = (numbers: readonly number[], what: string): void =>
    console.log(
      numbers.map((number) => number.toFixed(1).padStart(9)).join(""),
      "".padEnd(9 * (4 - numbers.length)),
      what,
    )
  console.log(
    "\nSeconds of processor time of each file: all, of its worker, of what the worker started; and of the clock.",
  )
  for (const cost of [...costs].sort((a, b) => allOf(b) - allOf(a)))
    row([allOf(cost), cost.own, cost.started, cost.clock], cost.file)
  for (const project of ["fast", "db", "browser"]) {
    const { own, started } = sumOf(costs.filter(({ file }) => projectOf(file) === project))
    row([own + started, own, started], `the files of ${project}`)
  }
  row([postgres], "Postgres")
  row([runner], "the test runner")
  row([allOf(sumOf(costs)) + postgres + runner], "the whole run")
}

/** The project of a test file, by the same patterns as in vitest.config.ts. */
function projectOf(file: string): string {
  if (file.endsWith(".browser.test.ts")) return "browser"
  return file.endsWith(".db.test.ts") || /^(?:test|apps\/shell|apps\/holdpoint\/test\/attacks)\//.test(file)
    ? "db"
    : "fast"
}
