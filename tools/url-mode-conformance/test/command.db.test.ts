// The command against honest and faulty servers on this machine: its output and its exit code.

import { readFileSync } from "node:fs"
import { join } from "node:path"
import { honest as behaviour } from "@holdpoint/testkit/url-mode-conformance/faulty/behaviour"
import { flags, type RunningServer, serveFaulty } from "@holdpoint/testkit/url-mode-conformance/faulty/serve"
import { verifies } from "@holdpoint/testkit/verifies"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type CommandResult, createWorld } from "./world.ts"

const people = ["--token", "token-of-the-first", "--look", "1s", "--timeout", "2s"]

let honest: RunningServer
let faulty: RunningServer
beforeAll(async () => {
  honest = await serveFaulty()
  faulty = await serveFaulty({ urlParams: (params) => ({ ...params, message: "" }) })
})
afterAll(() => {
  for (const server of [honest, faulty]) server.close()
})

const run = ({ url }: RunningServer, ...more: readonly string[]): Promise<CommandResult> =>
  createWorld().run("--url", url, ...flags, ...more)

describe("url-mode-conformance", () => {
  verifies(
    "mcp.url-suite-command",
    "exits with 0 when every check passes, and says what was skipped and why",
    async () => {
      const checks = ["url", "link-forwarded", "state-altered"].flatMap((id) => ["--check", id])
      const { code, out, err } = await run(honest, ...checks)
      expect(err).toBe("")
      expect(out).toMatch(/^2026-07-28\n {2}✔ url-asked/)
      expect(out).toContain("✔ state-altered")
      expect(out).toContain("skipped: no command is known that finishes a link (--finish)")
      expect(out).toMatch(/\n\d+ passed, 0 failed, 3 skipped\n$/)
      expect(code).toBe(0)
    },
  )

  verifies(
    "mcp.url-suite-command",
    "exits with 1 and says what was expected, what came, and which section says so",
    async () => {
      const { code, out } = await run(faulty, "--check", "url-message", "--revision", "2025-11-25")
      expect(out).toContain("✘ url-message")
      expect(out).toMatch(/expected +a message that explains the question/)
      expect(out).toMatch(/MUST +https:\/\/modelcontextprotocol\.io\/specification\/2025-11-25\/client\/elicitation#/)
      expect(code).toBe(1)
    },
  )

  it("writes a report, and prints it as JSON", async () => {
    const world = createWorld()
    const more = ["--check", "address", "--must-only", "--report", "found.json", "--json"]
    const { code, out } = await world.run("--url", honest.url, ...flags, ...more)
    const report = JSON.parse(readFileSync(join(world.cwd, "found.json"), "utf8"))
    expect(JSON.parse(out)).toEqual(report)
    expect(report).toMatchObject({ url: honest.url, failed: 0, unspoken: [] })
    expect(report.results.map(({ level }: { level: string }) => level)).not.toContain("should")
    expect(code).toBe(0)
  })

  it("looks for tools that ask when none is named", async () => {
    const check = ["--check", "url-asked", "--revision", "2026-07-28"]
    const { code, out } = await createWorld().run("--url", honest.url, ...people, ...check)
    expect(out).toContain("1 passed, 0 failed, 0 skipped")
    expect(code).toBe(0)
  })

  it("runs the command that finishes a link", async () => {
    const program =
      "require('fs').appendFileSync('seen.txt',process.env.HOLDPOINT_PERSON+' '+process.env.HOLDPOINT_LINK)"
    const world = createWorld()
    const finish = ["--finish", `"${process.execPath}" -e "${program}"`, "--check", "link-forwarded"]
    const { code } = await world.run("--url", honest.url, ...flags, ...finish, "--revision", "2026-07-28")
    expect(readFileSync(join(world.cwd, "seen.txt"), "utf8")).toMatch(
      /^second http:\/\/127\.0\.0\.1:4000\/visit\/[\w-]+$/,
    )
    expect(code).toBe(0)
  })

  it("lists the checks", async () => {
    const { code, out } = await createWorld().run("--list")
    expect(out.split("\n").length).toBeGreaterThan(40)
    expect(code).toBe(0)
  })

  it("prints its flags and its version", async () => {
    const help = await createWorld().run("--help")
    expect(help.out).toMatch(/^npx @holdpoint\/url-mode-conformance --url URL \[flags\]\n/)
    for (const flag of ["--second-token TOKEN", "--check ID", "--json", "--version"]) expect(help.out).toContain(flag)
    const { code, out } = await createWorld().run("--version")
    expect(out).toMatch(/^\d+\.\d+\.\d+\n$/)
    expect([help.code, code]).toEqual([0, 0])
  })

  it("exits with 1 when no check applies", async () => {
    const { code, out } = await run(honest, "--check", "url-asked", "--revision", "2025-06-18")
    expect(out).toContain("Nothing could be checked: no check applies.")
    expect(code).toBe(1)
  })

  it("exits with 1 when the server speaks none of the revisions", async () => {
    const { code, out } = await createWorld().run("--url", honest.url)
    expect(out).toContain(
      "2025-11-25  skipped: the server does not speak 2025-11-25: it answers initialize with HTTP 401",
    )
    expect(out).toContain("Nothing could be checked: the server speaks none of these revisions.")
    expect(code).toBe(1)
  })

  it("exits with 1 and says so when the server stops asking", async () => {
    let asked = 0
    const limited = await serveFaulty({ canAsk: (...question) => ++asked <= 3 && behaviour.canAsk(...question) })
    const { code, out } = await run(limited, "--check", "url", "--check", "address", "--revision", "2026-07-28")
    limited.close()
    expect(out).toMatch(
      /! address-valid .*\n +could not run: connect asked in url mode before, but not any more: it gave/,
    )
    expect(out).toMatch(
      /\n3 passed, 0 failed, 8 could not run, 0 skipped\nThe server stopped asking, probably at a limit\./,
    )
    expect(code).toBe(1)
  })

  it("exits with 1 and names the flag when no tool is named and none is found", async () => {
    const silent = await serveFaulty({ canAsk: () => false })
    const { code, out } = await createWorld().run("--url", silent.url, ...people, "--check", "url")
    silent.close()
    expect(out).toContain("0 passed, 0 failed, 10 could not run, 0 skipped")
    expect(out).toContain("Name a tool that asks in url mode with --tool, and its arguments with --args.")
    expect(code).toBe(1)
  })

  it("exits with 1 when no server answers", async () => {
    const { code, err } = await createWorld().run("--url", "http://127.0.0.1:9/mcp")
    expect(err).toMatch(
      /^url-mode-conformance: http:\/\/127\.0\.0\.1:9\/mcp cannot be reached: [^\n]+\nIs the server running there\?\n$/,
    )
    expect(code).toBe(1)
  })

  it("stops between two checks on a signal", async () => {
    const { code, out, err } = await createWorld(AbortSignal.abort("SIGINT")).run("--url", honest.url, ...flags)
    expect({ code, out, err }).toEqual({ code: 1, out: "", err: "Stopped.\n" })
  })

  it("prints no control characters, whatever the server sends", async () => {
    const hostile = await serveFaulty({ urlParams: (params) => ({ ...params, mode: "\u001b[2J\u202eurl" }) })
    const { out } = await run(hostile, "--check", "url-asked", "--revision", "2026-07-28")
    hostile.close()
    expect(out).toContain("\ufffd[2J\ufffdurl")
    for (const obeyed of ["\u001b", "\u202e"]) expect(out).not.toContain(obeyed)
  })

  it.each([
    [[], "Write: npx @holdpoint/url-mode-conformance --url"],
    [["--url", "localhost"], "is not a web address"],
    [["--url", "http://a.example", "--args", "{}"], "Write --tool NAME, too."],
    [["--url", "http://a.example", "--tool", "a", "--args", "{"], "What follows --args is not JSON."],
    [["--url", "http://a.example", "--tool", "a", "--args", "[]"], "What follows --args is not a JSON object."],
    [["--url", "http://a.example", "--revision", "2026-07-82"], "Did you mean 2026-07-28?"],
    [["--url", "http://a.example", "--check", "state-alter2d"], "Did you mean state-altered?"],
    [
      ["--url", "http://a.example", "--check", "nothing-like-it"],
      "`npx @holdpoint/url-mode-conformance --list` lists them.",
    ],
    [["--url", "http://a.example", "--timeout", "long"], "Write --timeout 30s or 2m."],
    [["--url", "http://a.example", "--url", "http://b.example"], "--url is given 2 times."],
    [["--uri", "http://a.example"], "Unknown option '--uri'.\n--help lists the flags."],
    [["--url"], "argument missing"],
    [["http://a.example"], "Unexpected argument 'http://a.example'."],
  ])("says what is wrong with %j", async (argv, words) => {
    const { code, err } = await createWorld().run(...argv)
    expect(err).toContain(words)
    expect(code).toBe(2)
  })
})
