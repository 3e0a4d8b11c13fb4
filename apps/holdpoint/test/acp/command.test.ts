// The command line of `holdpoint acp`: the choice of the agent, and the errors.

import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { createWorld, type World } from "@holdpoint/testkit/holdpoint/world"
import { describe, expect, it } from "vitest"

const hello = { jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: 1, clientCapabilities: {} } }

/** Writes settings with agents of these names, and returns the path. */
function writeSettings({ cwd }: World, names: readonly string[], more = ""): string {
  const folder = join(cwd, "project")
  mkdirSync(folder, { recursive: true })
  const agents = names.map((name) => `${name}: { model: { specificationVersion: "v4" } }`).join(", ")
  const file = join(folder, "holdpoint.config.mjs")
  writeFileSync(file, `export default { agents: { agents: { ${agents} } }, ${more} }`)
  return file
}

describe("holdpoint acp", () => {
  it("runs the only agent, stores its sessions beside the settings, and ends with its editor", async () => {
    const world = createWorld()
    const config = writeSettings(world, ["helper"])
    const running = world.start(["acp", "--config", config])
    running.stdin.write(`${JSON.stringify(hello)}\n`)
    await running.prints(/agentInfo/)
    running.stdin.end()
    const { code, out, err } = await running.done
    expect([code, err]).toEqual([0, ""])
    expect(JSON.parse(out)).toMatchObject({ id: 1, result: { agentInfo: { name: "holdpoint-helper" } } })
    expect(existsSync(join(world.cwd, "project", ".holdpoint", "holdpoint.db"))).toBe(true)
    expect(existsSync(join(world.cwd, ".holdpoint"))).toBe(false)
  })

  it.each([
    ["an unknown agent, with the nearest name", ["--agent", "helpr"], /no agent “helpr”.*Did you mean helper\?/s],
    ["no agent where there are several", [], /Which agent\?.*--agent NAME\. There are: helper, critic\./s],
    ["an extra word", ["helper"], /one word too many/],
    ["a flag that other servers have", ["--http", "0"], /no flag --http/],
  ])("refuses %s", async (_what, argv, words) => {
    const world = createWorld()
    const config = writeSettings(world, ["helper", "critic"])
    const { code, out, err } = await world.run(["acp", "--config", config, ...argv])
    expect([code, out]).toEqual([2, ""])
    expect(err).toMatch(words)
  })

  it("refuses settings without agents, and says where to write them", async () => {
    const { code, out, err } = await createWorld().run(["acp"])
    expect([code, out]).toEqual([2, ""])
    expect(err).toMatch(/The settings have no agents\..*--config FILE/s)
  })

  it("refuses a callback URL that leads elsewhere", async () => {
    const world = createWorld()
    const config = writeSettings(world, ["helper"], 'callbackUrl: "https://hub.example.org/oauth/callback"')
    const { code, err } = await world.run(["acp", "--config", config])
    expect(code).toBe(2)
    expect(err).toContain("must return to this machine")
  })

  it("says on a terminal that an editor starts it", async () => {
    const world = createWorld()
    const config = writeSettings(world, ["helper"])
    const running = world.start(["acp", "--config", config], { isTerminal: true })
    await running.prints(/An editor starts this command/)
    running.stop()
    expect((await running.done).code).toBe(0)
  })

  it("prints help that has the settings for an editor", async () => {
    const { code, out } = await createWorld().run(["acp", "--help"])
    expect(code).toBe(0)
    for (const words of ["--agent NAME", "agent_servers", "sessions are kept"]) expect(out).toContain(words)
  })
})
