// Starts writers, kills each at a random moment with SIGKILL, and collects what they had printed.

import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { programAt } from "../../../programs.ts"

export interface Acknowledged {
  readonly id: string
  readonly revision: number
  readonly status: string
}

export interface Killed {
  readonly acknowledged: readonly Acknowledged[]
  /** Whether an unacknowledged step had been started. */
  readonly wasWriting: boolean
}

/** Runs this number of writers at once, and restarts each after it was killed. */
export async function killWriters(
  place: readonly string[],
  options: { readonly kills: number; readonly writers: number },
): Promise<readonly Killed[]> {
  const killed: Killed[] = []
  let left = options.kills
  const keepKilling = async (): Promise<void> => {
    while (left-- > 0) killed.push(await killWriter(place, 1 + Math.floor(Math.random() ** 2 * 300)))
  }
  await Promise.all(Array.from({ length: options.writers }, keepKilling))
  return killed
}

/** Kills a writer after a number of lines, so that a slow start does not make all kills early. */
async function killWriter(database: readonly string[], lines: number): Promise<Killed> {
  const writer = spawn(
    process.execPath,
    [
      ...programAt(join(import.meta.dirname, "../../../../../../packages/hub/test/stores/crash/writer.ts")),
      ...database,
    ],
    {
      stdio: ["ignore", "pipe", "pipe"],
    },
  )
  let output = ""
  let complaint = ""
  let seen = 0
  writer.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text
    seen += text.split("\n").length - 1
    if (seen >= lines) writer.kill("SIGKILL")
  })
  writer.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaint += text
  })
  const [[, signal]] = await Promise.all([once(writer, "exit"), once(writer.stdout, "close")])
  if (signal !== "SIGKILL") throw new Error(`a writer ended by itself: ${complaint}`)
  return read(output)
}

function read(output: string): Killed {
  const started = new Set<string>()
  const acknowledged: Acknowledged[] = []
  for (const line of output.split("\n").slice(0, -1)) {
    const [kind, step = "", id = "", revision = "", status = ""] = line.split(" ")
    if (kind === "s") started.add(step)
    else {
      started.delete(step)
      acknowledged.push({ id, revision: Number(revision), status })
    }
  }
  return { acknowledged, wasWriting: started.size > 0 }
}
