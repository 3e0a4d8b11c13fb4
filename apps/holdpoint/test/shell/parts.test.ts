// `holdpoint shell init`, `validate` and `run`, and the errors of the command.

import { chmodSync, existsSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { asks, createShellWorld, echo } from "./tools.ts"

describe("holdpoint shell init", () => {
  it("creates a valid tool", async () => {
    const { cwd, run } = createShellWorld()
    const { code, out } = await run(["init"])
    expect(code).toBe(0)
    expect(out).toContain(`holdpoint shell run hello --args '{"name": "Ada"}' --dir tools`)
    expect(statSync(join(cwd, "tools/hello/tool.sh")).mode & 0o777).toBe(0o755)
    const checked = await run(["validate", "tools", "--json"])
    expect(checked.code).toBe(0)
    expect(JSON.parse(checked.out)).toMatchObject({ tools: [{ name: "hello" }], problems: [], notes: [] })
  })

  it("overwrites nothing", async () => {
    const { cwd, write, run } = createShellWorld()
    write("tools/hello/tool.sh", "mine")
    const { code, err } = await run(["init"])
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining("exists already. Nothing was written.") })
    expect(readFileSync(join(cwd, "tools/hello/tool.sh"), "utf8")).toBe("mine")
    expect(existsSync(join(cwd, "tools/hello/tool.meta.json"))).toBe(false)
  })

  it("adds to the tools of a project", async () => {
    const { cwd, write, run } = createShellWorld()
    write("project/tools/echo/tool.sh", echo)
    expect((await run(["init", "project"])).code).toBe(0)
    expect(existsSync(join(cwd, "project/tools/hello/tool.sh"))).toBe(true)
  })
})

describe("holdpoint shell validate", () => {
  it("lists the tools and every problem with what to do, and then fails", async () => {
    const { write, run } = createShellWorld()
    write("tools/echo/tool.sh", echo)
    write("tools/broken/tool.sh", "echo without an interpreter")
    write("tools/twice/tool.sh", echo)
    write("tools/twice/tool.meta.json", '{"holdpoint": {"replayabel": true}, "timeoutSecs": -1}')
    write("tools/loose.sh", echo)
    const { code, out } = await run(["validate"])
    expect(code).toBe(1)
    expect(out).toContain("✓ echo  Prints its arguments")
    expect(out).toContain(
      "✗ broken/tool.sh does not begin with #! and the program that runs it.\n  Make its first line",
    )
    expect(out).toContain(
      "✗ twice/tool.meta.json: holdpoint.replayabel is not a known field.\n  Did you mean replayable?",
    )
    expect(out).toContain("✗ twice/tool.meta.json: timeoutSecs must be")
    expect(out).toContain("· loose.sh is not in a folder of its own")
    expect(out).toContain("1 tool, 3 problems in ")
  })

  it("finds schemas that validators reject", async () => {
    const { write, run } = createShellWorld()
    write("tools/echo/tool.sh", echo)
    write("tools/echo/tool.meta.json", '{"inputSchema": {"properties": {"n": {"type": "nummer"}}}}')
    const { code, out } = await run(["validate"])
    expect({ code, out }).toEqual({
      code: 1,
      out: expect.stringContaining("echo/tool.sh: inputSchema is not a JSON Schema"),
    })
  })

  it("fails for a folder that is missing, and says how to make one", async () => {
    const { run } = createShellWorld()
    const { code, err } = await run(["validate", "nowhere"])
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining("holdpoint shell init nowhere") })
  })
})

describe("holdpoint shell run", () => {
  it("prints the result of the tool, and passes the arguments on", async () => {
    const { write, run } = createShellWorld()
    write("tools/echo/tool.sh", echo)
    const args = `{"text":"a 'quoted' ü"}`
    expect(await run(["run", "echo", "--args", args])).toEqual({ code: 0, out: `${args}\n`, err: "" })
    expect(await run(["run", "echo", "--args", "-", "--dir", "tools"], { input: args })).toMatchObject({
      out: `${args}\n`,
    })
  })

  it("asks in the terminal", async () => {
    const { write, start } = createShellWorld()
    write("tools/asks/tool.sh", asks)
    const running = start(["run", "asks"], { isTerminal: true })
    await running.prints(/Overwrite report\.pdf\?[\s\S]*navigate/)
    running.stdin.write("\x1b[B\r")
    expect(await running.done).toMatchObject({ code: 0, out: '{"action":"accept","content":{"confirmed":true}}\n' })
  })

  it("tells the script that it cannot ask when there is no terminal", async () => {
    const { write, run } = createShellWorld()
    write("tools/asks/tool.sh", asks)
    expect(await run(["run", "asks"])).toEqual({ code: 0, out: "cannot ask\n", err: "" })
  })

  it("fails when the script fails, and prints why on standard error", async () => {
    const { write, run } = createShellWorld()
    write("tools/fails/tool.sh", "#!/bin/sh\necho 'no such branch' >&2\nexit 3\n")
    const { code, out, err } = await run(["run", "fails"])
    expect({ code, out }).toEqual({ code: 1, out: "" })
    expect(err).toContain("failed with exit code 3")
    expect(err).toContain("no such branch")
  })

  it("ends the script and itself with Ctrl-C", async () => {
    const { write, start } = createShellWorld()
    write("tools/asks/tool.sh", asks)
    const running = start(["run", "asks"], { isTerminal: true })
    await running.prints(/navigate/)
    running.stop()
    expect((await running.done).code).toBe(1)
  })

  it.each([
    ["a tool that is misspelt", ["ecko"], "Did you mean echo?"],
    ["arguments that are not JSON", ["echo", "--args", "{text}"], "--args is not JSON"],
    ["arguments that are not an object", ["echo", "--args", "[]"], "not a JSON object"],
    ["an invalid time", ["echo", "--timeout", "soon"], "--timeout 30s"],
    ["a tool with problems", ["broken"], "broken/tool.sh does not begin with #! and the program that runs it."],
  ])("refuses %s", async (_what, argv, words) => {
    const { write, run } = createShellWorld()
    write("tools/echo/tool.sh", echo)
    write("tools/broken/tool.sh", "no interpreter")
    expect(await run(["run", ...argv])).toMatchObject({ code: 2, out: "", err: expect.stringContaining(words) })
  })
})

describe("holdpoint shell", () => {
  it("has help for each of its parts", async () => {
    const { run } = createShellWorld()
    expect((await run(["--help"])).out).toContain("holdpoint shell [init | validate | run]")
    for (const part of ["init", "validate", "run"])
      expect((await run([part, "--help"])).out).toMatch(new RegExp(`^holdpoint shell ${part} `))
  })

  it.each([
    ["a folder that is missing", ["nowhere"], "There is no folder nowhere."],
    ["a part that is misspelt", ["valdate"], "Did you mean validate?"],
    ["an invalid port", ["--http", "http"], "is not a port number"],
    ["an address that other machines reach", ["--http", "0", "--listen", "0.0.0.0"], "could run your scripts"],
    ["an invalid number", ["--concurrency", "many"], "--concurrency must be a whole number"],
  ])("refuses %s", async (_what, argv, words) => {
    const { run } = createShellWorld()
    expect(await run(argv)).toMatchObject({ code: 2, out: "", err: expect.stringContaining(words) })
  })

  it("reports all settings that are misspelt or of the wrong type together", async () => {
    const { write, run } = createShellWorld()
    write("holdpoint.config.mjs", "export default { shell: { concurency: 5, passEnvironment: 'HOME', pages: true } }")
    const { code, err } = await run(["."])
    expect(code).toBe(2)
    expect(err).toContain("shell.concurency is not a setting. Did you mean concurrency?")
    expect(err).toContain("shell.passEnvironment must be a list of text.")
  })

  it("does not start in a folder that others can change", async () => {
    const { cwd, write, run } = createShellWorld()
    write("tools/echo/tool.sh", echo)
    chmodSync(join(cwd, "tools"), 0o777)
    expect(await run(["tools", "--http", "0"])).toMatchObject({ code: 2, err: expect.stringContaining("chmod o-w") })
  })
})
