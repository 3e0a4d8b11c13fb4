// The completion scripts in the shells themselves. A shell that this machine lacks is reported as skipped.

import { execFileSync, spawnSync } from "node:child_process"
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { PassThrough } from "node:stream"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { createWorld } from "@holdpoint/testkit/holdpoint/world"
import { makeScratchFolder } from "@holdpoint/testkit/scratch"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createProcessIo } from "../../src/io.ts"
import { main } from "../../src/main.ts"

const folder = makeScratchFolder("completion")
const fileHere = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

interface Shell {
  readonly name: string
  /** The arguments with which the shell prints its completions of a command line, one per line. */
  readonly toArguments: (line: string, script: string) => readonly string[]
}

const shells: readonly Shell[] = [
  {
    name: "bash",
    toArguments: (line, script) => ["--norc", "--noprofile", fileHere("capture.bash"), line, script, folder],
  },
  { name: "zsh", toArguments: (line, script) => ["-f", fileHere("capture.zsh"), line, script, folder] },
  {
    name: "fish",
    toArguments: (line, script) => [
      "--no-config",
      "-c",
      `source ${script}; cd ${folder}; complete -C ${JSON.stringify(line)}`,
    ],
  },
]

beforeAll(() => {
  writeFileSync(join(folder, "a form.json"), "{}")
  writeFileSync(join(folder, "answer.json"), "{}")
  mkdirSync(join(folder, "archive"))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Returns the script that `holdpoint completion NAME` prints. */
async function printed(name: string): Promise<string> {
  const stdout = new PassThrough()
  const io = { ...createProcessIo(), stdout, cwd: folder }
  expect(await main(["completion", name], io)).toBe(0)
  return text(stdout.end())
}

const isInstalled = (name: string): boolean => spawnSync(name, ["--version"]).status === 0

describe.each(shells)("the completion script in $name", ({ name, toArguments }) => {
  const script = join(folder, `script.${name}`)
  let offered: (line: string) => readonly string[]

  beforeAll(async () => {
    if (!isInstalled(name)) return
    writeFileSync(script, await printed(name))
    offered = (line) => {
      const env = { ...process.env, HOME: folder, TERM: "xterm" }
      const output = execFileSync(name, toArguments(line, script), { encoding: "utf8", env })
      // Fish prints the description behind a tab.
      const matches = output.split("\n").map((one) => one.split("\t")[0] ?? "")
      return [...new Set(matches.filter(Boolean))].toSorted()
    }
  })

  it.runIf(isInstalled(name))("offers the commands, and only as the first word", () => {
    expect(offered("holdpoint ke")).toEqual(["keys"])
    expect(offered("holdpoint help comple")).toEqual(["complete", "completion"])
    expect(offered("holdpoint show ke")).toEqual([])
  })

  it.runIf(isInstalled(name))("offers the flags of the command", () => {
    expect(offered("holdpoint ask --to")).toEqual(["--to", "--to-role"])
    expect(offered("holdpoint pending --al")).toEqual(["--all-people"])
    expect(offered("holdpoint pending --to")).toEqual([])
  })

  it.runIf(isInstalled(name))("offers the values of an enumeration", () => {
    expect(offered("holdpoint serve --log ")).toEqual(["json", "off", "text"])
    expect(offered("holdpoint keys ")).toEqual(["generate", "rotate", "status"])
    expect(offered("holdpoint completion z")).toEqual(["zsh"])
  })

  it.runIf(isInstalled(name))("knows the parts of a command, each with flags of its own", () => {
    expect(offered("holdpoint shell v")).toEqual(["validate"])
    expect(offered("holdpoint shell run --ar")).toEqual(["--args"])
    expect(offered("holdpoint shell --ar")).toEqual([])
    expect(offered("holdpoint shell validate ar").map((word) => word.replace(/\/$/, ""))).toEqual(["archive"])
  })

  it.runIf(isInstalled(name))("offers file names where a flag takes a path, and nowhere else", () => {
    const names = offered("holdpoint ask --form a").map((word) => word.replaceAll("\\", "").replace(/\/$/, ""))
    expect(names).toEqual(["a form.json", "answer.json", "archive"])
    expect(offered("holdpoint ask --to a")).toEqual([])
    expect(offered("holdpoint ask a")).toEqual([])
  })
})

describe("holdpoint completion", () => {
  it("offers nothing for a shell that it does not know", async () => {
    const { code, err } = await createWorld().run(["completion", "fishs"])
    expect(code).toBe(2)
    expect(err).toContain("Did you mean fish?")
  })
})
