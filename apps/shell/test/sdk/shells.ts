// The shells in which tool-sdk.sh is tested, with and without jq. Tests for a missing shell are reported as skipped.

import { execFile, spawnSync } from "node:child_process"
import { existsSync, mkdirSync, symlinkSync } from "node:fs"
import { delimiter, join } from "node:path"
import { fileURLToPath } from "node:url"
import { makeScratchFolder } from "@holdpoint/testkit/scratch"
import { expect, type TestContext } from "vitest"

export interface Shell {
  /** The name in the titles of tests. */
  readonly shell: string
  readonly command: readonly string[]
  readonly path: string
  readonly hasJq: boolean
  /** Why the shell cannot be tested on this machine. */
  readonly missing: string | undefined
}

export const sdk = fileURLToPath(new URL("../../sdk", import.meta.url))

export const findProgram = (name: string): string | undefined =>
  (process.env.PATH ?? "")
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path))

const needed =
  "awk basename bash busybox cat curl cut date dash dirname env getent grep head ls mkdir mkfifo mktemp mv node od python3 readlink rm sed sh sleep sort tail tr true wc zsh"

/** A PATH whose only folder has the usual programs without `left`. */
export function pathWithout(...left: readonly string[]): string {
  const folder = join(makeScratchFolder("bin"), "bin")
  mkdirSync(folder)
  for (const name of needed.split(" ")) {
    const path = left.includes(name) ? undefined : findProgram(name)
    if (path !== undefined) symlinkSync(path, join(folder, name))
  }
  return folder
}

const kinds: readonly (readonly [string, readonly string[]])[] = [
  ["bash", ["bash"]],
  ["zsh", ["zsh", "-f"]],
  ["dash", ["dash"]],
  ["busybox sh", ["busybox", "sh"]],
]

const lacks = (name: string): string | undefined => (findProgram(name) === undefined ? `no ${name} here` : undefined)
const plainPath = pathWithout("jq")

/** Each shell without jq. */
export const shells: readonly Shell[] = kinds.map(([shell, command]) => ({
  ...{ shell, command, path: plainPath, hasJq: false, missing: lacks(command[0] ?? "") },
}))

/** The shells without jq, and bash with jq. */
export const shellsAndJq: readonly Shell[] = [
  ...shells.map((one) => ({ ...one, shell: `${one.shell} without jq` })),
  {
    ...{ shell: "bash with jq", command: ["bash"], path: process.env.PATH ?? "", hasJq: true },
    missing: lacks("bash") ?? lacks("jq"),
  },
]

/** Quotes a text as one word of a shell command. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** A piece of code, with its expected output and exit code. */
export interface Case {
  readonly code: string
  readonly stdout?: string
  /** The expected exit code. Default: 0. */
  readonly exit?: number
  /** A part of the expected error output. Default: no error output. */
  readonly stderr?: string
}

export interface Ran {
  readonly stdout: string
  readonly stderr: string
  readonly exit: number
}

/** Runs all pieces of code in one process, each in a subshell of its own. */
export function runAll(shell: Shell, codes: readonly string[], env: NodeJS.ProcessEnv = {}): readonly Ran[] {
  const { program, flags, options } = toProcess(shell, codes, env)
  const { stdout, stderr } = spawnSync(program, flags, options)
  return toRan(codes, stdout.toString("utf8"), stderr.toString("utf8"))
}

/** Like `runAll`, without blocking this process, for code that needs a server in it. */
export function runBeside(
  shell: Shell,
  codes: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<readonly Ran[]> {
  const { program, flags, options } = toProcess(shell, codes, env)
  return new Promise((resolve, reject) => {
    const child = execFile(program, flags, { ...options, encoding: "utf8" }, (_error, stdout, stderr) => {
      try {
        resolve(toRan(codes, stdout, stderr))
      } catch (error) {
        reject(error)
      }
    })
    child.stdin?.end()
  })
}

function toProcess({ command, path }: Shell, codes: readonly string[], env: NodeJS.ProcessEnv) {
  const folder = makeScratchFolder("cases")
  const [program = "", ...flags] = command
  const ended = `ended() { cat "${folder}/out"; printf '\\0'; cat "${folder}/err"; printf '\\0%s\\0' "$1"; }`
  const runs = codes.map((code) => `( ${code}\n) >"${folder}/out" 2>"${folder}/err" </dev/null; ended "$?"`)
  const script = [ended, 'set -u; . "$MCP_SDK/tool-sdk.sh"', ...runs].join("\n")
  const environment = { PATH: path, HOME: folder, MCP_SDK: sdk, LC_ALL: "C.UTF-8", ...env }
  return { program, flags: [...flags, "-c", script], options: { env: environment, maxBuffer: 64 * 1024 * 1024 } }
}

function toRan(codes: readonly string[], stdout: string, stderr: string): readonly Ran[] {
  const parts = stdout.split("\0")
  if (parts.length !== codes.length * 3 + 1) throw new Error(`The shell ended early: ${stderr}`)
  return codes.map((_code, index) => {
    const [printed = "", errors = "", exit = ""] = parts.slice(index * 3, index * 3 + 3)
    return { stdout: printed, stderr: errors, exit: Number(exit) }
  })
}

/** Runs all cases in one process, and expects the output and exit code of each. */
export function check(shell: Shell, cases: readonly Case[], env: NodeJS.ProcessEnv = {}): void {
  const codes = cases.map(({ code }) => code)
  const results = runAll(shell, codes, env).map(({ stdout, stderr, exit }, index) => {
    const { stdout: wanted, stderr: words = "" } = cases[index] as Case
    const isSaid = words === "" ? stderr === "" : stderr.includes(words)
    return { code: codes[index], ...(wanted === undefined ? {} : { stdout }), stderr: isSaid ? words : stderr, exit }
  })
  expect(results).toEqual(
    cases.map(({ code, stdout, stderr = "", exit = 0 }) => ({
      ...{ code, ...(stdout === undefined ? {} : { stdout }), stderr, exit },
    })),
  )
}

/** Skips a test, visibly, in a shell that this machine lacks. */
export const tryIn =
  ({ missing }: Shell) =>
  (context: TestContext): void => {
    if (missing !== undefined) context.skip(`not tried: ${missing}`)
  }
