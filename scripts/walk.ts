// Walks four actions through the programs, and prints what each of them passes: `npm run walk`. The walks are in
// scripts/walks/walks.ts and run in vitest, because their worlds are those of the tests.

import { spawnSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { readCommandLine } from "@holdpoint/testkit/command-line"
import type { RecordedWalk } from "./figures/walks.ts"
import { recordedFile } from "./figures/walks.ts"
import type { Walk } from "./walks/profile.ts"
import { folderOf } from "./walks/profile.ts"

const help = `npm run walk [-- --files] [--save]

Walks four actions: a chat message whose agent needs an account, a question of the HTTP API that is answered in Slack, an
MCP call of 2025-11-25 that asks, and a script that asks. Prints how many of our files each passes, by folder; the calls
against the import direction; and the functions that only pass their arguments on.

  --files  list the files too
  --save   record the figures for the documents; npm run docs:figures writes them there
  --help   show this help
`

const { flags } = readCommandLine(help, { flags: { files: { type: "boolean" }, save: { type: "boolean" } } })
const root = fileURLToPath(new URL("../", import.meta.url))
const folder = mkdtempSync(join(tmpdir(), "holdpoint-walks-"))
try {
  const vitest = [join(root, "node_modules/vitest/vitest.mjs"), "run", "--project", "walk", "--reporter", "dot"]
  const env = { ...process.env, HOLDPOINT_WALKS: folder }
  const { status } = spawnSync(process.execPath, vitest, { cwd: root, env, stdio: ["ignore", "ignore", "inherit"] })
  if (status !== 0) throw new Error("A walk did not reach its end: HOLDPOINT_WALKS=/tmp npx vitest run --project walk")
  const walks = readdirSync(folder)
    .sort()
    .map((file) => ({
      name: file.replace(".json", ""),
      walk: JSON.parse(readFileSync(join(folder, file), "utf8")) as Walk,
    }))
  for (const { name, walk } of walks) print(name, walk)
  if (flags.save) save(walks.map(({ name, walk }) => toRecorded(name, walk)))
} finally {
  rmSync(folder, { recursive: true })
}

function print(name: string, { files, reversals, passOns }: Walk): void {
  console.log(`${name}: ${files.length} files, ${reversals.length} reversals, ${passOns.length} that only pass on`)
  for (const [of, inIt = []] of Object.entries(Object.groupBy(files, folderOf)))
    console.log(`${String(inIt.length).padStart(5)} ${of}`)
  for (const reversal of reversals) console.log(`      ${reversal}`)
  for (const passOn of passOns) console.log(`      only passes on: ${passOn}`)
  if (flags.files) console.log(files.join("\n"))
}

function toRecorded(name: string, { files, reversals, passOns }: Walk): RecordedWalk {
  return { name, files: files.length, reversals, passOns: passOns.length }
}

function save(walks: readonly RecordedWalk[]): void {
  writeFileSync(recordedFile, `${JSON.stringify(walks, undefined, 2)}\n`)
}
