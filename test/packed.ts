// The packages as published, for tests: packed once per run by the first test that needs them, because packing takes
// longer than most tests. Other test files wait for it.

import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { isFirst, runFolder } from "@holdpoint/testkit/run-folder"
import { type PackedPackage, pack } from "../scripts/pack.ts"

export interface PackedOnce {
  readonly folder: string
  readonly packages: readonly PackedPackage[]
}

type Outcome = { readonly packages: readonly PackedPackage[] } | { readonly error: string }

export async function packOnce(): Promise<PackedOnce> {
  const folder = runFolder()
  const file = join(folder, "outcome.json")
  if (isFirst("packing")) {
    writeFileSync(`${file}.new`, JSON.stringify(packInto(folder)))
    renameSync(`${file}.new`, file)
  }
  while (!existsSync(file)) await setTimeout(100)
  const outcome = JSON.parse(readFileSync(file, "utf8")) as Outcome
  if ("error" in outcome) throw new Error(outcome.error)
  return { folder, packages: outcome.packages }
}

function packInto(folder: string): Outcome {
  try {
    // No type check here: `npm run check` checks the sources, and a test checks the published declarations.
    return { packages: pack(folder, { isChecked: false }) }
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  }
}
