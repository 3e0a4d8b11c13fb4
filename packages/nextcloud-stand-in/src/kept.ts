// A stand-in that stays: what it remembers is in a file, and the next start takes it up, at the same address.

import { readFileSync, renameSync, writeFileSync } from "node:fs"
import { deserialize, serialize } from "node:v8"
import type { Area } from "./area.ts"
import { lockFile } from "./lock-file.ts"
import { type RunningStandIn, type StandInOptions, startStandIn } from "./server.ts"
import type { Memory } from "./world.ts"

export interface KeptOptions extends Omit<StandInOptions, "from"> {
  readonly file: string
  readonly host?: string
  /** Instead of the one that it had before. */
  readonly port?: number
  /** A file that cannot be read or written. The stand-in goes on without it. */
  readonly report: (doing: string, error: unknown) => void
}

interface Kept {
  readonly format: number
  readonly port: number
  readonly memory: Memory
}

/** What was written in another format is not taken up. */
const format = 1
const saveAfterMs = 500
const reading = new Set(["GET", "HEAD", "OPTIONS", "PROPFIND", "REPORT", "SEARCH"])

/** Throws while another one keeps what it remembers in the same file: each would write over what the other has. */
export async function startKeptStandIn(options: KeptOptions): Promise<RunningStandIn> {
  const release = holdFile(options.file)
  try {
    const standIn = await startKept(options)
    // Once: what is written after that is another one's.
    let closed: Promise<void> | undefined
    return { ...standIn, close: () => (closed ??= standIn.close().finally(release)) }
  } catch (error) {
    release()
    throw error
  }
}

function holdFile(file: string): () => void {
  try {
    const release = lockFile(`${file}.lock`)
    if (release !== undefined) return release
  } catch {
    // Where no file can be made, none can be written over either; saving tells of it.
    return () => {}
  }
  throw new Error(`${file} is of another stand-in, which is running. End that one, or keep this one in another file.`)
}

async function startKept(options: KeptOptions): Promise<RunningStandIn> {
  const { file, report, areas = [] } = options
  const kept = readKept(file, report)
  let timer: NodeJS.Timeout | undefined
  // Soon after a change, so that a process that is killed loses little.
  const noticing: Area = ({ method }) => {
    if (!reading.has(method)) timer ??= setTimeout(saveNow, saveAfterMs).unref()
    return undefined
  }
  const standIn = await startWhereItWas(
    { ...options, areas: [noticing, ...areas], ...(kept === undefined ? {} : { from: kept.memory }) },
    kept?.port,
  )
  function saveNow(): void {
    clearTimeout(timer)
    timer = undefined
    try {
      save(file, { format, port: Number(new URL(standIn.url).port), memory: standIn.world.remembered() })
    } catch (error) {
      report(`Keeping what the stand-in remembers in ${file}`, error)
    }
  }
  saveNow()
  return {
    ...standIn,
    async close() {
      await standIn.close()
      saveNow()
    },
  }
}

/** Whoever was told its address finds it there again, unless somebody else is there now. */
async function startWhereItWas(options: KeptOptions & StandInOptions, port = 0): Promise<RunningStandIn> {
  if (options.port !== undefined) return startStandIn(options)
  try {
    return await startStandIn({ ...options, port })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error
    return startStandIn({ ...options, port: 0 })
  }
}

function readKept(file: string, report: KeptOptions["report"]): Kept | undefined {
  try {
    const kept = deserialize(readFileSync(file)) as Partial<Kept> | null
    if (kept?.format !== format || kept.memory === undefined) throw new Error("It is of another version.")
    return kept as Kept
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT")
      report(`Reading ${file}, where a stand-in keeps what it remembers, so that it begins anew,`, error)
    return undefined
  }
}

/** All of it or nothing. Passwords are in it: nobody else may read it. */
function save(file: string, kept: Kept): void {
  const beside = `${file}.new`
  writeFileSync(beside, serialize(kept), { mode: 0o600 })
  renameSync(beside, file)
}
