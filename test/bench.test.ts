// A small benchmark run works and returns the expected rows. It does not test speed. Areas with child processes take
// most of the time, so only the long run includes them.

import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { isLong, usually } from "@holdpoint/testkit/long"
import { expect, it } from "vitest"
import { areas, runBench } from "../bench/bench.ts"
import { tiny } from "../bench/sizes.ts"
import { targets } from "../bench/targets.ts"
import { packOnce } from "./packed.ts"

const inThisProcess = ["core", "growth", "vault", "agents", "shell"]
/** The Nextcloud server has a separate run, below. */
const measured = usually(inThisProcess, { long: Object.keys(areas).filter((name) => name !== "nextcloud") })

/** A part of the names of rows that an area returns. */
const rowsOf: Readonly<Record<string, readonly string[]>> = {
  core: ["wake", "heap", "idle", "cross-process", "polling"],
  growth: ["settled"],
  vault: ["call/connection", "page/connect", "rewrap"],
  agents: ["agents/"],
  shell: ["shell/call/more", "shell/answer", "shell/continued"],
  mcp: ["mcp/modern", "mcp/answer", "mcp/held"],
  people: ["people/"],
  a2a: ["a2a/task"],
  start: ["start/notes"],
}

it("measures round trips, wake-ups, memory and idling beside bare transactions and polling", async () => {
  const folder = await mkdtemp(join(tmpdir(), "holdpoint-bench-"))
  try {
    const rows = await runBench({ sizes: tiny, only: measured, folder, engines: ["memory", "sqlite"] })
    const named = new Map(rows.map((row) => [row.name, row]))
    expect(named.size).toBe(rows.length)
    for (const name of ["bare", "c1"]) {
      expect(named.get(`sqlite/round-trips/${name}`), name).toMatchObject({ unit: "/s", value: expect.any(Number) })
      expect(named.get(`sqlite/round-trips/${name}`)?.value, name).toBeGreaterThan(0)
    }
    const { ratio, baseline } = named.get("sqlite/round-trips/c1") ?? {}
    expect(baseline).toBe("sqlite/round-trips/bare")
    expect(ratio).toBeGreaterThan(0)
    for (const what of ["sweep", "open-list", "c1"])
      expect(named.get(`sqlite/settled/50/${what}`)?.value, what).toBeGreaterThan(0)
    expect(named.get("sqlite/settled/50/c1")).toMatchObject({
      baseline: "sqlite/settled/10/c1",
      ratio: expect.any(Number),
    })
    for (const part of measured.flatMap((area) => rowsOf[area]!)) {
      expect(
        rows.some(({ name }) => name.includes(part)),
        part,
      ).toBe(true)
    }
    expect(named.get("sqlite/cross-process/missed")?.value).toBe(0)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

it.runIf(isLong)(
  "measures the server of Nextcloud beside bare ones: calls, requests, starts, memory and lists",
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "holdpoint-bench-"))
    try {
      const { folder: packages } = await packOnce()
      const sizes = { ...tiny, toolConcurrencies: [32] }
      const rows = await runBench({ sizes, only: ["nextcloud"], folder, packages })
      const named = new Map(rows.map((row) => [row.name, row]))
      expect(named.size).toBe(rows.length)
      for (const { name, of } of targets.filter((target) => target.name.startsWith("nextcloud/"))) {
        expect(named.get(name)?.[of], name).toBeGreaterThan(0)
        const { baseline } = named.get(name) ?? {}
        if (of === "ratio") expect(named.has(`${baseline}`), name).toBe(true)
      }
      expect(named.get("nextcloud/start/cold/ours")?.ratio).toBeGreaterThan(0)
      // Every tool has a row, and most that read make one request.
      const counted = rows.filter(({ name }) => /^nextcloud\/requests\/nc_\w+$/.test(name))
      expect(counted).toHaveLength((named.get("nextcloud/list/all/tools")?.value ?? 0) - 1)
      expect(named.get("nextcloud/requests/nc_notes_list_notes")?.value).toBe(1)
      expect(named.get("nextcloud/requests/reads-with-one")?.value).toBeGreaterThan(50)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
)
