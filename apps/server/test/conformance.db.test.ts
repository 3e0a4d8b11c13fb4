// `holdpoint conformance` against servers on this machine, honest and not: what is printed, and with which exit code.

import { readFileSync } from "node:fs"
import type { Server } from "node:http"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { getRequestListener } from "@hono/node-server"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { verifies } from "../../../packages/holdpoint/test/verifies.ts"
import type { Behaviour } from "../../../packages/url-mode-conformance/test/faulty/behaviour.ts"
import { faultyTarget } from "../../../packages/url-mode-conformance/test/faulty/server.ts"
import { createWorld } from "./world.ts"

const servers: Server[] = []

async function start(fault: Partial<Behaviour> = {}): Promise<string> {
  const { fetch } = faultyTarget(fault)
  const listener = getRequestListener((request) => {
    const { pathname, search } = new URL(request.url)
    const { method, headers, body } = request
    return fetch(`http://127.0.0.1:4000${pathname}${search}`, { method, headers, body, duplex: "half" } as RequestInit)
  })
  const server = createServer((request, response) => void listener(request, response))
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
}

const connect = ["--tool", "connect", "--args", '{"account":"notes"}', "--form-tool", "greet", "--done", "connected"]
const people = ["--token", "token-of-the-first", "--second-token", "token-of-the-second"]
const quick = ["--look", "1s", "--timeout", "2s"]

let honest = ""
let faulty = ""
beforeAll(async () => {
  honest = await start()
  faulty = await start({ urlParams: (params) => ({ ...params, message: "" }) })
})
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
})

const run = (url: string, ...more: readonly string[]) =>
  createWorld().run(["conformance", "--url", url, ...connect, ...people, ...quick, ...more])

describe("holdpoint conformance", () => {
  verifies(
    "mcp.url-suite-command",
    "ends with 0 when all that was checked holds, and says what was skipped and why",
    async () => {
      const { code, out, err } = await run(
        honest,
        "--check",
        "url",
        "--check",
        "link-forwarded",
        "--check",
        "state-altered",
      )
      expect(err).toBe("")
      expect(out).toMatch(/^2026-07-28\n {2}✔ url-asked/)
      expect(out).toContain("✔ state-altered")
      expect(out).toContain("skipped: nothing finishes what a link asks for (a finish hook)")
      expect(out).toMatch(/\n\d+ passed, 0 failed, 3 skipped\n$/)
      expect(code).toBe(0)
    },
  )

  verifies(
    "mcp.url-suite-command",
    "ends with 1 and says what was expected, what came, and where it is written",
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
    const flags = [
      ...connect,
      ...people,
      ...quick,
      "--check",
      "address",
      "--must-only",
      "--report",
      "found.json",
      "--json",
    ]
    const { code, out } = await world.run(["conformance", "--url", honest, ...flags])
    const report = JSON.parse(readFileSync(join(world.cwd, "found.json"), "utf8"))
    expect(JSON.parse(out)).toEqual(report)
    expect(report).toMatchObject({ url: honest, failed: 0, unspoken: [] })
    expect(report.results.map(({ level }: { level: string }) => level)).not.toContain("should")
    expect(code).toBe(0)
  })

  it("looks for tools that ask when none is named", async () => {
    const flags = [...people, ...quick, "--check", "url-asked", "--revision", "2026-07-28"]
    const { code, out } = await createWorld().run(["conformance", "--url", honest, ...flags])
    expect(out).toContain("1 passed, 0 failed, 0 skipped")
    expect(code).toBe(0)
  })

  it("runs the command that finishes what a link asks for", async () => {
    const program =
      "require('fs').appendFileSync('seen.txt',process.env.HOLDPOINT_PERSON+' '+process.env.HOLDPOINT_LINK)"
    const world = createWorld()
    const finish = ["--finish", `"${process.execPath}" -e "${program}"`, "--check", "link-forwarded"]
    const flags = [...connect, ...people, ...quick, ...finish, "--revision", "2026-07-28"]
    const { code } = await world.run(["conformance", "--url", honest, ...flags])
    expect(readFileSync(join(world.cwd, "seen.txt"), "utf8")).toMatch(
      /^second http:\/\/127\.0\.0\.1:4000\/visit\/[\w-]+$/,
    )
    expect(code).toBe(0)
  })

  it("lists the checks", async () => {
    const { code, out } = await createWorld().run(["conformance", "--list"])
    expect(out.split("\n").length).toBeGreaterThan(40)
    expect(code).toBe(0)
  })

  it("ends with 1 when there is nothing it could check", async () => {
    const { code, out } = await run(honest, "--check", "url-asked", "--revision", "2025-06-18")
    expect(out).toContain("Nothing could be checked.")
    expect(code).toBe(1)
  })

  it("ends with 1 where no server answers", async () => {
    const { code, err } = await createWorld().run(["conformance", "--url", "http://127.0.0.1:9/mcp", ...quick])
    expect(err).toMatch(/http:\/\/127\.0\.0\.1:9\/mcp cannot be reached: [^\n]+\nIs the server running there\?\n/)
    expect(code).toBe(1)
  })

  it.each([
    [[], "Write: holdpoint conformance --url"],
    [["--url", "localhost"], "is no web address"],
    [["--url", "http://a.example", "--args", "{}"], "Write --tool NAME, too."],
    [["--url", "http://a.example", "--tool", "a", "--args", "{"], "What follows --args is no JSON."],
    [["--url", "http://a.example", "--tool", "a", "--args", "[]"], "What follows --args is no object."],
    [["--url", "http://a.example", "--revision", "2026-07-82"], "Did you mean 2026-07-28?"],
    [["--url", "http://a.example", "--check", "state-alter2d"], "Did you mean state-altered?"],
    [["--url", "http://a.example", "--timeout", "long"], "Write --timeout 30s or 2m."],
  ])("says what is wrong with %j", async (flags, words) => {
    const { code, err } = await createWorld().run(["conformance", ...flags])
    expect(err).toContain(words)
    expect(code).toBe(2)
  })
})
