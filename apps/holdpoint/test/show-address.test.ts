// When the person's browser is opened, and when the terminal is used instead.

import { chmodSync, readFileSync, writeFileSync } from "node:fs"
import { delimiter, join } from "node:path"
import { openJarBrowser } from "@holdpoint/testkit/holdpoint/pages/browser"
import { createWorld } from "@holdpoint/testkit/holdpoint/world"
import { afterEach, describe, expect, it, vi } from "vitest"
import { browserOf } from "../src/show-address.ts"

describe("the person's browser", () => {
  it.each([
    ["linux", { DISPLAY: ":0" }, ["xdg-open"]],
    ["freebsd", { WAYLAND_DISPLAY: "wayland-0" }, ["xdg-open"]],
    ["darwin", {}, ["open"]],
    ["win32", {}, ["rundll32", "url.dll,FileProtocolHandler"]],
  ] as const)("is opened on %s with %j", (platform, env, command) => {
    expect(browserOf({ platform, env })).toEqual(command)
  })

  it.each([
    ["linux", {}],
    ["linux", { DISPLAY: "" }],
    ["linux", { DISPLAY: ":0", CI: "true" }],
    ["darwin", { CI: "1" }],
    ["darwin", { VITEST: "true" }],
    ["darwin", { SSH_CONNECTION: "10.0.0.1 50000 10.0.0.2 22" }],
  ] as const)("is not opened on %s with %j", (platform, env) => {
    expect(browserOf({ platform, env })).toBeUndefined()
  })
})

describe("holdpoint serve --local", () => {
  const before = process.env.PATH
  afterEach(() => {
    process.env.PATH = before
  })

  /** Requests the page, with nothing but the address. */
  async function askToSee(address: string) {
    const browser = openJarBrowser()
    const page = await browser.open(`${address}/inbox`)
    return page.status === 403 ? browser.submit(page, { do: "show" }) : page
  }

  const start = (world: ReturnType<typeof createWorld>, options: Parameters<typeof world.start>[1]) =>
    world.start(["serve", "--local", "--port", "0"], options)

  /** Installs the desktop's opener, which exits with this status. */
  function installOpener(folder: string, status: number): () => string {
    for (const program of ["xdg-open", "open"]) {
      writeFileSync(join(folder, program), `#!/bin/sh\nprintf '%s\\n' "$1" >> "${folder}/opened"\nexit ${status}\n`)
      chmodSync(join(folder, program), 0o755)
    }
    process.env.PATH = `${folder}${delimiter}${before}`
    return () => readFileSync(join(folder, "opened"), "utf8").trim()
  }

  it("opens the browser with a key that appears nowhere else", async () => {
    const world = createWorld()
    const opened = installOpener(world.cwd, 0)
    const pages = start(world, { env: { DISPLAY: ":0" } })
    const [, address = ""] = await pages.prints(/Holdpoint is at (\S+) /)
    expect((await askToSee(address)).text).toContain("Continue there")
    await vi.waitFor(opened, { timeout: 10_000 })
    expect((await openJarBrowser().open(opened())).status).toBe(200)
    pages.stop()
    const { out, err } = await pages.done
    expect(`${out}${err}`).not.toContain(new URL(opened()).searchParams.get("key"))
  })

  it("prints the address on the terminal where the browser cannot be opened, or must not", async () => {
    for (const env of [{ DISPLAY: ":0" }, { DISPLAY: ":0", HOLDPOINT_OPEN_BROWSER: "false" }, {}]) {
      const world = createWorld()
      installOpener(world.cwd, 3)
      const pages = start(world, { env, isTerminal: true })
      const [, address = ""] = await pages.prints(/Holdpoint is at (\S+) /)
      expect((await askToSee(address)).text).toContain("Continue there")
      const [, shown = ""] = await pages.prints(/Open this in your browser, once: (\S+)/)
      expect((await openJarBrowser().open(shown)).status).toBe(200)
      pages.stop()
      await pages.done
    }
  })

  it("accepts a question's link without a key where there is neither a browser nor a terminal", async () => {
    const world = createWorld()
    installOpener(world.cwd, 0)
    const pages = start(world, { env: { DISPLAY: ":0", HOLDPOINT_OPEN_BROWSER: "false" } })
    const [, address = ""] = await pages.prints(/Holdpoint is at (\S+) /)
    const asking = world.start(["ask", "Ready?", "--no-wait", "--json"])
    const { out } = await asking.done
    const { id } = JSON.parse(out) as { readonly id: string }
    expect((await openJarBrowser().open(`${address}/inbox/${id}`)).text).toContain("Ready?")
    expect((await askToSee(address)).status).toBe(404)
    pages.stop()
    await pages.done
  })
})
