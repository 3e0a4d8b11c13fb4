// The official conformance suite, run against the fixture in another process: every scored scenario must pass.

import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { createInterface } from "node:readline/promises"
import { verifies } from "@holdpoint/testkit/verifies"
import { afterAll, beforeAll, describe, expect } from "vitest"
import { root } from "./guards/sources.ts"

const suite = join(root, "node_modules/@modelcontextprotocol/conformance/dist/index.js")

let fixture: ChildProcess
let url: string

beforeAll(async () => {
  fixture = spawn(process.execPath, [join(root, "test/mcp-fixture/main.ts")], { stdio: ["ignore", "pipe", "inherit"] })
  const [line] = await once(createInterface({ input: fixture.stdout! }), "line")
  url = /http:\S+\/mcp/.exec(String(line))?.[0] ?? ""
})

afterAll(async () => {
  fixture.kill()
  if (fixture.exitCode === null && fixture.signalCode === null) await once(fixture, "exit")
})

describe.each([
  // The expected numbers of scenarios and checks: fewer would mean that some were skipped silently.
  { revision: "2025-11-25", scored: 30, checks: 70 },
  { revision: "2026-07-28", scored: 37, checks: 119 },
])("the official suite for $revision", ({ revision, scored, checks }) => {
  verifies("mcp.official-suite", "finds nothing wrong in any scenario that is scored", async () => {
    const { code, output } = await runSuite(revision)
    const scenarios = readScenarios(output).filter(({ isScored }) => isScored)
    expect(scenarios.filter(({ passed, failed }) => failed > 0 || passed === 0)).toEqual([])
    expect(scenarios.length).toBeGreaterThanOrEqual(scored)
    expect(scenarios.reduce((sum, { passed }) => sum + passed, 0)).toBeGreaterThanOrEqual(checks)
    expect(code).toBe(0)
  })
})

interface Scenario {
  readonly name: string
  readonly passed: number
  readonly failed: number
  readonly isScored: boolean
}

/** Reads the scenarios from the summary, and after it those that are not scored. */
function readScenarios(output: string): readonly Scenario[] {
  const [, summary = "", unscored = ""] = output.split(/=== SUMMARY ===|^Not scored for /m)
  const others = new Set([...unscored.matchAll(/^ +[✓✗] (\S+) \(/gm)].map(([, name]) => name))
  return [...summary.matchAll(/^[✓✗] (\S+): (\d+) passed, (\d+) failed/gm)].map(([, name = "", passed, failed]) => ({
    name,
    passed: Number(passed),
    failed: Number(failed),
    isScored: !others.has(name),
  }))
}

function runSuite(revision: string): Promise<{ readonly code: number | null; readonly output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [suite, "server", "--url", url, "--requirements", revision], {
      env: { ...process.env, NO_COLOR: "1" },
      stdio: ["ignore", "pipe", "pipe"],
    })
    let output = ""
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text
      })
    }
    child.once("error", reject)
    child.once("close", (code) => resolve({ code, output }))
  })
}
