// `holdpoint conformance` passes its flags to the package with the checks, and exits as every command does.

import { readFileSync } from "node:fs"
import { join } from "node:path"
import { createWorld } from "@holdpoint/testkit/holdpoint/world"
import { flags, type RunningServer, serveFaulty } from "@holdpoint/testkit/url-mode-conformance/faulty/serve"
import { afterAll, beforeAll, describe, expect, it } from "vitest"

let honest: RunningServer
beforeAll(async () => {
  honest = await serveFaulty()
})
afterAll(() => honest.close())

describe("holdpoint conformance", () => {
  it("checks a server, prints the results and writes a report", async () => {
    const world = createWorld()
    const more = ["--check", "state-altered", "--check", "link-forwarded", "--report", "found.json"]
    const { code, out, err } = await world.run(["conformance", "--url", honest.url, ...flags, ...more])
    expect(err).toBe("")
    expect(out).toMatch(/^2026-07-28\n {2}✔ state-altered/)
    expect(out).toMatch(/\n1 passed, 0 failed, 2 skipped\n$/)
    expect(JSON.parse(readFileSync(join(world.cwd, "found.json"), "utf8"))).toMatchObject({ passed: 1, skipped: 2 })
    expect(code).toBe(0)
  })

  it("takes the token from the environment", async () => {
    const argv = ["conformance", "--url", honest.url, "--tool", "connect", "--check", "url-asked", "--look", "1s"]
    const { out } = await createWorld().run(argv, { env: { HOLDPOINT_CONFORMANCE_TOKEN: "token-of-the-first" } })
    expect(out).toContain("2 passed, 0 failed, 0 skipped")
  })

  it("is explained by help", async () => {
    const { code, out } = await createWorld().run(["help", "conformance"])
    expect(out).toMatch(/^holdpoint conformance --url URL \[flags\]\n/)
    expect(out).toContain("holdpoint conformance --url http://127.0.0.1:3000/mcp --tool connect")
    expect(code).toBe(0)
  })

  it("exits with 1 when no server answers", async () => {
    const { code, err } = await createWorld().run(["conformance", "--url", "http://127.0.0.1:9/mcp"])
    expect(err).toMatch(
      /^holdpoint: http:\/\/127\.0\.0\.1:9\/mcp cannot be reached: [^\n]+\nIs the server running there\?\n$/,
    )
    expect(code).toBe(1)
  })

  it.each([
    [[], "holdpoint: Which server?\nWrite: holdpoint conformance --url"],
    [["--url", "http://a.example", "--check", "state-alter2d"], "Did you mean state-altered?"],
    [["--url", "http://a.example", "--chek", "url"], "Did you mean --check?"],
  ])("exits with 2 and says what is wrong with %j", async (argv, words) => {
    const { code, err } = await createWorld().run(["conformance", ...argv])
    expect(err).toContain(words)
    expect(code).toBe(2)
  })
})
