// The suite passes on an honest server in every revision, and fails on each faulty server exactly where its fault is.

import { faultyTarget } from "@holdpoint/testkit/url-mode-conformance/faulty/server"
import { verifies } from "@holdpoint/testkit/verifies"
import { beforeAll, describe, expect, it } from "vitest"
import type { UrlModeReport, UrlModeRevision } from "../src/index.ts"
import { checkUrlMode, urlModeChecks, urlModeRevisions } from "../src/index.ts"
import { type Fault, faults } from "./faulty/faults.ts"

const failedIn = (report: UrlModeReport | undefined): ReadonlySet<string> =>
  new Set(report?.results.filter(({ outcome }) => outcome === "failed").map(({ id }) => id))

describe("an honest server", () => {
  it.each(["push", "error"] as const)("passes every check that applies when it asks by %s", async (urlWay) => {
    const { results, failed } = await checkUrlMode(faultyTarget({ urlWay }))
    const other = results.filter(({ outcome }) => outcome !== "passed")
    expect({ failed, skipped: other.map(({ id }) => id) }).toEqual({
      failed: 0,
      skipped:
        urlWay === "push"
          ? ["url-error"]
          : ["answer-url-decline", "answer-url-cancel", "answer-decline-no-success", "flow-one-prompt"],
    })
  })
})

describe("a server that", () => {
  // Runs all faulty servers in parallel, because each run mostly waits for messages that do not come.
  const reports = new Map<string, UrlModeReport>()
  beforeAll(async () => {
    const runChecks = async ({ name, fault, fails, in: revisions = revisionsOf(fails) }: Fault) =>
      reports.set(name, await checkUrlMode(faultyTarget(fault), { revisions }))
    await Promise.all(faults.map(runChecks))
  }, 60_000)

  verifies.each("mcp.url-suite-finds")(faults)("$name fails there and nowhere else", ({ name, fails }) => {
    expect([...failedIn(reports.get(name))].sort()).toEqual([...fails].sort())
  })

  verifies("mcp.url-suite-finds", "has one of at least 12 faults", () => {
    expect(faults.filter(({ fails }) => fails.length > 0).length).toBeGreaterThanOrEqual(12)
  })
})

describe("the checks", () => {
  verifies("mcp.url-suite", "are at least 40, each with a unique id and a section of a specification", () => {
    expect(urlModeChecks.length).toBeGreaterThanOrEqual(40)
    expect(new Set(urlModeChecks.map(({ id }) => id)).size).toBe(urlModeChecks.length)
    expect(urlModeChecks.filter(({ spec }) => Object.keys(spec).length === 0)).toEqual([])
  })
})

/** The smallest set of revisions that covers these checks, newest first. */
function revisionsOf(ids: readonly string[]): readonly UrlModeRevision[] {
  const open = new Set(ids)
  return urlModeRevisions.filter((revision) => {
    const applicable = urlModeChecks.filter(({ id, spec }) => open.has(id) && spec[revision] !== undefined)
    return applicable.filter(({ id }) => open.delete(id)).length > 0
  })
}
