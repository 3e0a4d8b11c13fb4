// Removes the program's checks one by one, and shows that the test named for each notices. Works in copies of the tree,
// never in the tree itself: `npm run test:mutations`, optionally with words that select checks.

import { spawn } from "node:child_process"
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { readCommandLine } from "@holdpoint/testkit/command-line"
import type { Mutation } from "../apps/holdpoint/test/attacks/mutation.ts"
import { mutations } from "../apps/holdpoint/test/attacks/mutations.ts"

const root = fileURLToPath(new URL("../", import.meta.url))
const copied = ["apps", "examples", "packages", "test", "tools", "package.json", "tsconfig.json", "vitest.config.ts"]
const workers = 2

/** `noticed`: the test failed. `unheard`: the test still passed. `broken`: the test could not run. */
type Verdict = "noticed" | "unheard" | "broken"

/** The part of Vitest's JSON report that is read here. */
interface Counts {
  readonly numFailedTests: number
  readonly numPassedTests: number
  readonly testResults: readonly FileResult[]
}

interface FileResult {
  readonly name: string
  readonly message: string
  readonly assertionResults: readonly {
    readonly status: string
    readonly fullName: string
    readonly failureMessages: readonly string[]
  }[]
}

const help = `npm run test:mutations -- [WORD …]

Removes checks of the program one by one, in copies of the repository, and shows whether the test that is named for each
check notices. The exit code is 1 if one does not.

  WORD    only checks whose name or file contains one of these words (default: all)
  --help  show this help

  npm run test:mutations -- webhooks packages/hub/src/sealing
`

const { words } = readCommandLine(help, { words: { most: Number.POSITIVE_INFINITY } })
const isMeant = ({ check, file }: Mutation): boolean =>
  words.length === 0 || words.some((word) => check.includes(word) || file.includes(word))
const chosen = mutations.filter(isMeant)
const home = mkdtempSync(join(tmpdir(), "holdpoint-mutations-"))
process.once("SIGINT", () => {
  rmSync(home, { recursive: true, force: true })
  process.exit(130)
})

try {
  process.exitCode = await main()
} finally {
  rmSync(home, { recursive: true, force: true })
}

async function main(): Promise<number> {
  if (chosen.length === 0) {
    console.error(`No name of a check or file contains any of these words: ${words.join(", ")}`)
    return 1
  }
  const copies = Array.from({ length: workers }, (_, index) => copyTree(join(home, String(index))))
  const green = await areGreen(copies[0] ?? "")
  if (!green) return 1
  const waiting = [...chosen]
  const results = new Map<Mutation, Verdict>()
  await Promise.all(
    copies.map(async (copy) => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const verdict = await judge(copy, next)
        results.set(next, verdict)
        console.log(`${verdict.padEnd(8)} ${next.check}  (${next.file})`)
      }
    }),
  )
  const missed = chosen.filter((mutation) => results.get(mutation) !== "noticed")
  console.log(`\n${chosen.length - missed.length} of ${chosen.length} were noticed by the test named for them.`)
  for (const { check, test, title } of missed) console.log(`  not: ${check}, by ${test}: ${title}`)
  return missed.length === 0 ? 0 : 1
}

/** Whether all named tests pass in an unchanged copy. A test that fails anyway would prove nothing. */
async function areGreen(copy: string): Promise<boolean> {
  const tests = [...new Set(chosen.map(({ test }) => test))]
  const { counts, output } = await run(
    copy,
    tests,
    chosen.map(({ title }) => title),
  )
  if (counts !== undefined && counts.numFailedTests === 0 && counts.numPassedTests > 0) return true
  const failures = counts?.testResults.flatMap(failuresOf) ?? []
  const details = failures.length > 0 ? failures.join("\n") : output.slice(-4_000)
  console.error(`Tests fail without any mutation, so they can prove nothing:\n${details}`)
  return false
}

/** The failed tests of a file, or the reason why it could not run. */
function failuresOf({ name, message, assertionResults }: FileResult): readonly string[] {
  if (message !== "") return [`  ${name}: ${message}`]
  return assertionResults
    .filter(({ status }) => status === "failed")
    .map(({ fullName, failureMessages }) => `  ${name}: ${fullName}\n${failureMessages.join("\n")}`)
}

async function judge(copy: string, { file, find, replace, test, title }: Mutation): Promise<Verdict> {
  const path = join(copy, file)
  const before = readFileSync(path, "utf8")
  if (before.split(find).length !== 2) return "broken"
  writeFileSync(
    path,
    before.replace(find, () => replace),
  )
  try {
    const { counts } = await run(copy, [test], [title])
    // A file that cannot be parsed fails every test, which proves nothing about this one.
    if (counts === undefined || JSON.stringify(counts).includes("Transform failed")) return "broken"
    if (counts.numFailedTests > 0) return "noticed"
    return counts.numPassedTests > 0 ? "unheard" : "broken"
  } finally {
    writeFileSync(path, before)
  }
}

function run(copy: string, tests: readonly string[], titles: readonly string[]) {
  const report = join(copy, "report.json")
  rmSync(report, { force: true })
  const named = titles.map((title) => title.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|")
  const vitest = join(copy, "node_modules/vitest/vitest.mjs")
  const args = ["run", ...tests, "-t", named, "--reporter=json", `--outputFile=${report}`]
  const child = spawn(process.execPath, [vitest, ...args], { cwd: copy, stdio: ["ignore", "pipe", "pipe"] })
  let output = ""
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => (output += part))
  return new Promise<{ counts: Counts | undefined; output: string }>((resolve) => {
    child.once("exit", () => resolve({ counts: readCounts(report), output }))
  })
}

function readCounts(report: string): Counts | undefined {
  try {
    return JSON.parse(readFileSync(report, "utf8")) as Counts
  } catch {
    return undefined
  }
}

/** Dependencies are shared with the tree; our own packages are copies. */
function copyTree(copy: string): string {
  const isOurs = (path: string): boolean =>
    !/[\\/](?:node_modules|build|dist|\.holdpoint)(?:[\\/]|$)/.test(path.slice(root.length))
  for (const name of copied) cpSync(join(root, name), join(copy, name), { recursive: true, filter: isOurs })
  linkPackages(join(root, "node_modules"), join(copy, "node_modules"))
  return copy
}

function linkPackages(from: string, to: string): void {
  mkdirSync(to)
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (/^\.(?!bin$)/.test(entry.name)) continue
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target)
    else if (entry.name === "@holdpoint") linkPackages(source, target)
    else symlinkSync(source, target)
  }
}
