// When `holdpoint demo` opens the browser, and which model it names.

import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs"
import { delimiter, join } from "node:path"
import { createWorld, type WorldOptions } from "@holdpoint/testkit/holdpoint/world"
import { afterEach, describe, expect, it, vi } from "vitest"

const before = process.env.PATH
afterEach(() => {
  process.env.PATH = before
})

/** Runs the demo with a desktop's URL opener, and stops the demo after its output is complete. */
async function start(argv: readonly string[], options: WorldOptions) {
  const world = createWorld()
  for (const program of ["xdg-open", "open"]) {
    writeFileSync(join(world.cwd, program), `#!/bin/sh\nprintf '%s\\n' "$1" >> "${world.cwd}/opened"\n`)
    chmodSync(join(world.cwd, program), 0o755)
  }
  process.env.PATH = `${world.cwd}${delimiter}${before}`
  const demo = world.start(["demo", "--port", "0", ...argv], options)
  const [, url = ""] = await demo.prints(/Open (http:\/\/127\.0\.0\.1:\d+)/)
  await demo.prints(/In Claude Code/)
  const file = join(world.cwd, "opened")
  const isOpened = (): boolean => existsSync(file)
  return {
    ...{ url, isOpened, demo, opened: () => readFileSync(file, "utf8").trim() },
    async stop() {
      demo.stop()
      return demo.done
    },
  }
}

const desktop = { env: { DISPLAY: ":0" }, isTerminal: true }

describe("the browser", { timeout: 30_000 }, () => {
  it("is opened with the one address, from a terminal on a desktop", async () => {
    const { url, isOpened, opened, stop } = await start([], desktop)
    await vi.waitFor(() => expect(isOpened()).toBe(true), { timeout: 10_000 })
    expect(opened()).toBe(url)
    expect((await stop()).out).toContain("The page was opened in your browser")
  })

  it.each<[string, readonly string[], WorldOptions]>([
    ["with --no-open", ["--no-open"], desktop],
    ["without a terminal", [], { env: { DISPLAY: ":0" } }],
    ["without a screen", [], { env: {}, isTerminal: true }],
    ["in CI", [], { env: { DISPLAY: ":0", CI: "true" }, isTerminal: true }],
    ["with `npm start --no-open`", [], { env: { DISPLAY: ":0", npm_config_open: "" }, isTerminal: true }],
    ["where the settings forbid it", [], { env: { DISPLAY: ":0", HOLDPOINT_OPEN_BROWSER: "false" }, isTerminal: true }],
  ])("is not opened %s, and nothing waits for it", async (_when, argv, options) => {
    const { isOpened, stop } = await start(argv, options)
    const { code, out } = await stop()
    expect({ code, isOpened: isOpened() }).toEqual({ code: 0, isOpened: false })
    expect(out).not.toContain("opened in your browser")
  })
})

describe("the model", { timeout: 30_000 }, () => {
  it("is named in the terminal and on the page, and its key in neither", async () => {
    const key = "sk-canary-4711"
    const env = { OPENAI_API_KEY: key, OPENAI_MODEL: "grand-1" }
    const { url, stop } = await start([], { env })
    const page = await (await fetch(url)).text()
    expect(page).toContain("<b>grand-1</b> at api.openai.com answers here.")
    expect(page).not.toContain("A scripted model")
    const { out, err } = await stop()
    expect(out).toContain("grand-1 at api.openai.com")
    expect(`${page}${out}${err}`).not.toContain(key)
  })

  it("is the script with --scripted, whatever the environment says", async () => {
    const { url, stop } = await start(["--scripted"], { env: { OPENAI_API_KEY: "sk-canary-4712" } })
    expect(await (await fetch(url)).text()).toContain("A scripted model answers here")
    expect((await stop()).out).toContain("a script, not a real one")
  })
})
