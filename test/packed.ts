// The packages as published, for tests: packed once per run by the first test that needs them, because packing takes
// longer than most tests. Other test files wait for it.

import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { type Packed, pack } from "../scripts/pack.ts"

const variable = "TEST_PACKED"

/** Setup for the test runner: a folder for the whole run, inside the repository, where the compiler finds types. */
export default function setup(): () => void {
  const build = fileURLToPath(new URL("../build", import.meta.url))
  mkdirSync(build, { recursive: true })
  const folder = mkdtempSync(join(build, "tests-"))
  process.env[variable] = folder
  return () => rmSync(folder, { recursive: true, force: true })
}

export interface PackedOnce {
  readonly folder: string
  readonly packages: readonly Packed[]
}

type Outcome = { readonly packages: readonly Packed[] } | { readonly error: string }

export async function packOnce(): Promise<PackedOnce> {
  const folder = process.env[variable]
  if (folder === undefined) throw new Error(`${variable} is not set; run this with the project “db”.`)
  const file = join(folder, "outcome.json")
  if (isFirst(folder)) {
    writeFileSync(`${file}.new`, JSON.stringify(packInto(folder)))
    renameSync(`${file}.new`, file)
  }
  while (!existsSync(file)) await setTimeout(100)
  const outcome = JSON.parse(readFileSync(file, "utf8")) as Outcome
  if ("error" in outcome) throw new Error(outcome.error)
  return { folder, packages: outcome.packages }
}

/** Whether this process is the first: only one process can create the folder. */
function isFirst(folder: string): boolean {
  try {
    mkdirSync(join(folder, "begun"))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false
    throw error
  }
}

function packInto(folder: string): Outcome {
  try {
    return { packages: pack(folder) }
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  }
}
