// A folder, a person and a terminal for the command, without a process.

import { rmSync } from "node:fs"
import { PassThrough } from "node:stream"
import type { Runtime } from "@holdpoint/hub"
import { systemRuntime } from "@holdpoint/hub"
import type { Io } from "holdpoint/internal"
import { main } from "holdpoint/internal"
import { onTestFinished } from "vitest"
import { scanSqlite } from "../canaries/databases.ts"
import { hear } from "../canaries/note.ts"
import { makeScratchFolder } from "../scratch.ts"

// Commands are imported on use. Here the large ones are imported before the tests, which have less time.
await Promise.all([
  import("../../../../apps/holdpoint/src/commands/conformance.ts"),
  import("../../../../apps/holdpoint/src/commands/serve.ts"),
  import("../../../../apps/holdpoint/src/demo/start.ts"),
])

export interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
}

export interface RunningCommand {
  readonly done: Promise<Ran>
  readonly stdin: PassThrough
  /** Resolves with the match when the pattern appears on either stream. */
  prints(words: RegExp): Promise<RegExpExecArray>
  /** Sends the command a signal. Default: SIGINT, as Ctrl-C does. */
  stop(signal?: "SIGINT" | "SIGTERM"): void
}

export interface WorldOptions {
  readonly env?: Io["env"]
  readonly isTerminal?: boolean
  readonly user?: string
  readonly runtime?: Runtime
  readonly input?: string
}

export interface World {
  readonly cwd: string
  start(argv: readonly string[], options?: WorldOptions): RunningCommand
  run(argv: readonly string[], options?: WorldOptions): Promise<Ran>
}

export function createWorld(): World {
  const cwd = makeScratchFolder("command")
  onTestFinished(() => {
    scanSqlite(cwd)
    rmSync(cwd, { recursive: true, force: true })
  })
  const start: World["start"] = (argv, options = {}) => {
    const { env = {}, isTerminal = false, user = "ana", runtime = systemRuntime, input } = options
    const [stdin, stdout, stderr] = [0, 1, 2].map(() => Object.assign(new PassThrough(), { isTTY: isTerminal }))
    if (stdin === undefined || stdout === undefined || stderr === undefined) throw new Error("There are three streams.")
    if (input !== undefined) stdin.end(input)
    const controller = new AbortController()
    const output = { out: "", err: "" }
    let lookers: (() => void)[] = []
    const collect = (name: "out" | "err") => (chunk: Buffer) => {
      output[name] += chunk.toString("utf8")
      for (const look of lookers) look()
    }
    stdout.on("data", collect("out"))
    stderr.on("data", collect("err"))
    const io = { stdin, stdout, stderr, env, cwd, user, runtime, signal: controller.signal }
    return {
      stdin,
      done: main(argv, io).then((code) => {
        hear("printed", `holdpoint ${argv[0]}`, `${output.out}${output.err}`)
        return { code, ...output }
      }),
      prints: (words) =>
        new Promise((resolve) => {
          const look = () => {
            const match = words.exec(`${output.out}\n${output.err}`)
            if (match === null) return
            lookers = lookers.filter((other) => other !== look)
            resolve(match)
          }
          lookers.push(look)
          look()
        }),
      stop: (signal = "SIGINT") => controller.abort(signal),
    }
  }
  return { cwd, start, run: (argv, options) => start(argv, options).done }
}

export const idIn = (text: string): string => /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(text)?.[0] ?? ""
