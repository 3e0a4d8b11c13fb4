// Starting commands by hand: a named port or folder is used or refused, and a Nextcloud address is checked.

import { existsSync, readFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { createWorld } from "@holdpoint/testkit/holdpoint/world"
import { describe, expect, it, onTestFinished } from "vitest"
import { startCloud } from "./nextcloud/stage.ts"

/** Occupies a port. Default: any free port. Another process may occupy the port already. */
async function takePort(port = 0): Promise<number> {
  const blocker = createServer((_request, response) => response.writeHead(404).end())
  await new Promise<void>((resolve) => {
    blocker.once("error", () => resolve())
    blocker.listen(port, "127.0.0.1", resolve)
  })
  onTestFinished(() => void blocker.close())
  return port === 0 ? (blocker.address() as AddressInfo).port : port
}

describe("a port that is taken", () => {
  it.each([
    ["serve", ["serve", "--port"], {}],
    ["serve --local", ["serve", "--local", "--port"], {}],
    ["demo", ["demo", "--port"], {}],
    ["nextcloud", ["nextcloud", "--host", "https://cloud.example.org", "--http"], {}],
  ])("is refused when a flag names it: %s", async (_name, argv, env) => {
    const port = await takePort()
    const { code, out, err } = await createWorld().run([...argv, String(port)], { env })
    expect({ code, out }).toEqual({ code: 2, out: "" })
    expect(err).toContain(`Port ${port} of 127.0.0.1 is taken.`)
    expect(err).toContain(`choose another with ${argv.at(-1)}`)
    expect(err).not.toContain("trying")
  })

  it("is refused when the environment names it", async () => {
    const port = await takePort()
    const { code, err } = await createWorld().run(["serve"], { env: { HOLDPOINT_PORT: String(port) } })
    expect(code).toBe(2)
    expect(err).toContain(`Port ${port} of 127.0.0.1 is taken.`)
  })

  it.each(["serve", "demo"])("is skipped with a note when it is the default: %s", async (command) => {
    await takePort(4_650)
    const running = createWorld().start([command])
    await running.prints(/Port 4650 is taken; trying 4651/)
    await running.prints(/http:\/\/127\.0\.0\.1:46\d\d/)
    running.stop()
    expect((await running.done).code).toBe(0)
  })
})

describe("a folder that does not exist", () => {
  it.each([
    ["the database", ["serve", "--local", "--port", "0", "--database", "nope/deeper/x.db"]],
    ["the keys", ["serve", "--local", "--port", "0", "--key-file", "nope/deeper/x.keys"]],
    ["the database", ["ask", "Ready?", "--no-wait", "--database", "nope/deeper/x.db"]],
    [
      "the database",
      ["nextcloud", "--host", "https://cloud.example.org", "--http", "0", "--database", "nope/deeper/x.db"],
    ],
  ])("is not created for %s at a given path: %j", async (what, argv) => {
    const world = createWorld()
    const { code, out, err } = await world.run(argv)
    expect({ code, out }).toEqual({ code: 2, out: "" })
    expect(err).toContain(`There is no folder ${join(world.cwd, "nope", "deeper")}`)
    expect(err).toContain(`name another place for ${what}`)
    expect(existsSync(join(world.cwd, "nope"))).toBe(false)
  })

  it("is created for the default database", async () => {
    const world = createWorld()
    expect((await world.run(["ask", "Ready?", "--no-wait"])).code).toBe(0)
    expect(existsSync(join(world.cwd, ".holdpoint", "holdpoint.db"))).toBe(true)
  })
})

describe("the address of a Nextcloud", () => {
  const start = (host: string, ...more: readonly string[]) =>
    createWorld().start(["nextcloud", "--host", host, "--database", "x.db", ...more], { isTerminal: true })

  it.each([[[]], [["--http", "0"]]])("is checked, and the version that was found is printed: %j", async (more) => {
    const cloud = await startCloud()
    const running = start(cloud.url, ...more)
    const [greeting] = await running.prints(/Found Nextcloud [\d.]+ at \S+/)
    expect(greeting).toContain(cloud.url)
    running.stop()
    const { out, err } = await running.done
    expect(`${out}${err}`).toContain("In Claude Code:")
    expect(err).not.toContain("✘")
  })

  it.each([[[]], [["--http", "0"]]])("is checked, and a missing Nextcloud is reported: %j", async (more) => {
    const port = await takePort()
    const running = start(`http://127.0.0.1:${port}`, ...more)
    await running.prints(/✘ /)
    await running.prints(/No call will work until that is fixed/)
    running.stop()
    await running.done
  })
})

describe("npm start --reset", () => {
  it("starts fresh, although npm consumes the flag", async () => {
    const world = createWorld()
    const start = async (env: Readonly<Record<string, string>>) => {
      const running = world.start(["demo", "--port", "0"], { env })
      await running.prints(/Open http/)
      running.stop()
      await running.done
      return readFileSync(join(world.cwd, ".holdpoint", "demo", "demo.keys"), "utf8")
    }
    const first = await start({})
    expect(await start({})).toBe(first)
    expect(await start({ npm_config_reset: "true" })).not.toBe(first)
  })
})
