// The command's entry: help, version, and unknown words.

import { execFile } from "node:child_process"
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { defaultToolsets } from "@holdpoint/nextcloud"
import { createWorld } from "@holdpoint/testkit/holdpoint/world"
import { verifies } from "@holdpoint/testkit/verifies"
import { describe, expect, it, onTestFinished } from "vitest"

describe("holdpoint", () => {
  it.each([[[]], [["help"]], [["--help"]], [["-h"]]])("lists its commands for %j", async (argv) => {
    const { code, out } = await createWorld().run(argv)
    expect(code).toBe(0)
    for (const name of ["demo", "ask", "answer", "pending", "show", "cancel", "complete"]) {
      expect(out).toMatch(new RegExp(`^  ${name} `, "m"))
    }
  })

  it.each([[["help", "ask"]], [["ask", "--help"]], [["ask", "Deploy?", "-h"]]])("explains ask for %j", async (argv) => {
    const { code, out } = await createWorld().run(argv)
    expect(code).toBe(0)
    expect(out).toContain("holdpoint ask MESSAGE")
    expect(out).toContain("--timeout TIME")
  })

  it("names the default toolsets in the help of nextcloud", async () => {
    const { out } = await createWorld().run(["help", "nextcloud"])
    expect(out).toContain(`(default ${defaultToolsets.join(",")})`)
  })

  it("prints its version", async () => {
    expect(await createWorld().run(["--version"])).toEqual({ code: 0, out: "0.1.0\n", err: "" })
  })

  it.each([
    [["aks"], "Did you mean ask?"],
    [["ask", "Deploy?", "--tiemout", "5m"], "Did you mean --timeout?"],
    [["help", "pendign"], "Did you mean pending?"],
    [["pending", "-j"], "has no flag -j"],
    [["--json", "pending"], "The command comes before --json."],
    [["ask"], "Write: holdpoint ask MESSAGE"],
    [["ask", "Deploy", "now?"], "“now?” is one word too many"],
    [["ask", "Deploy?", "--timeout"], "--timeout needs a value"],
    [["ask", "Deploy?", "--key", "--json"], "--key needs a value"],
    [["ask", "Deploy?", "--json=yes"], "--json takes no value"],
    [["ask", "Deploy?", "--key", "a", "--key", "b"], "--key is given 2 times"],
    [["ask", "Deploy?", "--timeout", "5 minutes"], "Write --timeout 30s, 5m, 2h or 7d."],
    [["ask", "Deploy?", "--timeout", "8d"], "is not between 1s and 7d"],
    [["ask", "Deploy?", "--choice", "env"], "Write --choice env=staging,production."],
    [["ask", "Deploy?", "--text", "a", "--text", "a"], "two fields called “a”"],
    [["ask", "Deploy?", "--text", "note", "--optional", "noet"], "Did you mean note?"],
    [["ask", "Deploy?", "--to", "bo", "--to-role", "ops"], "do not go together"],
    [["ask", "Deploy?", "--yes", "Deploy", "--text", "note"], "do not go together with --text"],
    [["ask", "Deploy?", "--no", "Not now", "--url", "https://a.example"], "do not go together with --url"],
    [["ask", "Deploy?", "--yes", "Go", "--no", "Go"], "need different words"],
    [["ask", "Deploy?", "--text", "a", "--form", "{}"], "--form is the whole form"],
    [["ask", "Deploy?", "--form", "{"], "is not JSON"],
    [["ask", "Deploy?", "--form", "missing.json"], "The file missing.json cannot be read."],
    [["ask", "Deploy?", "--text", "a", "--url", "https://example.com"], "not both"],
    [["ask", "Deploy?", "--form", '{"type":"object","properties":{"a":{"type":"strin"}}}'], "a.type"],
    [["ask", "Pay?", "--url", "ftp://example.com"], "This address cannot be given to a person."],
    [["ask", "Log in", "--text", "password"], "A form must not ask for secrets."],
    [["answer", "abc"], "No question has been asked here yet"],
  ])("says what is wrong with %j and what was meant", async (argv, words) => {
    const { code, out, err } = await createWorld().run(argv)
    expect(err).toContain(words)
    expect(err).not.toMatch(/\n\s+at /)
    expect({ code, out }).toEqual({ code: argv[0] === "answer" ? 1 : 2, out: "" })
  })
})

const bin = fileURLToPath(new URL("../bin/holdpoint.js", import.meta.url))
const run = promisify(execFile)

describe("bin/holdpoint.js", () => {
  verifies("command.explains-itself", "tells an older Node, in one line, what it needs", async () => {
    const older = 'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } })'
    const argv = ["--import", `data:text/javascript,${encodeURIComponent(older)}`, bin, "pending"]
    const error: unknown = await run(process.execPath, argv).catch((failure: unknown) => failure)
    expect(error).toMatchObject({ code: 1, stdout: "" })
    expect(error).toMatchObject({
      stderr: expect.stringMatching(
        /^holdpoint needs Node 24 or newer; this is Node v20\.20\.2\. [^\n]*`npm start`[^\n]*\n$/,
      ),
    })
  })

  verifies("command.explains-itself", "tells an installation on an older Node how to get a newer one", async () => {
    const folder = mkdtempSync(join(tmpdir(), "holdpoint-installed-"))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    mkdirSync(join(folder, "bin"))
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }')
    copyFileSync(bin, join(folder, "bin", "holdpoint.js"))
    const older = 'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } })'
    const argv = ["--import", `data:text/javascript,${encodeURIComponent(older)}`, join(folder, "bin", "holdpoint.js")]
    const error: unknown = await run(process.execPath, argv).catch((failure: unknown) => failure)
    expect(error).toMatchObject({ code: 1, stderr: expect.stringContaining("Install it from https://nodejs.org") })
    expect(error).toMatchObject({ stderr: expect.not.stringContaining("repository") })
  })

  verifies("command.exit-status", "runs as a process and leaves its exit code", async () => {
    const failure = { code: 2, stderr: "holdpoint: There is no command “aks”.\nDid you mean ask?\n" }
    await expect(run(process.execPath, [bin, "aks"])).rejects.toMatchObject(failure)
  })
})
