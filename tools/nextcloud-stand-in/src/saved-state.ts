// A stand-in with a file: the next start continues with the stored state, at the same address.

import { readFileSync, renameSync, writeFileSync } from "node:fs"
import { deserialize, serialize } from "node:v8"
import type { Area } from "./area.ts"
import { lockFile } from "./lock-file.ts"
import { type RunningStandIn, type StandInOptions, startStandIn } from "./server.ts"
import type { Memory } from "./world.ts"

export interface KeptOptions extends Omit<StandInOptions, "from"> {
  readonly file: string
  readonly host?: string
  /** Overrides the stored port. */
  readonly port?: number
  /** Called when the file cannot be read or written. The stand-in continues without it. */
  readonly report: (activity: string, error: unknown) => void
}

interface SavedState {
  readonly format: number
  readonly port: number
  readonly memory: Memory
}

/** The version of the file's format. Files of other versions are not loaded. */
const format = 2
const saveAfterMs = 500
const readMethods = new Set(["GET", "HEAD", "OPTIONS", "PROPFIND", "REPORT", "SEARCH"])

/**
 * Starts a stand-in with the file's state. Throws while another process uses the file, because both would overwrite it.
 */
export async function startKeptStandIn(options: KeptOptions): Promise<RunningStandIn> {
  const release = holdFile(options.file)
  try {
    const standIn = await startSaved(options)
    // A second `close` must not release the lock again: another process may hold it by then.
    let closing: Promise<void> | undefined
    return { ...standIn, close: () => (closing ??= standIn.close().finally(release)) }
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
    // Where the lock cannot be created, the file cannot be overwritten either; saving reports the error.
    return () => {}
  }
  throw new Error(`${file} is in use by another running stand-in. Stop that one, or use another file.`)
}

async function startSaved(options: KeptOptions): Promise<RunningStandIn> {
  const { file, report, areas = [] } = options
  const savedState = readSavedState(file, report)
  let timer: NodeJS.Timeout | undefined
  // Saves soon after a change, so that a killed process loses little.
  const saveAfterWrite: Area = ({ method }) => {
    if (!readMethods.has(method)) timer ??= setTimeout(saveNow, saveAfterMs).unref()
    return undefined
  }
  const standIn = await startAtSavedAddress(
    { ...options, areas: [saveAfterWrite, ...areas], ...(savedState === undefined ? {} : { from: savedState.memory }) },
    savedState?.port,
  )
  function saveNow(): void {
    clearTimeout(timer)
    timer = undefined
    try {
      save(file, { format, port: Number(new URL(standIn.url).port), memory: standIn.world.stateToSave() })
    } catch (error) {
      report(`Saving the stand-in's state to ${file}`, error)
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

/** Starts at the requested port, else at the stored port, else, if that is taken, at any free port. */
async function startAtSavedAddress(options: KeptOptions & StandInOptions, port = 0): Promise<RunningStandIn> {
  if (options.port !== undefined) return startStandIn(options)
  try {
    return await startStandIn({ ...options, port })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error
    return startStandIn({ ...options, port: 0 })
  }
}

function readSavedState(file: string, report: KeptOptions["report"]): SavedState | undefined {
  try {
    const savedState = deserialize(readFileSync(file)) as Partial<SavedState> | null
    if (savedState?.format !== format || savedState.memory === undefined)
      throw new Error("The file has another format.")
    return savedState as SavedState
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined
    const copy = `${file}.unreadable`
    report(
      `Reading the stand-in's state from ${file}, which becomes ${copy}, so that it starts without that state,`,
      error,
    )
    moveAway(file, copy, report)
    return undefined
  }
}

/** Keeps the file from being overwritten: it may belong to another program or another version. */
function moveAway(file: string, copy: string, report: KeptOptions["report"]): void {
  try {
    renameSync(file, copy)
  } catch (error) {
    report(`Moving ${file} to ${copy}`, error)
  }
}

/** Writes the file completely or not at all. Only its owner may read it, because it contains passwords. */
function save(file: string, state: SavedState): void {
  const temporaryFile = `${file}.new`
  writeFileSync(temporaryFile, serialize(state), { mode: 0o600 })
  renameSync(temporaryFile, file)
}
