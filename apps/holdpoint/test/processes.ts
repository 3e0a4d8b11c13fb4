// The command as processes of its own, with what they print.

import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { programAt } from "@holdpoint/testkit/programs"

const command = fileURLToPath(new URL("../../../tools/testkit/src/holdpoint/command-process.ts", import.meta.url))

export interface CommandProcess {
  /** Resolves with the match when the pattern appears on either stream. */
  prints(words: RegExp): Promise<RegExpExecArray>
  readonly ended: Promise<{ readonly code: number | null; readonly out: string; readonly err: string }>
  stop(): void
}

export function startCommand(
  argv: readonly string[],
  { cwd, env = {} }: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
): CommandProcess {
  const { DATABASE_URL: _database, ...inherited } = process.env
  const child = spawn(process.execPath, [...programAt(command), ...argv], {
    ...{ cwd, env: { ...inherited, ...env }, stdio: ["ignore", "pipe", "pipe"] },
  })
  const output = { out: "", err: "" }
  let look = (): void => {}
  for (const [name, stream] of [["out", child.stdout] as const, ["err", child.stderr] as const]) {
    stream?.on("data", (chunk: Buffer) => {
      output[name] += chunk.toString("utf8")
      look()
    })
  }
  const ended = new Promise<Awaited<CommandProcess["ended"]>>((resolve) => {
    child.once("close", (code) => resolve({ code, ...output }))
  })
  return {
    ended,
    stop: () => void child.kill("SIGTERM"),
    prints: (words) =>
      new Promise((resolve, reject) => {
        look = () => {
          const match = words.exec(`${output.out}\n${output.err}`)
          if (match !== null) resolve(match)
        }
        look()
        ended.then(() => reject(new Error(`It ended after: ${output.out}${output.err}`)))
      }),
  }
}
